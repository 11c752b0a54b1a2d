import ArgusKit
import CommandLineKit

/// The command `argus push key`.
enum PushKey: ArgusCommand {
    static let about = CommandInfo(
        name: "key", summary: "Show the server's public key for Web Push",
        examples: [Example("argus push key --json | jq -r .public_key", "The key alone")],
        exitStatuses: ExitStatus.requests(), fields: fields.infos(),
        formats: OutputFormat.objects)

    private static let fields: [Field<String>] = [
        Field("public_key", "the applicationServerKey, in base64url") { .text($0) }
    ]

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: fields, .operands(1))
        let server = try await context.server()
        let answer = try await server.attempt("tell its key for Web Push") {
            () async throws(APIError) in try await PushSubscriber(session: server.session).key()
        }
        try printer.write(answer.key, raw: answer.view)
        try printer.finish()
    }
}

/// The command `argus push subscriptions`.
enum PushSubscriptions: ArgusCommand {
    static let about = CommandInfo(
        name: "subscriptions", summary: "List the Web Push subscriptions of the server",
        paragraphs: [
            """
            Today's servers show everybody's. MINE marks those that argus made on this machine. \
            Endpoints are secret, so only their ends are shown, with \(flag: "raw") too; \
            \(code: "argus api push/subscriptions") prints them as the server shows them.
            """
        ],
        examples: [Example("argus push subscriptions", "All of them")],
        exitStatuses: ExitStatus.requests(ExitStatus(12, "A row of the list was no subscription")),
        fields: SubscriptionView.fields.infos(),
        formats: OutputFormat.lists)

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SubscriptionView.fields, .list)
        let server = try await context.server()
        let kept = try await context.storedPush(of: server)
        let rows = try await server.attempt("list push subscriptions") {
            () async throws(APIError) in try await PushSubscriber(session: server.session).list()
        }
        for (subscription, view) in rows {
            let isMine = kept.subscriptions.contains { $0.isSame(as: subscription) }
            try printer.write(
                SubscriptionRow(subscription: subscription, isMine: isMine),
                raw: PushEndpoint.hidden(in: view))
        }
        try printer.finish(whenEmpty: "nobody has subscribed to pushes of '\(server.name)'")
        try server.expectNoUnreadableRows(
            rows.unreadableRows, of: ("subscription", "subscriptions"))
    }
}

extension StoredSubscription {
    /// Whether a row of the server is of this subscription.
    func isSame(as row: PushSubscription) -> Bool {
        (subscriptionID != nil && subscriptionID == row.id)
            || endpoint.matches(listed: row.endpoint)
    }
}

/// The command `argus push subscribe`.
enum PushSubscribe: ArgusCommand {
    struct Options: Sendable, Equatable {
        @Required var endpoint: EndpointArgument
        @Required var p256dh: String
        var auth: String?
        var authFile: String?
        var userAgent: LongText?
    }

    static let about = CommandInfo(
        name: "subscribe", summary: "Subscribe a receiver of Web Push",
        paragraphs: [
            """
            The endpoint and the keys are those of the receiver, as a browser's \
            \(code: "PushSubscription") tells them; keys may be base64 or base64url, padded or \
            not. All are checked before anything is sent and kept with your credentials. Servers \
            of the documents take \(code: "apns://TOKEN") too.
            """
        ],
        examples: [
            Example(
                "argus push subscribe --endpoint https://push.example/send/d3JvbmcK --auth-file auth "
                    + "--p256dh BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2L"
                    + "AhWPjJI6-8XmhO1X1do",
                "A receiver whose secret is in a file")
        ],
        exitStatuses: ExitStatus.requests(), fields: SubscriptionView.madeFields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .option("endpoint", value: "URL", sets: \.$endpoint, "Where pushes are to go").sensitive(),
        .option("p256dh", value: "KEY", sets: \.$p256dh, "The receiver's public key").sensitive(),
        .option("auth", value: "KEY", sets: \.auth, "The receiver's secret, 16 bytes").sensitive(),
        .option("auth-file", value: "FILE", sets: \.authFile, "Read that secret from FILE")
            .completing(.file),
        .option("user-agent", value: "TEXT", sets: \.userAgent, "What the receiver calls itself"),
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.auth != nil, options.authFile != nil {
            throw UsageError("give --auth or --auth-file, not both")
        }
        guard options.auth != nil || options.authFile != nil else {
            throw UsageError("--auth is missing", hint: "--auth-file reads it from a file")
        }
        // With a file, any secret will do to check the other key before the file is read.
        let auth = options.auth ?? "AAAAAAAAAAAAAAAAAAAAAA"
        do { _ = try PushKeys(p256dh: options.p256dh, auth: auth) } catch { throw UsageError("\(error)") }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SubscriptionView.madeFields, .operands(1))
        let endpoint = options.endpoint.endpoint
        let auth =
            try options.authFile.map { (path) throws(Failure) in
                try context.secret(inFile: path, .visibleASCII).reveal()
            } ?? options.auth ?? ""
        let keys: PushKeys
        do throws(PushFieldError) {
            keys = try PushKeys(p256dh: options.p256dh, auth: auth)
        } catch { throw Failure(error) }
        let server = try await context.server()
        let kept = try await context.storedPush(of: server).subscriptions
            .first { $0.endpoint == endpoint }
        var new = StoredSubscription(
            endpoint: endpoint, keys: keys, userAgent: options.userAgent?.text,
            subscriptionID: nil)
        let made = try await server.attempt("subscribe to pushes") { () async throws(APIError) in
            try await PushSubscriber(session: server.session).subscribe(new, kept: kept)
        }
        new.subscriptionID = made.subscription.id
        let subscribed = new
        try await context.changeKeptPush(of: server) { $0.keep(subscribed) }
        if try context.isForMachines() {
            try printer.write(
                SubscriptionRow(
                    subscription: made.subscription, isMine: true, result: made.result),
                raw: PushEndpoint.hidden(in: made.view))
            return try printer.finish()
        }
        let changed = made.result == .unchanged ? "; nothing changed" : ""
        context.notice("\(endpoint.shown) is subscribed to pushes of '\(server.name)'\(changed)")
    }
}
