import ArgusKit
import CommandLineKit

/// Which registration a command is about.
struct PushTarget: Sendable {
    let server: SignedInServer
    let kept: StoredPush
    let deviceID: String
    /// What argus registered of it, for each service.
    let registrations: [StoredRegistration]
    let isMine: Bool

    init(
        _ server: SignedInServer, _ given: DeviceIDArgument?, _ service: PushService?,
        in context: Context
    ) async throws(Failure) {
        self.server = server
        kept = try await context.storedPush(of: server)
        let id = try context.pushDevice(given?.text, kept, option: "--device-id")
        let registrations = kept.registrations(of: id)
        if service == nil, registrations.count > 1 {
            throw Failure(
                .usage, "the device \(id) is registered with APNs and FCM",
                hint: "name one with --service")
        }
        deviceID = id
        self.registrations = registrations
        isMine = context.isMine(id, kept)
    }

    /// The registration of a service, or the only one.
    func registration(_ service: PushService?) -> StoredRegistration? {
        registrations.first { service == nil || $0.device.service == service }
    }

    /// - Throws: `Failure` for a device of somebody else that nobody said yes to.
    func confirm(_ assumesYes: Bool, _ prompt: String, in context: Context) throws(Failure) {
        guard !isMine, !assumesYes else { return }
        try context.confirm(
            prompt, below: ["The device \(deviceID) was not registered from here."],
            otherwise: "nothing was changed")
    }
}

extension Context {
    /// Prints a registration for programs, or says to a person what became of it.
    func reportPush(
        _ registration: PushRegistration, _ view: JSONView,
        with printer: Printer<PushRegistration>, on server: SignedInServer
    ) throws(Failure) {
        let what =
            switch registration.result {
            case .created: "was registered on '\(server.name)'"
            case .unchanged: "is registered on '\(server.name)'; nothing changed"
            default: "has its new registration on '\(server.name)'"
            }
        try report(
            registration, raw: view, with: printer, "the device \(registration.deviceID) \(what)")
    }
}
