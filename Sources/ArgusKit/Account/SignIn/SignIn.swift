package import ArgusCore
package import ArgusTransport

/// Proves credentials to a server before they are stored.
package struct SignIn: Sendable {
    /// The pause between two sign-ins of a user, since tokens made within a second are identical
    /// and the second sign-in is then a plain-text 500 (docs/compatibility.md, trap 11).
    static let pauseAfterServerError: Duration = .milliseconds(1100)

    private let client: APIClient
    private let sleep: @Sendable (Duration) async -> Void
    private let hold: SignalHold?
    private let admit: @Sendable () async -> Bool

    /// Makes the sign-ins to one server; servers allow few.
    ///
    /// `hold` begins with the request for tokens, and the code that stores them ends it. `admit`
    /// counts each sign-in with a password before it is sent; false prevents it.
    package init(
        client: APIClient, sleep: @escaping @Sendable (Duration) async -> Void,
        holding hold: SignalHold? = nil,
        admit: @escaping @Sendable () async -> Bool = { true }
    ) {
        self.client = client
        self.sleep = sleep
        self.hold = hold
        self.admit = admit
    }

    /// True if the server's first account exists; nil if it does not report that.
    ///
    /// - Throws: `APIError` if the server is unreachable or not an ArgusAI server.
    package func serverHasAccount() async throws(APIError) -> Bool? {
        do throws(APIError) {
            return try await client.call(AccountRoutes.setupStatus, ())
        } catch {
            switch error.kind {
            case .unsupported, .unauthorized, .forbidden, .rateLimited, .rejected, .notFound:
                return nil
            default: throw error
            }
        }
    }

    /// Signs in with a password.
    ///
    /// A token in a cookie is tried as Bearer, then as a cookie; the answer has the form that worked.
    /// - Throws: `APIError`; `.unsupported` if the server has no sign-in with a password.
    package func signIn(_ login: PasswordLogin) async throws(APIError) -> LoginAnswer {
        var answer = try await answer(to: login)
        guard let cookie = answer.tokens.cookie else { return answer }
        let token = answer.tokens.accessToken
        do throws(APIError) {
            _ = try await owner(of: .bearer(token))
            answer.tokens.cookie = nil
        } catch  where error.kind == .unauthorized {
            _ = try await owner(of: .cookie(name: cookie, token))
        }
        return answer
    }

    private func answer(to login: PasswordLogin) async throws(APIError) -> LoginAnswer {
        do throws(APIError) {
            return try await attempt(login)
        } catch  where error.isCollision {
            await sleep(Self.pauseAfterServerError)
            return try await attempt(login)
        } catch  where error.kind == .rateLimited {
            var error = error
            // Today's server names no time; its limit is 5 sign-ins in 15 minutes.
            error.retryAfterSeconds = error.retryAfterSeconds ?? 900
            throw error
        }
    }

    private func attempt(_ login: PasswordLogin) async throws(APIError) -> LoginAnswer {
        guard await admit() else {
            throw APIError(.rateLimited, "argus has signed in too often in the last 15 minutes")
        }
        return try await client.call(AccountRoutes.login, login, holding: hold)
    }

    /// Returns the owner of a token, from its own claims if the server has no such route; an API key
    /// is proved, but names none.
    ///
    /// - Throws: `APIError.unauthorized` if the server refuses the token or key.
    package func owner(of authorization: Authorization) async throws(APIError) -> User {
        try await Session(client: client, authorization: authorization).whoAmI().user
            ?? User(id: nil, username: nil)
    }
}
