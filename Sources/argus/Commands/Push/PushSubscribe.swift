import ArgusAccount
import ArgusPush
import CommandLineKit

enum PushSubscribe: ArgusCommand {
    struct Options: VerbOptions {
        @Required var endpoint: PushEndpoint
        @Required var p256dh: String
        var auth: String?
        var authFile: String?
        var userAgent: DeviceText<100>?
    }

    static let about = CommandInfo(
        name: "subscribe", summary: "Subscribe a receiver of Web Push", effect: .changes,
        description: """
            Endpoint and keys are those of the receiver's \(code: "PushSubscription"); keys are
            base64 or base64url. argus checks everything first, and stores it with your
            credentials. Some servers also take \(code: "apns://TOKEN").
            """,
        examples: [
            "argus push subscribe --endpoint https://push.example/send/d3JvbmcK --auth-file auth "
                + "--p256dh BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2L"
                + "AhWPjJI6-8XmhO1X1do":
                "A receiver whose secret is in a file"
        ],
        exitStatuses: .requests(), prints: .objects(SubscriptionView.madeFields))

    static let flags: [Flag<Options>] = [
        .option("endpoint", value: "URL", sets: \.$endpoint, "The URL that receives pushes")
            .sensitive(),
        .option("p256dh", value: "KEY", sets: \.$p256dh, "The receiver's public key").sensitive(),
        .option("auth", value: "KEY", sets: \.auth, "The receiver's secret, 16 bytes").sensitive(),
        .file("auth-file", sets: \.authFile, "Read that secret from FILE"),
        .option("user-agent", value: "TEXT", sets: \.userAgent, "The name of the receiver"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth(
            "--auth", options.auth != nil, "--auth-file", options.authFile != nil)
        guard options.auth != nil || options.authFile != nil else {
            throw UsageError("--auth is missing", hint: "--auth-file reads it from a file")
        }
        try PushKeys.check(p256dh: options.p256dh, auth: options.auth)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SubscriptionView.madeFields, .operands(1))
        let keys = try PushKeys(
            p256dh: options.p256dh, auth: options.auth, file: options.authFile, in: context)
        let endpoint = options.endpoint
        let server = try await context.server()
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
            .subscriptions.first { $0.endpoint == endpoint }
        var new = StoredSubscription(
            endpoint: endpoint, keys: keys, userAgent: options.userAgent?.text, subscriptionID: nil)
        let place = try await attempt(awaiting: await context.secrets.placeForPush(of: server))
        let made = try await server.attempt(
            "subscribe to pushes", await server.subscriber.subscribe(new, kept: stored))
        new.subscriptionID = made.subscription.id
        try await attempt(
            awaiting: await context.secrets.changePush(of: server, in: place) { $0.keep(new) })
        let row = SubscriptionRow(
            subscription: made.subscription, isMine: true, result: made.result)
        let changed = made.result == .unchanged ? "; nothing changed" : ""
        try context.report(
            row, raw: PushEndpoint.hidden(in: made.view), with: printer,
            "\(endpoint.shown) is subscribed to pushes of '\(server.name)'\(changed)")
    }
}
