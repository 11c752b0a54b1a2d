import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusPush
import ArgusTransport
import CommandLineKit

enum PushRegister: ArgusCommand {
    struct Options: VerbOptions {
        @Required var token: TokenSource
        @Required var platform: PushPlatform
        var service: PushService?
        var isSandbox = false
        var deviceID: DeviceIDArgument?
        var deviceName: DeviceText<100>?
        var model: DeviceText<100>?
        var osVersion: DeviceText<20>?
        var appVersion: DeviceText<20>?
        var bundleID: DeviceText<100>?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "register", summary: "Register a device for native pushes", effect: .changes,
        description: """
            The token is the one that APNs or FCM gave to an app: a word, \(code: "@FILE"), or
            \(code: "-") for stdin. argus stores it with your credentials and never shows it. You
            can register a device again at any time: the result is created, updated or unchanged,
            and the device keeps its name.

            argus checks every value first: a token of APNs has 64 to 200 hex digits, one of FCM
            32 to 4096 characters. Without \(flag: "device-id"), argus asks before it uses this
            machine's own id. To change a device that was not registered on this machine, type
            \(code: "yes") or pass \(flag: "yes"). See \(code: "share/doc/argus/docs/push.md").
            """,
        examples: [
            "argus push register --push-token @token --platform ios "
                + "--device-id 550e8400-e29b-41d4-a716-446655440000":
                "A phone, its token in a file",
            "argus push register --push-token - --platform android --yes < token":
                "This machine's own id, the token on stdin",
        ],
        exitStatuses: .requests(), prints: .objects(PushRegistrationView.fields))

    static let flags: [Flag<Options>] = [
        .option("push-token", value: "T|@FILE|-", sets: \.$token, "The device's push token")
            .sensitive(),
        .option(
            "platform", value: "P", sets: \.$platform,
            "Its system: ios, ipados, watchos, tvos, android"),
        .option("service", value: "SERVICE", sets: \.service, "The push service, apns or fcm"),
        .toggle("sandbox", sets: \.isSandbox, "The token is for Apple's sandbox"),
        .option("device-id", value: "UUID", sets: \.deviceID, "The device's hardware id"),
        .option("device-name", value: "NAME", sets: \.deviceName, "The name of the device"),
        .option("model", value: "MODEL", sets: \.model, "Its model, such as iPhone15,3"),
        .option("os-version", value: "V", sets: \.osVersion, "Its system's version"),
        .option("app-version", value: "V", sets: \.appVersion, "Its app's version"),
        .option("bundle-id", value: "ID", sets: \.bundleID, "Its app's id"),
        .yes(\.assumesYes),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        // Checks only what needs no file.
        let platform = options.platform
        if options.isSandbox, (options.service ?? platform.usualService) == .fcm {
            throw UsageError("--sandbox is for APNs, which this registration does not use")
        }
        if platform == .android, options.service == .apns {
            throw UsageError("the service cannot be apns on android, whose devices use fcm")
        }
        guard case .given(let token) = options.token else { return }
        do {
            _ = try PushToken(token, for: options.service ?? platform.usualService)
        } catch { throw UsageError("\(error)") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushRegistrationView.fields, .operands(1))
        var device = try device(options, in: context)
        if options.deviceID == nil, !options.assumesYes {
            try context.console.confirm(
                "Register it?",
                below: ["This machine's own id is used, because --device-id names no other."],
                otherwise: "nothing was registered")
        }
        let server = try await context.server()
        if options.deviceID == nil { device.id = context.ownDeviceID(on: server) }
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        let known = try await known(device, stored, options, on: server, in: context)
        let service = device.service
        let before = stored.registrations(of: device.id).first { $0.device.service == service }
        let place = try await attempt(awaiting: await context.secrets.placeForPush(of: server))
        let outcome = try await server.attempt(
            "register for pushes",
            await server.registrar.register(device, known: known, kept: before))
        let registration = StoredRegistration(
            device.completed(from: before?.device), id: outcome.registration.id)
        try await attempt(
            awaiting: await context.secrets.changePush(of: server, in: place) {
                $0.keep(registration, after: outcome)
            })
        noticeLosses(device, outcome, on: server, in: context)
        try outcome.report(on: server, with: printer, in: context)
    }

    /// The device as the server has it; prompts before changing one that was not registered here.
    private static func known(
        _ device: PushDevice, _ stored: StoredPush, _ options: Options, on server: SignedInServer,
        in context: Context
    ) async throws(Failure) -> Device? {
        let known = try await server.attempt(
            "look for the device", await server.registrar.known(device.id))
        if let known, !stored.isMine(device.id, own: context.ownDeviceID(on: server)),
            !options.assumesYes
        {
            try context.console.confirm(
                "Change it?", below: ["'\(known.name ?? device.id)' was not registered from here."],
                otherwise: "nothing was registered")
        }
        return known
    }

    private static func device(
        _ options: Options, in context: Context
    ) throws(Failure) -> PushDevice {
        let token = try options.token.read(in: context)
        var device = try attempt(
            PushDevice(
                id: options.deviceID?.text ?? context.system.device().id,
                platform: options.platform, service: options.service, token: token,
                tokenType: options.isSandbox ? .sandbox : .production))
        device.name = options.deviceName?.text
        device.model = options.model?.text
        device.osVersion = options.osVersion?.text
        device.appVersion = options.appVersion?.text
        device.bundleID = options.bundleID?.text
        return device
    }

    /// Reports the values that the server does not store.
    private static func noticeLosses(
        _ device: PushDevice, _ outcome: PushRegistrar.Outcome, on server: SignedInServer,
        in context: Context
    ) {
        let wanted = device.platform.rawValue
        if let platform = outcome.registration.platform, platform != wanted {
            let isUnknown = outcome.generation == .current && platform == device.platform.family
            context.console.notice(
                isUnknown
                    ? "'\(server.name)' does not know '\(wanted)': it is registered as '\(platform)'"
                    : "'\(server.name)' kept the platform '\(platform)' of the registration, and did "
                        + "not take '\(wanted)'")
        }
        let lost = device.lost(on: outcome.generation)
        guard !lost.isEmpty else { return }
        context.console.notice("'\(server.name)' does not keep \(lost.joined(separator: ", "))")
    }
}
