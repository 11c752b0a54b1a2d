/// The routes that identify a server and use an account.
package enum AccountRoutes {
    /// Signs in with a user name and a password.
    package static let login = Operation<PasswordLogin, LoginAnswer>(
        "auth.login", purpose: "sign-in with a password",
        routes: [
            Route(.current) { login in
                var request = RouteRequest(.post, "/api/v1/auth/login")
                request.body = login.json
                request.isPublic = true
                return request
            } decode: { answer throws(APIError) in
                try LoginAnswer(answer)
            }
        ])

    /// Returns the account of the credentials.
    package static let me = Operation<Void, (user: User, view: JSONView)>(
        "auth.me", purpose: "a route that tells who is signed in",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, "/api/v1/auth/me")
            } decode: { answer throws(APIError) in
                let view = try ResponseBody.parse(answer)
                guard let user = User(view) else {
                    throw .malformed("the answer names no user", answer)
                }
                return (user, view)
            }
        ])

    /// Ends a session: that of the access token, or that of a refresh token.
    ///
    /// Today's server ignores a refresh token that comes with an access token, and reports success
    /// even if the access token has expired and nothing ends (backend-facts 2).
    package static let logout = Operation<Redacted<String>?, Void>(
        "auth.logout", purpose: "signing out on the server",
        routes: [
            Route(.current) { refreshToken in
                var request = RouteRequest(.post, "/api/v1/auth/logout")
                request.isPublic = refreshToken != nil
                request.body = JSONWriter.object { writer in
                    if let refreshToken {
                        writer.member("refresh_token", refreshToken.reveal())
                    }
                }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            }
        ])

    /// True if the server's first account exists; nil if it does not report that.
    package static let setupStatus = Operation<Void, Bool?>(
        "auth.setup-status", purpose: "its set-up state",
        routes: [
            Route(.current) { _ in
                open("/api/v1/auth/setup-status")
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)["setup_complete"]?.bool
            }
        ])

    /// Returns one event, which any credential may read: it proves a key (backend-facts 4).
    package static let probe = Operation<Void, Void>(
        "auth.probe", purpose: "a list of events",
        routes: [
            Route(.current) { _ in
                probe("/api/v1/events")
            } decode: { answer throws(APIError) in
                try EventRoutes.expectList(answer)
            },
            Route(.mobile) { _ in
                probe("/api/v1/mobile/events")
            } decode: { answer throws(APIError) in
                try EventRoutes.expectList(answer)
            },
        ])

    /// Returns the server's health; carries no credential.
    package static let health = Operation<Void, ServerHealth>(
        "server.health", purpose: "a health route",
        routes: [
            Route(.current, request: { _ in open("/health") }, decode: ServerHealth.read),
            Route(.documented, request: { _ in open("/api/v1/health") }, decode: ServerHealth.read),
            Route(.mobile, request: { _ in open("/") }, decode: ServerHealth.read),
        ])

    /// Returns the server's name and version; carries no credential.
    package static let root = Operation<Void, ServerHealth>(
        "server.root", purpose: "an identification",
        routes: [Route(.current, request: { _ in open("/") }, decode: ServerHealth.read)])

    private static func probe(_ path: String) -> RouteRequest {
        var request = RouteRequest(.get, path)
        request.query = [("limit", "1")]
        return request
    }

    private static func open(_ path: String) -> RouteRequest {
        var request = RouteRequest(.get, path)
        request.isPublic = true
        return request
    }
}

/// The server's public information.
///
///     {"status":"healthy","camera_count":2}   {"name":"ArgusAI API","version":"1.0.0"}
package struct ServerHealth: Sendable {
    package var status: String?
    package var name: String?
    package var version: String?

    static let read: @Sendable (HTTPResponse) throws(APIError) -> ServerHealth = {
        answer throws(APIError) in try ServerHealth(answer)
    }

    private init(_ answer: HTTPResponse) throws(APIError) {
        let body = try ResponseBody.parse(answer)
        status = body["status"]?.string
        name = body["name"]?.string
        version = body["version"]?.string
    }
}

/// A user name and password for the server.
package struct PasswordLogin: Sendable {
    package var username: String
    package var password: Redacted<String>

    package init(username: String, password: Redacted<String>) {
        self.username = username
        self.password = password
    }

    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("username", username)
            writer.member("password", password.reveal())
        }
    }
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
