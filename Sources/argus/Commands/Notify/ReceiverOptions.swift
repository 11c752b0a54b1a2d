import ArgusCore
import ArgusPush
import CommandLineKit

/// The options that name the receivers of a push: of the registry, or by their addresses.
struct ReceiverOptions: OptionGroup, Equatable {
    var token: String?
    var device: String?
    var address = PushAddressOptions()

    static let own: [Flag<ReceiverOptions>] =
        [
            .option("receiver", value: "ID", sets: \.token, "A receiver of 'notify receivers list'")
                .formerly("token"),
            .option("device", value: "NAME", sets: \.device, "All receivers of a device"),
        ] + PushAddressOptions.flags(at: \ReceiverOptions.address)

    func validate() throws(UsageError) {
        let count = [token != nil, device != nil].count(where: \.self) + address.count
        guard count == 1 else {
            throw UsageError(
                "give one of --receiver, --device, --endpoint, --apns-token and --fcm-token")
        }
        try address.validate()
        if address.fcmToken == nil, address.platform != nil {
            throw UsageError("--platform is for --fcm-token")
        }
    }

    /// The receivers, at least one; those given by an address have no id.
    ///
    /// - Throws: `Failure` 3 if the registry has none, 2 for an unusable address.
    func tokens(in context: Context) async throws(Failure) -> [DeliveryToken] {
        if let given = try address.read(in: context) {
            // A token that was registered when it was typed cannot have been removed since.
            var token = DeliveryToken(id: "", address: given, createdAt: Timestamp(seconds: 0))
            token.device.platform = address.platform
            return [token]
        }
        let known = try await attempt(awaiting: await context.receivers().load())
        if let token { return [try known.named(token)] }
        let name = (device ?? "").caseFolded
        let found = known.tokens.filter {
            $0.device.name?.caseFolded == name || $0.device.id?.caseFolded == name
        }
        guard !found.isEmpty else { return [try known.named(device ?? "")] }
        return found
    }
}

/// The options that give the address of a receiver: a token of an app, or a Web Push subscription.
struct PushAddressOptions: OptionGroup, Equatable {
    var endpoint: PushEndpoint?
    var p256dh: String?
    var auth: String?
    var authFile: String?
    var apnsToken: TokenSource?
    var bundleID: DeviceText<100>?
    var isSandbox = false
    var fcmToken: TokenSource?
    var platform: PushPlatform?

    static let own: [Flag<PushAddressOptions>] = [
        .option("endpoint", value: "URL", sets: \.endpoint, "The endpoint of a subscription")
            .sensitive(),
        .option("p256dh", value: "KEY", sets: \.p256dh, "The subscription's public key")
            .sensitive(),
        .option("auth", value: "KEY", sets: \.auth, "The subscription's secret, 16 bytes")
            .sensitive(),
        .file("auth-file", sets: \.authFile, "Read that secret from FILE"),
        .option("apns-token", value: "T|@FILE|-", sets: \.apnsToken, "A token of APNs")
            .sensitive(),
        .option("bundle-id", value: "ID", sets: \.bundleID, "The app's id, for APNs"),
        .toggle("sandbox", sets: \.isSandbox, "The token is for Apple's sandbox"),
        .option("fcm-token", value: "T|@FILE|-", sets: \.fcmToken, "A token of FCM").sensitive(),
        .option("platform", value: "P", sets: \.platform, "The device's system, such as android"),
    ]

    var count: Int { [endpoint != nil, apnsToken != nil, fcmToken != nil].count(where: \.self) }

    /// Checks the options that belong to one kind of address.
    func validate() throws(UsageError) {
        if apnsToken == nil, isSandbox || bundleID != nil {
            throw UsageError("\(isSandbox ? "--sandbox" : "--bundle-id") is for --apns-token")
        }
        guard let endpoint else {
            guard p256dh == nil, auth == nil, authFile == nil else {
                throw UsageError("--p256dh and --auth are for --endpoint")
            }
            return
        }
        try UsageError.rejectBoth("--auth", auth != nil, "--auth-file", authFile != nil)
        guard let p256dh, auth != nil || authFile != nil else {
            throw UsageError("--endpoint needs --p256dh and --auth or --auth-file")
        }
        if endpoint.isAPNs { throw UsageError("--endpoint is a token of APNs; use --apns-token") }
        try PushKeys.check(p256dh: p256dh, auth: auth)
    }

    /// Reads the address; nil if none was given.
    ///
    /// - Throws: `Failure` 2 for an unusable one.
    func read(in context: Context) throws(Failure) -> DeliveryToken.Address? {
        if let apnsToken {
            let token = try attempt(PushToken(apnsToken.read(in: context), for: .apns))
            return .apns(
                token: token, type: isSandbox ? .sandbox : .production, bundleID: bundleID?.text)
        }
        if let fcmToken {
            return .fcm(token: try attempt(PushToken(fcmToken.read(in: context), for: .fcm)))
        }
        guard let endpoint, let p256dh else { return nil }
        return .webPush(
            endpoint: endpoint,
            keys: try PushKeys(p256dh: p256dh, auth: auth, file: authFile, in: context))
    }
}
