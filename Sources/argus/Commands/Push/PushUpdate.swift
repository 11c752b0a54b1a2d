import ArgusKit
import CommandLineKit

/// The command `argus push update`.
enum PushUpdate: ArgusCommand {
    struct Options: VerbOptions {
        @Required var token: TokenSource
        var service: PushService?
        var deviceID: DeviceIDArgument?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "update", summary: "Give a registered device its new push token",
        description: """
            Without \(flag: "device-id") it is the device that was registered from here. A device
            with tokens of both services needs \(flag: "service").
            """,
        examples: ["argus push update --push-token @token": "The token of a file"],
        exitStatuses: .requests(3), prints: .objects(PushRegistrationView.fields))

    static let flags: [Flag<Options>] = [
        .option("push-token", value: "T|@FILE|-", sets: \.$token, "The new push token").sensitive(),
        .option("service", value: "SERVICE", sets: \.service, "Whose token it is, apns or fcm"),
        .option("device-id", value: "UUID", sets: \.deviceID, "The id that the device gave itself"),
        .toggle("yes", short: "y", sets: \.assumesYes, "Do not ask"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        guard case .given(let text) = options.token, let service = options.service else { return }
        do { _ = try PushToken(text, for: service) } catch { throw UsageError("\(error)") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushRegistrationView.fields, .operands(1))
        let text = try options.token.read(in: context)
        let server = try await context.server()
        let target = try await PushTarget(server, options.deviceID, options.service, in: context)
        let kept = target.registration(options.service)
        let service = service(options.service ?? kept?.device.service, of: text)
        let token = try attempt(PushToken(text, for: service))
        try target.confirm(options.assumesYes, "Change its token?", in: context)
        let outcome = try await update(
            target, service, token, kept, namesService: options.service != nil, in: context)
        // A server with one token for each device has put it in the place of the other service's.
        if var device = (kept ?? (outcome.keepsAll ? nil : target.registrations.first))?.device {
            if device.service != service { device.tokenType = .production }
            device.service = service
            device.token = token
            let registration = StoredRegistration(device, id: outcome.registration.id)
            try await context.changeKeptPush(of: server) {
                if !outcome.keepsAll { $0.remove(registration.device.id, nil) }
                $0.keep(registration)
            }
        }
        try context.reportPush(outcome.registration, outcome.view, with: printer, on: server)
    }

    /// Where nobody said it, a token of hex digits is one of APNs.
    private static func service(_ known: PushService?, of token: String) -> PushService {
        if let known { return known }
        return (try? PushToken(token, for: .apns)) == nil ? .fcm : .apns
    }

    private static func update(
        _ target: PushTarget, _ service: PushService, _ token: PushToken,
        _ kept: StoredRegistration?, namesService: Bool, in context: Context
    ) async throws(Failure) -> PushRegistrar.Outcome {
        do {
            return try await PushRegistrar(session: target.server.session).update(
                target.deviceID, service, namesService: namesService, token: token, kept: kept)
        } catch {
            var failure = await target.server.failure(error, doing: "update the push token")
            if error.kind == .notFound {
                failure.hint = "register the device with 'argus push register'"
            }
            throw failure
        }
    }
}
