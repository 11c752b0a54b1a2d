package import ArgusCore
package import ArgusTransport

/// The secret with which a user signs in.
package enum SignInSecret: Sendable {
    case password(username: String, Redacted<String>)
    case apiKey(Redacted<String>)
    case token(Redacted<String>)

    /// The password; nil for another secret.
    package var password: Redacted<String>? {
        if case .password(_, let password) = self { password } else { nil }
    }
}

extension SignIn {
    /// Proves a secret to the server, so that no wrong one is ever stored.
    ///
    /// - Throws: `APIError`; `.unauthorized` if the server refuses the secret.
    package func prove(
        _ secret: SignInSecret, now: @Sendable () -> Timestamp
    ) async throws(APIError) -> VerifiedAccount {
        switch secret {
        case .password(let username, let password):
            let answer = try await signIn(PasswordLogin(username: username, password: password))
            let user = answer.user.withoutSecrets(calledBy: username)
            let received = now()
            let session = StoredSession(
                kind: .web, grant: answer.tokens, at: received, username: user.username)
            return VerifiedAccount(
                kind: .password, user: user, credential: .session(session),
                mustChangePassword: answer.mustChangePassword,
                clockOffset: answer.tokens.serverTime.map {
                    ClockOffset.measured(serverTime: $0, now: received)
                })
        case .token(let token):
            let user = try await owner(of: .bearer(token)).withoutSecrets()
            return VerifiedAccount(
                kind: .token, user: user, credential: .session(StoredSession(imported: token)),
                mustChangePassword: user.mustChangePassword ?? false)
        case .apiKey(let key):
            _ = try await owner(of: .apiKey(key))
            return VerifiedAccount(kind: .apiKey, credential: .apiKey(key))
        }
    }
}
