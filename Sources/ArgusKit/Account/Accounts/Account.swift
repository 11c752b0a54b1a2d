package import ArgusCore
package import ArgusTransport

/// A sign-in with a password, as the server lists it.
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
    /// True if the token of the request belongs to it.
    package var isCurrent: Bool?

    /// Decodes a row of the list; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        device = view["device_info"]?.string
        address = view["ip_address"]?.string
        createdAt = view["created_at"]?.timestamp
        lastActiveAt = view["last_active_at"]?.timestamp
        isCurrent = view["is_current"]?.bool
    }
}

/// The routes of web sessions.
package enum WebSessionRoutes {
    private static let sessions = "/api/v1/auth/sessions"

    /// Lists every session of the user.
    package static let list = Operation<Void, ListedRows<WebSession>>(
        "sessions.list", feature: "a list of web sessions",
        Route(.current, ResponseBody.rows("sessions", WebSession.init)) {
            RouteRequest(.get, sessions)
        })

    /// Ends one session; the route for all others may end the current one too.
    package static let revoke = Operation<String, Void>(
        "sessions.revoke", feature: "ending web sessions",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, sessions, $0) })
}

/// The current password of a user and the new one.
package struct PasswordChange: Sendable {
    /// The shortest password that servers accept, in characters.
    package static let shortest = 8

    package var current: Redacted<String>
    package var new: Redacted<String>

    package init(current: Redacted<String>, new: Redacted<String>) {
        self.current = current
        self.new = new
    }

    /// Changes the password of the signed-in user; the text of a 400 gives the reason.
    package static let route = Operation<PasswordChange, Void>(
        "auth.change-password", feature: "changing the password",
        Route(.current, ResponseBody.expectDone) { change in
            RouteRequest(.post, "/api/v1/auth/change-password").sending { writer in
                writer.member("current_password", change.current.reveal())
                writer.member("new_password", change.new.reveal())
            }
        })
}
