package import ArgusCore
package import ArgusTransport

/// The routes that identify a server and use an account.
package enum AccountRoutes {
    /// Signs in with a user name and a password.
    package static let login = Operation<PasswordLogin, LoginAnswer>(
        "auth.login", feature: "sign-in with a password",
        Route(.current, LoginAnswer.init) { login in
            RouteRequest(.post, "/api/v1/auth/login").withoutCredential.sending { writer in
                writer.member("username", login.username)
                writer.member("password", login.password.reveal())
            }
        })

    /// Returns the account of the credentials.
    package static let me = Operation<Void, (user: User, view: JSONView)>(
        "auth.me", feature: "the account of a sign-in",
        Route(.current) {
            RouteRequest(.get, "/api/v1/auth/me")
        } decode: { answer throws(APIError) in
            let view = try ResponseBody.parse(answer)
            guard let user = User(view) else {
                throw .malformed("the answer names no user", answer)
            }
            return (user, view)
        })

    /// Ends a session: that of the access token, or that of a refresh token.
    ///
    /// Today's server ignores a refresh token that comes with an access token, and reports success
    /// even if the access token has expired and nothing ends (docs/compatibility.md, trap 9).
    package static let logout = Operation<Redacted<String>?, Void>(
        "auth.logout", feature: "signing out on the server",
        Route(.current, ResponseBody.expectDone) { refreshToken in
            let request = RouteRequest(.post, "/api/v1/auth/logout")
            guard let refreshToken else { return request.sending { _ in } }
            return request.withoutCredential.sending {
                $0.member("refresh_token", refreshToken.reveal())
            }
        })

    /// True if the server's first account exists; nil if it does not report that.
    package static let setupStatus = Operation<Void, Bool?>(
        "auth.setup-status", feature: "its set-up state",
        Route(.current) {
            RouteRequest(.get, "/api/v1/auth/setup-status").withoutCredential
        } decode: { answer throws(APIError) in
            try ResponseBody.parse(answer)["setup_complete"]?.bool
        })

    /// Returns one event, which any credential may read: it proves a key (docs/compatibility.md,
    /// trap 27).
    package static let probe = Operation<Void, Void>(
        "auth.probe", feature: "a list of events",
        Route(.current, expectEvents) { oneRow("/api/v1/events") },
        Route(.mobile, expectEvents) { oneRow("/api/v1/mobile/events") })

    /// Returns the server's health; carries no credential.
    package static let health = Operation<Void, ServerHealth>(
        "server.health", feature: "a health route",
        Route(.current, ServerHealth.init) { RouteRequest(.get, "/health").withoutCredential },
        Route(.documented, ServerHealth.init) {
            RouteRequest(.get, "/api/v1/health").withoutCredential
        },
        Route(.mobile, ServerHealth.init) { RouteRequest(.get, "/").withoutCredential })

    /// Returns the server's name and version; carries no credential.
    package static let root = Operation<Void, ServerHealth>(
        "server.root", feature: "an identification",
        Route(.current, ServerHealth.init) { RouteRequest(.get, "/").withoutCredential })

    private static func expectEvents(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        guard body.kind == .array || (body["events"] ?? body["data"])?.kind == .array else {
            throw .malformed("the list of events has no events", answer)
        }
    }

    private static func oneRow(_ path: String) -> RouteRequest {
        RouteRequest(.get, path, query: [("limit", "1")])
    }
}

/// The server's public information.
///
///     {"status":"healthy","camera_count":2}   {"name":"ArgusAI API","version":"1.0.0"}
package struct ServerHealth: Sendable {
    package var status: String?
    package var version: String?

    init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        status = body["status"]?.string
        version = body["version"]?.string
    }
}

/// A user name and password for the server.
package struct PasswordLogin: Sendable {
    package var username: String
    package var password: Redacted<String>
}

/// The tokens and the account in the answer to a login.
package struct LoginAnswer: Sendable {
    package var tokens: TokenGrant
    package var user: User
    package var mustChangePassword: Bool

    init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parseIfAny(answer)
        tokens = try TokenGrant(answer, body, of: "sign-in")
        user = body["user"].flatMap(User.init) ?? User(id: nil, username: nil)
        mustChangePassword = body["must_change_password"]?.bool ?? user.mustChangePassword ?? false
    }
}
