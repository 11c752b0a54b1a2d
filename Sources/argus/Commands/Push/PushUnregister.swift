import ArgusAccount
import ArgusPush
import ArgusTransport
import CommandLineKit

enum PushUnregister: ArgusCommand {
    struct Options: VerbOptions {
        var target = PushTargetOptions()
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "unregister", summary: "Remove a device's push token from the server",
        effect: .deletes,
        description: """
            The device stays in the server's list, and signed in if it is paired. Without
            \(flag: "device-id"), it is the device that was registered on this machine. Servers of
            the mobile API end the registrations of all devices of the account. A device without a
            token is no error.
            """,
        examples: ["argus push unregister": "The device that was registered from here"],
        exitStatuses: .requests(), prints: .objects(PushRegistrationView.fields))

    static let flags: [Flag<Options>] =
        PushTargetOptions.flags(at: \Options.target) + [.dryRun(\.isDryRun, "removed")]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(
            printing: PushRegistrationView.fields, .operands(1))
        let target = try await PushTarget(options.target, on: server, in: context)
        if options.isDryRun {
            return try context.preview([row(target, .registration, isActive: true)], with: printer)
        }
        try target.confirm("Remove its token?", in: context)
        let ended = try await end(target, options.target, in: context)
        try await attempt(
            awaiting: await context.secrets.changePush(of: server) { push in
                switch ended {
                case .all: push.registrations = []
                case .token: push.remove(target.deviceID, nil)
                case .registration, .nothing: push.remove(target.deviceID, options.target.service)
                }
            })
        let isUnknown = target.registrations.isEmpty && options.target.deviceID == nil
        try context.report(
            row(target, ended), with: printer, sentence(target, ended, isUnknown: isUnknown))
    }

    private static func sentence(
        _ target: PushTarget, _ ended: PushRegistrar.Ended, isUnknown: Bool
    ) -> String {
        let (id, name) = (target.deviceID, target.server.name)
        return switch ended {
        case .all: PushRegistrar.Ended.endOfAll(on: name)
        case .nothing: "'\(name)' has no push token of the device \(id)"
        case .token where isUnknown:
            "the device \(id) had no push token from here; '\(name)' keeps none"
        case .registration, .token: "the device \(id) gets no more pushes from '\(name)'"
        }
    }

    private static func row(
        _ target: PushTarget, _ ended: PushRegistrar.Ended, isActive: Bool = false
    ) -> PushRegistration {
        let stored = target.registration
        var registration = PushRegistration(deviceID: target.deviceID)
        if let stored, case .registration = ended {
            registration = PushRegistration(stored.device, keptBy: .documented)
        }
        registration.id = stored?.registrationID
        registration.isActive = isActive && stored != nil
        return registration
    }

    /// Ends the registration; prompts if the server can only end all of the account, and none was
    /// made here.
    private static func end(
        _ target: PushTarget, _ options: PushTargetOptions, in context: Context
    ) async throws(Failure) -> PushRegistrar.Ended {
        let (server, registrar) = (target.server, target.server.registrar)
        let doing = "remove the push token"
        let mayEndAll = options.assumesYes || !target.registrations.isEmpty
        do {
            return try await registrar.unregister(
                target.deviceID, options.service, mayEndAll: mayEndAll)
        } catch {
            // No prompt if the server cannot do it anyway.
            guard error.isUnsupported, !mayEndAll,
                try await server.attempt(doing, await registrar.mayUnregisterAll())
            else { throw await server.failure(error, doing: doing) }
        }
        try context.console.confirm(
            "End them all?",
            below: [
                "The device \(target.deviceID) was not registered from here, and '\(server.name)' "
                    + "ends the push registrations of all devices of this account, if any."
            ], otherwise: "nothing was changed")
        return try await server.attempt(
            doing, await registrar.unregister(target.deviceID, options.service, mayEndAll: true))
    }
}
