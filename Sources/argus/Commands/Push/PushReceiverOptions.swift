import ArgusKit
import CommandLineKit

/// The options that name the receivers of a push: of the registry, or by their addresses.
struct PushReceiverOptions: OptionGroup, Equatable {
    var token: String?
    var device: String?
    var endpoint: EndpointArgument?
    var p256dh: String?
    var auth: String?
    var authFile: String?
    var apnsToken: TokenSource?
    var bundleID: DeviceText<100>?
    var isSandbox = false
    var fcmToken: TokenSource?
    var platform: PlatformArgument?

    static let own: [Flag<PushReceiverOptions>] = [
        .option("token", value: "ID", sets: \.token, "A token of 'argus push tokens'"),
        .option("device", value: "NAME", sets: \.device, "All tokens of a device"),
        .option("endpoint", value: "URL", sets: \.endpoint, "The endpoint of a subscription")
            .sensitive(),
        .option("p256dh", value: "KEY", sets: \.p256dh, "The subscription's public key")
            .sensitive(),
        .option("auth", value: "KEY", sets: \.auth, "The subscription's secret, 16 bytes")
            .sensitive(),
        .option("auth-file", value: "FILE", sets: \.authFile, "Read that secret from FILE")
            .completing(.file),
        .option("apns-token", value: "T|@FILE|-", sets: \.apnsToken, "A token of APNs")
            .sensitive(),
        .option("bundle-id", value: "ID", sets: \.bundleID, "The app's id, for APNs"),
        .toggle("sandbox", sets: \.isSandbox, "The token is for Apple's sandbox"),
        .option("fcm-token", value: "T|@FILE|-", sets: \.fcmToken, "A token of FCM").sensitive(),
        .option(
            "platform", value: "P", sets: \.platform,
            "The system of a token of FCM, such as android"),
    ]

    func validate() throws(UsageError) {
        let named = [
            token != nil, device != nil, endpoint != nil, apnsToken != nil, fcmToken != nil,
        ]
        guard named.count(where: \.self) == 1 else {
            throw UsageError(
                "give one of --token, --device, --endpoint, --apns-token and --fcm-token")
        }
        if apnsToken == nil, isSandbox || bundleID != nil {
            throw UsageError("\(isSandbox ? "--sandbox" : "--bundle-id") is for --apns-token")
        }
        if fcmToken == nil, platform != nil { throw UsageError("--platform is for --fcm-token") }
        guard endpoint != nil else {
            guard p256dh == nil, auth == nil, authFile == nil else {
                throw UsageError("--p256dh and --auth are for --endpoint")
            }
            return
        }
        try UsageError.rejectBoth("--auth", auth != nil, "--auth-file", authFile != nil)
        guard let p256dh, auth != nil || authFile != nil else {
            throw UsageError("--endpoint needs --p256dh and --auth or --auth-file")
        }
        // With a file, a dummy secret serves to check the other key before the file is read.
        do { _ = try PushKeys(p256dh: p256dh, auth: auth ?? "AAAAAAAAAAAAAAAAAAAAAA") } catch {
            throw UsageError("\(error)")
        }
    }

    /// The receivers, at least one; those given by an address have no id.
    ///
    /// - Throws: `Failure` 3 if the registry has none, 2 for an unusable address.
    func tokens(in context: Context) async throws(Failure) -> [DeliveryToken] {
        if let address = try address(in: context) {
            // A token that was registered when it was typed cannot have been removed since.
            var token = DeliveryToken(id: "", address: address, createdAt: Timestamp(seconds: 0))
            token.device.platform = platform?.platform
            return [token]
        }
        let known = try await attempt(awaiting: await context.deliveryTokens().load())
        if let token { return [try known.named(token)] }
        let name = (device ?? "").lowercased()
        let found = known.all.filter {
            $0.device.name?.lowercased() == name || $0.device.id?.lowercased() == name
        }
        guard !found.isEmpty else { return [try known.named(device ?? "")] }
        return found
    }

    private func address(in context: Context) throws(Failure) -> DeliveryToken.Address? {
        if let apnsToken {
            let token = try attempt(PushToken(apnsToken.read(in: context), for: .apns))
            return .apns(
                token: token, type: isSandbox ? .sandbox : .production, bundleID: bundleID?.text)
        }
        if let fcmToken {
            return .fcm(token: try attempt(PushToken(fcmToken.read(in: context), for: .fcm)))
        }
        guard let endpoint, let p256dh else { return nil }
        let auth =
            try authFile.map { (path) throws(Failure) in
                try context.console.secret(inFile: path, .visibleASCII).reveal()
            } ?? auth ?? ""
        return .webPush(
            endpoint: endpoint.endpoint, keys: try attempt(PushKeys(p256dh: p256dh, auth: auth)))
    }
}
