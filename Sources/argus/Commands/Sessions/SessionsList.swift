import ArgusKit
import CommandLineKit

/// The command `argus sessions list`.
enum SessionsList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List where you are signed in with your password",
        description: """
            Browsers and programs that signed in with the password; devices that were paired are in
            \(code: "argus devices"). Servers keep few sessions for each user and end the oldest
            when another begins.
            """,
        examples: ["argus sessions": "All of them; CURRENT marks this one"],
        exitStatuses: .requests(ExitStatus(12, "A row of the list was no session")),
        prints: .lists(SessionView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: SessionView.fields, .list)
        let server = try await context.server()
        let sessions = try await server.webSessions()
        for (session, view) in sessions {
            try printer.write(session, raw: view)
        }
        try printer.finish(whenEmpty: "there are no web sessions on '\(server.name)'")
        try server.expectNoUnreadableRows(sessions.unreadableRows, of: ("session", "sessions"))
    }
}

extension SignedInServer {
    /// Every web session with the server's own words for it.
    func webSessions() async throws(Failure) -> ListedRows<WebSession> {
        try await attempt("list web sessions", await session.call(WebSessionRoutes.list, ()))
    }
}
