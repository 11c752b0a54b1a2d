import ArgusKit
import CommandLineKit

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

    /// The number of addresses given.
    var count: Int { [endpoint != nil, apnsToken != nil, fcmToken != nil].count(where: \.self) }

    /// Checks the options that belong to one kind of address.
    /// - Throws: `UsageError`.
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
        if endpoint.isAPNs {
            throw UsageError("--endpoint is a token of APNs; use --apns-token")
        }
        // With a file, a dummy secret serves to check the other key before the file is read.
        do { _ = try PushKeys(p256dh: p256dh, auth: auth ?? "AAAAAAAAAAAAAAAAAAAAAA") } catch {
            throw UsageError("\(error)")
        }
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
        let auth =
            try authFile.map { (path) throws(Failure) in
                try context.console.secret(inFile: path, .visibleASCII).reveal()
            } ?? auth ?? ""
        return .webPush(
            endpoint: endpoint, keys: try attempt(PushKeys(p256dh: p256dh, auth: auth)))
    }
}
