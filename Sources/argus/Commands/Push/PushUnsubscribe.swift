import ArgusKit
import CommandLineKit

/// The command `argus push unsubscribe`.
enum PushUnsubscribe: ArgusCommand {
    struct Options: Sendable, Equatable {
        var endpoint: EndpointArgument?
        var assumesYes = false
    }

    static let about = CommandInfo(
        name: "unsubscribe", summary: "End a Web Push subscription",
        paragraphs: [
            """
            Without \(flag: "endpoint") it is the one that was made on this machine. One that was \
            made elsewhere is ended only with a typed \(code: "yes"), or \(flag: "yes").
            """
        ],
        examples: [Example("argus push unsubscribe", "The one of this machine")],
        exitStatuses: ExitStatus.requests(3), fields: SubscriptionView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .option("endpoint", value: "URL", sets: \.endpoint, "The endpoint of the subscription")
            .sensitive(),
        .toggle("yes", short: "y", sets: \.assumesYes, "Do not ask"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SubscriptionView.fields, .operands(1))
        let server = try await context.server()
        let kept = try await context.storedPush(of: server)
        let named = options.endpoint?.endpoint
        let endpoint = if let named { named } else { try kept.onlySubscription().endpoint }
        let own = kept.subscriptions.first { $0.endpoint == endpoint }
        if own == nil, !options.assumesYes {
            try context.confirm(
                "End it?", below: ["\(endpoint.shown) was not subscribed from here."],
                otherwise: "no subscription was ended")
        }
        let wasThere = try await server.attempt("unsubscribe from pushes") {
            () async throws(APIError) in
            try await PushSubscriber(session: server.session).unsubscribe(endpoint)
        }
        try await context.changeKeptPush(of: server) { push in
            push.subscriptions.removeAll { $0.endpoint == endpoint }
        }
        var row = PushSubscription(id: own?.subscriptionID, endpoint: endpoint.shown)
        row.userAgent = own?.userAgent
        try context.report(
            SubscriptionRow(subscription: row, isMine: own != nil), with: printer,
            "\(endpoint.shown) "
                + (wasThere ? "gets no more pushes from" : "was not subscribed to pushes of")
                + " '\(server.name)'")
    }
}

extension StoredPush {
    /// The subscription of this machine.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when there are several.
    func onlySubscription() throws(Failure) -> StoredSubscription {
        guard let first = subscriptions.first else {
            throw Failure(
                .notFound, "this machine has no push subscription",
                hint: "make one with 'argus push subscribe', or name one with --endpoint")
        }
        guard subscriptions.count == 1 else {
            let names = subscriptions.map(\.endpoint.shown)
            throw Failure(
                .usage,
                "this machine has several push subscriptions: "
                    + names.joined(separator: ", "), hint: "name one with --endpoint")
        }
        return first
    }
}

/// The command `argus push test`.
enum PushTest: ArgusCommand {
    static let about = CommandInfo(
        name: "test", summary: "Try whether pushes reach this machine",
        paragraphs: [
            """
            Servers send the test to every subscription and call it a success when one of them was \
            reached; argus tells what came of the one that was made on this machine. While \
            receivers do not answer, servers try again for some 14 seconds each.
            """
        ],
        examples: [Example("argus push test", "Try the subscription of this machine")],
        exitStatuses: ExitStatus.requests(3), fields: PushTestView.fields.infos(),
        formats: OutputFormat.objects)

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PushTestView.fields, .operands(1))
        let server = try await context.server()
        let kept = try await context.storedPush(of: server)
        guard !kept.subscriptions.isEmpty else { throw await missing(on: server) }
        let (report, answer) = try await server.attempt("send a test push") {
            () async throws(APIError) in try await PushSubscriber(session: server.session).test()
        }
        let ids = kept.subscriptions.compactMap(\.subscriptionID)
        guard let own = report.deliveries.last(where: { ids.contains($0.id) }) else {
            throw Failure(
                .notFound, "'\(server.name)' no longer has the subscription of this machine",
                hint: "subscribe again with 'argus push subscribe'", reason: "subscription_gone")
        }
        var row = PushTestRow(report: report, own: own)
        let hidden: (String) -> String = { error in
            kept.subscriptions.reduce(error) { $1.endpoint.hidden(in: $0) }
        }
        row.own.error = row.own.error.map(hidden)
        // The errors of others repeat endpoints that are not known here.
        let view = answer.replacingStrings { member, text in
            guard member == "error" else { return nil }
            let shown = hidden(text)
            return shown == text && text.contains("/") ? "…" : shown
        }
        guard own.isDelivered else {
            let because = row.own.error.map { ": \($0)" } ?? ""
            if try context.isForMachines() {
                try printer.write(row, raw: view)
                try printer.finish()
            }
            throw Failure(
                .failed, "the test push did not reach this machine's receiver\(because)",
                reason: "not_delivered")
        }
        try printer.write(row, raw: view)
        try printer.finish()
    }

    /// Without a subscription of its own there is nothing to test, unless the server cannot anyway.
    private static func missing(on server: SignedInServer) async -> Failure {
        do throws(APIError) {
            _ = try await PushSubscriber(session: server.session).list()
        } catch {
            if case .unsupported = error.kind {
                return await server.failure(
                    APIError(.unsupported("test pushes")), doing: "send a test push")
            }
        }
        return Failure(
            .notFound, "this machine has no push subscription",
            hint: "make one with 'argus push subscribe'")
    }
}
