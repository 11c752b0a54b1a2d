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

/// The command `argus push update`.
enum PushUpdate: ArgusCommand {
    struct Options: Sendable, Equatable {
        @Required var token: TokenSource
        var service: PushService?
        var deviceID: DeviceIDArgument?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "update", summary: "Give a registered device its new push token",
        paragraphs: [
            """
            Without \(flag: "device-id") it is the device that was registered from here. A device \
            with tokens of both services needs \(flag: "service").
            """
        ],
        examples: [Example("argus push update --push-token @token", "The token of a file")],
        exitStatuses: ExitStatus.requests(3), fields: PushRegistrationView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

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
        let service = try service(options.service ?? kept?.device.service, of: text)
        let token: PushToken
        do throws(PushFieldError) {
            token = try PushToken(text, for: service)
        } catch { throw Failure(error) }
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
    private static func service(
        _ known: PushService?, of token: String
    ) throws(Failure) -> PushService {
        if let known { return known }
        return (try? PushToken(token, for: .apns)) == nil ? .fcm : .apns
    }

    private static func update(
        _ target: PushTarget, _ service: PushService, _ token: PushToken,
        _ kept: StoredRegistration?, namesService: Bool, in context: Context
    ) async throws(Failure) -> PushRegistrar.Outcome {
        do throws(APIError) {
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

/// The command `argus push unregister`.
enum PushUnregister: ArgusCommand {
    struct Options: Sendable, Equatable {
        var service: PushService?
        var deviceID: DeviceIDArgument?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "unregister", summary: "Take a device's push token back from the server",
        paragraphs: [
            """
            The device itself stays registered, and signed in where it is paired. Without \
            \(flag: "device-id") it is the device that was registered from here. Servers of the \
            mobile API end all that the account registered. A device without a token is done \
            already, which is told.
            """
        ],
        examples: [Example("argus push unregister", "The device that was registered from here")],
        exitStatuses: ExitStatus.requests(), fields: PushRegistrationView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

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
        let kept = target.registration(options.service)
        try await context.changeKeptPush(of: server) { push in
            switch ended {
            case .all: push.registrations = []
            case .token: push.remove(target.deviceID, nil)
            case .registration, .nothing: push.remove(target.deviceID, options.service)
            }
        }
        var registration = PushRegistration(deviceID: target.deviceID)
        if let kept, case .registration = ended {
            registration = PushRegistration(kept.device, keptBy: .documented)
        }
        registration.id = kept?.registrationID
        registration.isActive = false
        let sentence =
            switch ended {
            case .all: PushRegistrar.Ended.endOfAll(on: server.name)
            case .nothing: "'\(server.name)' has no push token of the device \(target.deviceID)"
            case .registration, .token:
                "the device \(target.deviceID) gets no more pushes from '\(server.name)'"
            }
        try context.report(registration, with: printer, sentence)
    }

    /// Ends the registration; where the server can only end all of the account, and none of them was
    /// made from here, that is asked about.
    private static func end(
        _ target: PushTarget, _ options: Options, in context: Context
    ) async throws(Failure) -> PushRegistrar.Ended {
        let registrar = PushRegistrar(session: target.server.session)
        let doing = "take the push token back"
        let mayEndAll = options.assumesYes || !target.registrations.isEmpty
        do throws(APIError) {
            return try await registrar.unregister(
                target.deviceID, options.service, mayEndAll: mayEndAll)
        } catch {
            guard case .unsupported = error.kind, !mayEndAll else {
                throw await target.server.failure(error, doing: doing)
            }
            // Nobody is asked about what the server cannot do.
            let isPossible = try await target.server.attempt(doing) { () async throws(APIError) in
                try await registrar.mayHaveEndingOfAll()
            }
            guard isPossible else { throw await target.server.failure(error, doing: doing) }
        }
        try context.confirm(
            "End them all?",
            below: [
                "The device \(target.deviceID) was not registered from here, and '"
                    + "\(target.server.name)' ends the push registrations of all devices of this "
                    + "account, if any."
            ], otherwise: "nothing was changed")
        return try await target.server.attempt(doing) { () async throws(APIError) in
            try await registrar.unregister(target.deviceID, options.service, mayEndAll: true)
        }
    }
}
