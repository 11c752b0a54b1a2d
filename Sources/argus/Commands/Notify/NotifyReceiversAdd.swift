import ArgusPush
import CommandLineKit

enum NotifyReceiversAdd: ArgusCommand {
    struct Options: VerbOptions {
        var address = PushAddressOptions()
        var deviceID: DeviceIDArgument?
        var deviceName: DeviceText<100>?
        var model: DeviceText<100>?
        var osVersion: DeviceText<20>?
        var appVersion: DeviceText<20>?
        var user: DeviceText<100>?
    }

    static let about = CommandInfo(
        name: "add", summary: "Add a receiver that argus delivers to", effect: .changes,
        description: """
            Adds the token of an app, or a Web Push subscription, on this machine; no server is
            asked. A token is a word, \(code: "@FILE"), or \(code: "-") for stdin. Adding a
            receiver again updates it: a device has one token of each service, and a subscription
            is known by its endpoint.

            A Web Push subscription must have been made with the key of
            \(command: "notify key show"). Those of the server's dashboard are bound to the
            server's key.

            A new receiver gets every event, with sound; \(command: "push prefs set") with
            \(flag: "receiver", of: "push prefs set") changes that.
            """,
        examples: [
            "argus notify receivers add --apns-token @token --bundle-id com.argusai.app "
                + "--device-name \"Ann's phone\"": "A phone, its token in a file",
            "argus notify receivers add --endpoint https://push.example/send/d3JvbmcK --auth-file auth "
                + "--p256dh BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2L"
                + "AhWPjJI6-8XmhO1X1do":
                "A receiver of Web Push",
        ],
        exitStatuses: [0, 1, 2], prints: .objects(DeliveryTokenView.addedFields))

    static let flags: [Flag<Options>] =
        PushAddressOptions.flags(at: \Options.address) + [
            .option("device-id", value: "UUID", sets: \.deviceID, "The device's hardware id"),
            .option("device-name", value: "NAME", sets: \.deviceName, "The name of the device"),
            .option("model", value: "MODEL", sets: \.model, "Its model, such as iPhone15,3"),
            .option("os-version", value: "V", sets: \.osVersion, "Its system's version"),
            .option("app-version", value: "V", sets: \.appVersion, "Its app's version"),
            .option("user", value: "NAME", sets: \.user, "The owner of the device"),
        ]

    static func validate(_ options: Options) throws(UsageError) {
        guard options.address.count == 1 else {
            throw UsageError("give one of --apns-token, --fcm-token and --endpoint")
        }
        try options.address.validate()
        if options.address.apnsToken != nil, options.address.platform == .android {
            throw UsageError("the service cannot be apns on android, whose devices use fcm")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.addedFields, .operands(1))
        let store = try context.receivers()
        guard let address = try options.address.read(in: context) else {
            throw Failure(.usage, "no token given")
        }
        if case .webPush = address { try await expectVAPIDKey(in: store, context.console) }
        let now = context.now()
        var new = DeliveryToken(
            id: DeliveryToken.newID(), address: address, device: device(options), createdAt: now)
        new.device.platform = options.address.platform ?? new.service.usualPlatform
        let (token, result) = try await attempt(
            awaiting: await store.change { $0.put(new, at: now) })
        let row = DeliveryTokenRow(token: token, result: result.rawValue)
        try context.report(row, with: printer, sentence(token, result))
    }

    /// Checks that subscriptions can have been made with argus's key.
    private static func expectVAPIDKey(
        in store: ReceiverStore, _ console: Console
    ) async throws(Failure) {
        guard try await attempt(awaiting: await store.knownVAPIDKey()) == nil else {
            return console.notice(
                "it works only if it was made with the key of 'argus notify key show'")
        }
        throw Failure(
            .usage, "the subscription was made with another key than argus's, which has none yet",
            hint: "'argus notify key show' makes it: subscribe with that key")
    }

    private static func sentence(
        _ token: DeliveryToken, _ result: PushRegistration.Result
    ) -> String {
        let name = token.device.name.map { "'\($0)'" } ?? "the receiver \(token.id.prefix(8))"
        return switch result {
        case .created: "\(name) is added; argus delivers to it with \(token.service.name)"
        case .updated: "\(name) is updated"
        case .unchanged: "\(name) is there already; nothing changed"
        }
    }

    private static func device(_ options: Options) -> DeviceDescription {
        var device = DeviceDescription(id: options.deviceID?.text, name: options.deviceName?.text)
        device.model = options.model?.text
        device.osVersion = options.osVersion?.text
        device.appVersion = options.appVersion?.text
        device.user = options.user?.text
        return device
    }
}
