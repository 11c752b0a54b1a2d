import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusPush
import CommandLineKit

/// The options of verbs about a registration.
struct PushTargetOptions: OptionGroup, Equatable {
    var service: PushService?
    var deviceID: DeviceIDArgument?
    var assumesYes = false

    static let own: [Flag<PushTargetOptions>] = [
        .option(
            "service", value: "SERVICE", sets: \.service, "The service of the token, apns or fcm"),
        .option("device-id", value: "UUID", sets: \.deviceID, "The device's hardware id"),
        .yes(\.assumesYes),
    ]
}

/// The registration that a command is about.
struct PushTarget: Sendable {
    let server: SignedInServer
    let deviceID: String
    /// The registrations that argus made of the device, one for each service.
    let registrations: [StoredRegistration]
    private let options: PushTargetOptions
    private let isMine: Bool

    init(
        _ options: PushTargetOptions, on server: SignedInServer, in context: Context
    ) async throws(Failure) {
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        let own = context.ownDeviceID(on: server)
        let id = try stored.device(options.deviceID?.text, option: "--device-id", own: own)
        registrations = stored.registrations(of: id)
        if options.service == nil, registrations.count > 1 {
            throw Failure(
                .usage, "the device \(id) is registered with APNs and FCM",
                hint: "name one with --service")
        }
        (self.server, self.options, deviceID) = (server, options, id)
        isMine = stored.isMine(id, own: own)
    }

    /// The registration with the named service, or the only one.
    var registration: StoredRegistration? {
        registrations.first { options.service == nil || $0.device.service == options.service }
    }

    /// Prompts for a typed `yes` before changing a device that was not registered here.
    func confirm(_ prompt: String, in context: Context) throws(Failure) {
        guard !isMine, !options.assumesYes else { return }
        try context.console.confirm(
            prompt, below: ["The device \(deviceID) was not registered from here."],
            otherwise: "nothing was changed")
    }
}

extension PushRegistrar.Outcome {
    /// Prints the registration for programs, or a sentence about the result for users.
    func report(
        on server: SignedInServer, with printer: Printer<PushRegistration>, in context: Context
    ) throws(Failure) {
        let what =
            switch registration.result {
            case .created: "was registered on '\(server.name)'"
            case .unchanged: "is registered on '\(server.name)'; nothing changed"
            default: "has its new registration on '\(server.name)'"
            }
        try context.report(
            registration, raw: view, with: printer, "the device \(registration.deviceID) \(what)")
    }
}

extension StoredPush {
    /// Keeps a registration that a server has accepted.
    mutating func keep(_ registration: StoredRegistration, after outcome: PushRegistrar.Outcome) {
        // A server with one token per device has replaced the other service's token.
        if !outcome.keepsAll { remove(registration.device.id, nil) }
        keep(registration)
    }

    /// True if a device has the id of this machine, or was registered here.
    func isMine(_ deviceID: String, own: String) -> Bool {
        own.lowercased() == deviceID.lowercased() || !registrations(of: deviceID).isEmpty
    }

    /// The device of a push command: the given one, else the one registered here, else this
    /// machine, whose id is `own`.
    ///
    /// - Throws: `Failure` 2 if several devices were registered here; `option` names one.
    func device(_ given: String?, option: String, own: String) throws(Failure) -> String {
        if let given { return given }
        let ids = deviceIDs(onMachine: own)
        guard let id = ids.only else {
            throw Failure(
                .usage,
                "several devices were registered from here: \(ids.sorted().joined(separator: ", "))",
                hint: "name one with \(option)")
        }
        return id
    }
}
