/// A sign-in with a password that the server remembers.
///
///     {"id":"741663ae-…","device_info":"Chrome on Linux","ip_address":"127.0.0.4",
///      "created_at":"2026-11-20T23:28:21Z","last_active_at":"2026-11-20T23:28:22Z",
///      "is_current":false}
package struct WebSession: Sendable, Equatable {
    package var id: String
    package var device: String?
    package var address: String?
    package var createdAt: Timestamp?
    package var lastActiveAt: Timestamp?
    /// Whether the token that asked belongs to it.
    package var isCurrent: Bool?

    /// Reads a row of the list; nil for a value without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        device = view["device_info"]?.string
        address = view["ip_address"]?.string
        createdAt = view["created_at"]?.string.flatMap(Timestamp.init(serverText:))
        lastActiveAt = view["last_active_at"]?.string.flatMap(Timestamp.init(serverText:))
        isCurrent = view["is_current"]?.bool
    }
}

/// The routes of web sessions.
package enum WebSessionRoutes {
    private static let sessions = "/api/v1/auth/sessions"

    /// Every session of the user, as the server wrote it.
    package static let list = Operation<Void, [JSONView]>(
        "sessions.list", purpose: "a list of web sessions",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, sessions)
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                guard let list = body.kind == .array ? body : body["sessions"] ?? body["data"],
                    list.kind == .array
                else { throw .malformed("the list of sessions has no sessions", answer) }
                return Array(list.elements)
            }
        ])

    /// Ends one session.
    ///
    /// The route that ends all others is not used: where a server does not know which session is
    /// the current one, it ends that too (backend-facts 2).
    package static let revoke = Operation<String, Void>(
        "sessions.revoke", purpose: "ending web sessions",
        routes: [
            Route(.current) { id in
                RouteRequest(.delete, sessions, id)
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            }
        ])
}
