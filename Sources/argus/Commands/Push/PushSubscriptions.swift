import ArgusKit
import CommandLineKit

enum PushSubscriptions: ArgusCommand {
    static let about = CommandInfo(
        name: "subscriptions", summary: "List the Web Push subscriptions of the server",
        description: """
            Today's servers list the subscriptions of all users; MINE marks those that argus made
            on this machine. Endpoints are secrets, so argus shows only their ends, even with
            \(flag: "raw"); \(code: "argus api push/subscriptions") prints them as the server
            sends them.
            """,
        examples: ["argus push subscriptions": "All of them"],
        exitStatuses: .requests(ExitStatus(12, "A row of the list was malformed")),
        prints: .lists(SubscriptionView.fields))

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
