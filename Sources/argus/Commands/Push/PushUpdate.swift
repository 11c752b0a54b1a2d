import ArgusPush
import ArgusTransport
import CommandLineKit

enum PushUpdate: ArgusCommand {
    struct Options: VerbOptions {
        @Required var token: TokenSource
        var target = PushTargetOptions()
    }

    static let about = CommandInfo(
        name: "update", summary: "Replace the push token of a registered device", effect: .changes,
        description: """
            Without \(flag: "device-id"), it is the device that was registered on this machine. A
            device with tokens of both services needs \(flag: "service").
            """,
        examples: ["argus push update --push-token @token": "The token of a file"],
        exitStatuses: .requests(3), prints: .objects(PushRegistrationView.fields))

    static let flags: [Flag<Options>] =
        [
            .option("push-token", value: "T|@FILE|-", sets: \.$token, "The new push token")
                .sensitive()
        ] + PushTargetOptions.flags(at: \Options.target)

    static func validate(_ options: Options) throws(UsageError) {
        guard case .given(let text) = options.token, let service = options.target.service else {
            return
        }
        do { _ = try PushToken(text, for: service) } catch { throw UsageError("\(error)") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushRegistrationView.fields, .operands(1))
        let text = try options.token.read(in: context)
        let server = try await context.server()
        let target = try await PushTarget(options.target, on: server, in: context)
        let stored = target.registration
        // Without a known service, a token of hex digits belongs to APNs.
        let service =
            options.target.service ?? stored?.device.service
            ?? ((try? PushToken(text, for: .apns)) == nil ? .fcm : .apns)
        let token = try attempt(PushToken(text, for: service))
        try target.confirm("Change its token?", in: context)
        let namesService = options.target.service != nil
        let place = try await attempt(awaiting: await context.secrets.placeForPush(of: server))
        let outcome = try await update(target, service, token, namesService: namesService)
        if var device = (stored ?? (outcome.keepsAll ? nil : target.registrations.first))?.device {
            if device.service != service { device.tokenType = .production }
            device.service = service
            device.token = token
            let registration = StoredRegistration(device, id: outcome.registration.id)
            try await attempt(
                awaiting: await context.secrets.changePush(of: server, in: place) {
                    $0.keep(registration, after: outcome)
                })
        }
        try outcome.report(on: server, with: printer, in: context)
    }

    private static func update(
        _ target: PushTarget, _ service: PushService, _ token: PushToken, namesService: Bool
    ) async throws(Failure) -> PushRegistrar.Outcome {
        do {
            return try await target.server.registrar.update(
                target.deviceID, service, namesService: namesService, token: token,
                kept: target.registration)
        } catch {
            var failure = await target.server.failure(error, doing: "update the push token")
            if error.kind == .notFound {
                failure.hint = "register the device with 'argus push register'"
            }
            throw failure
        }
    }
}
