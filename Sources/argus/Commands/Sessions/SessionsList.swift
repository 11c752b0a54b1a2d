import ArgusAccount
import ArgusKit
import ArgusTransport
import CommandLineKit

enum SessionsList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List your sessions in browsers and programs", effect: .reads,
        description: """
            Lists sign-ins with the password, of browsers and programs; \(command: "devices list")
            lists paired devices. Servers keep only a few sessions for each user, and end the
            oldest when another one begins.
            """,
        examples: ["argus sessions": "All of them; CURRENT marks this one"],
        exitStatuses: .requests(.malformedRow), prints: .lists(SessionView.fields))

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: SessionView.fields, .list)
        let agent = server.session.client.userAgent
        // Servers recognise browsers only, and list argus as "Unknown Browser on Linux".
        let sessions = try await server.webSessions().mapValues { session in
            var session = session
            if session.isCurrent == true { session.device = agent }
            return session
        }
        context.cache(for: server)?.remember(sessions: sessions.values)
        try printer.writeList(
            sessions, of: ("session", "sessions"), on: server,
            whenEmpty: "there are no web sessions on '\(server.name)'")
    }
}

extension SignedInServer {
    func webSessions() async throws(Failure) -> ListedRows<WebSession> {
        try await attempt("list web sessions", await session.call(WebSessionRoutes.list, ()))
    }
}
