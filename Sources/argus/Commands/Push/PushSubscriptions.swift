import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusPush
import ArgusTransport
import CommandLineKit

enum PushSubscriptions: ArgusCommand {
    static let about = CommandInfo(
        name: "subscriptions", summary: "List the Web Push subscriptions of the server",
        effect: .reads,
        description: """
            Today's servers list the subscriptions of all users; MINE marks those of this machine.
            Endpoints are secrets: argus shows only their ends, even with \(flag: "raw").
            \(code: "argus api push/subscriptions") prints them whole.
            """,
        examples: ["argus push subscriptions": "All of them"],
        exitStatuses: .requests(.malformedRow), prints: .lists(SubscriptionView.fields))

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: SubscriptionView.fields, .list)
        let stored = try await attempt(awaiting: await context.secrets.storedPush(of: server))
        let receivers = await context.receivers(of: server)
        let rows = try await server.attempt(
            "list push subscriptions", await server.subscriber.list())
        context.cache(for: server)?.remember(subscriptions: rows.values)
        for (subscription, view) in rows {
            let isMine =
                stored.subscriptions.contains { $0.isSame(as: subscription) }
                || receivers.contains { $0.matches(listed: subscription.endpoint) }
            try printer.write(
                SubscriptionRow(subscription: subscription, isMine: isMine),
                raw: PushEndpoint.hidden(in: view))
        }
        let things = ("subscription", "subscriptions")
        try printer.finish(
            whenEmpty: "'\(server.name)' has no push subscriptions", counting: ListCount(things))
        try server.expectNoUnreadableRows(rows.unreadableRows, of: things)
    }
}

extension StoredSubscription {
    func isSame(as row: PushSubscription) -> Bool {
        (subscriptionID != nil && subscriptionID == row.id)
            || endpoint.matches(listed: row.endpoint)
    }
}

extension StoredPush {
    /// The subscription of this machine.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
    func onlySubscription() throws(Failure) -> StoredSubscription {
        if let only = subscriptions.only { return only }
        let hint = "name one; 'argus push subscriptions' lists their ids"
        guard !subscriptions.isEmpty else {
            throw Failure(
                .notFound, "this machine has no push subscription",
                hint: "make one with 'argus push subscribe', or " + hint)
        }
        let names = subscriptions.map(\.endpoint.shown).joined(separator: ", ")
        throw Failure(.usage, "this machine has several push subscriptions: \(names)", hint: hint)
    }
}

extension SignedInServer {
    /// The endpoint of the subscription with an id, or the start of one, in the server's list; without
    /// a word, that of this machine.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several, 14 for one of another machine
    ///   whose endpoint the server lists without its middle.
    func endpoint(
        ofSubscription word: String?, among stored: StoredPush
    ) async throws(Failure) -> PushEndpoint {
        guard let word else { return try stored.onlySubscription().endpoint }
        let rows = try await attempt("list push subscriptions", await subscriber.list()).values
            .filter { $0.id != nil }
        let subscription = NamedThing(
            one: "push subscription", several: "subscriptions",
            listHint: "'argus push subscriptions' lists their ids")
        let row = try NameLookup.find(word, in: rows, id: { $0.id ?? "" }, name: { _ in nil })
            .expectOne(word, subscription) {
                "\($0.id ?? "") (\($0.endpoint.map(PushEndpoint.shown) ?? "-"))"
            }
        let own = stored.subscriptions.first { $0.isSame(as: row) }
        if let own { return own.endpoint }
        guard let endpoint = row.endpoint.flatMap(PushEndpoint.init(listed:)) else {
            throw Failure(
                .unsupported,
                "'\(name)' lists only a part of the endpoint of \(word.inQuotes), which was not "
                    + "subscribed from here", hint: "give the whole endpoint with --endpoint")
        }
        return endpoint
    }
}
