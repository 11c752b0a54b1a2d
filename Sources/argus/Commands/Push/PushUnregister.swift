import ArgusKit
import CommandLineKit

/// The command `argus push unregister`.
enum PushUnregister: ArgusCommand {
    struct Options: VerbOptions {
        var service: PushService?
        var deviceID: DeviceIDArgument?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "unregister", summary: "Take a device's push token back from the server",
        description: """
            The device itself stays registered, and signed in where it is paired. Without
            \(flag: "device-id") it is the device that was registered from here. Servers of the
            mobile API end all that the account registered. A device without a token is done
            already, which is told.
            """,
        examples: ["argus push unregister": "The device that was registered from here"],
        exitStatuses: .requests(), prints: .objects(PushRegistrationView.fields))

    static let flags: [Flag<Options>] = [
        .option("service", value: "SERVICE", sets: \.service, "Whose token it is, apns or fcm"),
        .option("device-id", value: "UUID", sets: \.deviceID, "The id that the device gave itself"),
        .toggle("yes", short: "y", sets: \.assumesYes, "Do not ask"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushRegistrationView.fields, .operands(1))
        let server = try await context.server()
        let target = try await PushTarget(server, options.deviceID, options.service, in: context)
        try target.confirm(options.assumesYes, "Take its token back?", in: context)
        let ended = try await end(target, options, in: context)
        try await context.changeKeptPush(of: server) { push in
            switch ended {
            case .all: push.registrations = []
            case .token: push.remove(target.deviceID, nil)
            case .registration, .nothing: push.remove(target.deviceID, options.service)
            }
        }
        let sentence =
            switch ended {
            case .all: PushRegistrar.Ended.endOfAll(on: server.name)
            case .nothing: "'\(server.name)' has no push token of the device \(target.deviceID)"
            case .registration, .token:
                "the device \(target.deviceID) gets no more pushes from '\(server.name)'"
            }
        try context.report(row(target, options, ended), with: printer, sentence)
    }

    /// The registration as it is after its end.
    private static func row(
        _ target: PushTarget, _ options: Options, _ ended: PushRegistrar.Ended
    ) -> PushRegistration {
        let kept = target.registration(options.service)
        var registration = PushRegistration(deviceID: target.deviceID)
        if let kept, case .registration = ended {
            registration = PushRegistration(kept.device, keptBy: .documented)
        }
        registration.id = kept?.registrationID
        registration.isActive = false
        return registration
    }

    /// Ends the registration; where the server can only end all of the account, and none of them was
    /// made from here, that is asked about.
    private static func end(
        _ target: PushTarget, _ options: Options, in context: Context
    ) async throws(Failure) -> PushRegistrar.Ended {
        let registrar = PushRegistrar(session: target.server.session)
        let doing = "take the push token back"
        let mayEndAll = options.assumesYes || !target.registrations.isEmpty
        do {
            return try await registrar.unregister(
                target.deviceID, options.service, mayEndAll: mayEndAll)
        } catch {
            guard case .unsupported = error.kind, !mayEndAll else {
                throw await target.server.failure(error, doing: doing)
            }
            // Nobody is asked about what the server cannot do.
            let isPossible = try await target.server.attempt(
                doing, await registrar.mayHaveEndingOfAll())
            guard isPossible else { throw await target.server.failure(error, doing: doing) }
        }
        try context.confirm(
            "End them all?",
            below: [
                "The device \(target.deviceID) was not registered from here, and '"
                    + "\(target.server.name)' ends the push registrations of all devices of this "
                    + "account, if any."
            ], otherwise: "nothing was changed")
        return try await target.server.attempt(
            doing, await registrar.unregister(target.deviceID, options.service, mayEndAll: true))
    }
}
