import ArgusKit

/// What a person signs in with.
enum LoginSecret: Sendable {
    case password(username: String, Redacted<String>)
    case apiKey(Redacted<String>)
    case token(Redacted<String>)

    /// Reads what the options name, or asks on the terminal.
    static func obtain(
        _ options: Login.Options, for server: Newcomer, in context: Context
    ) throws(Failure) -> LoginSecret {
        let named = context.globals.tokenFile != nil || context.globals.apiKeyFile != nil
        if named, options.namesSecret {
            throw Failure(.usage, "give a password, an API key or a token, only one of them")
        }
        let what = "for '\(server.name)'"
        if options.readsKey { return .apiKey(try context.secretFromStdin(.visibleASCII)) }
        if options.readsToken { return .token(try context.secretFromStdin(.visibleASCII)) }
        if let path = context.globals.apiKeyFile {
            return .apiKey(try context.secret(inFile: path, .visibleASCII))
        }
        if let path = context.globals.tokenFile {
            return .token(try context.secret(inFile: path, .visibleASCII))
        }
        let username: String
        if let given = options.username {
            username = given
        } else {
            username = try context.ask(
                "User name \(what): ",
                otherwise: "--username, --api-key-stdin or --token-stdin")
        }
        if options.readsPassword {
            return .password(username: username, try context.secretFromStdin(.anyText))
        }
        if let path = options.passwordFile {
            return .password(username: username, try context.secret(inFile: path, .anyText))
        }
        let password = try context.askSecret(
            "Password of \(username) \(what): ",
            otherwise: "--password-stdin or --password-file")
        return .password(username: username, password)
    }

    /// The password, where that is the secret.
    var password: Redacted<String>? {
        if case .password(_, let password) = self { password } else { nil }
    }

    /// Proves the secret to the server, so that nothing wrong is ever stored.
    func prove(
        to signIn: SignIn, now: @Sendable () -> Timestamp
    ) async throws(APIError) -> ProvedAccount {
        switch self {
        case .password(let username, let password):
            let answer = try await signIn.signIn(
                PasswordLogin(username: username, password: password))
            var user = answer.user
            user.username = user.username ?? username
            let received = now()
            let session = StoredSession(
                kind: .web, grant: answer.tokens, at: received, username: user.username)
            var account = ProvedAccount(
                kind: .password, user: user, credential: .session(session),
                mustChangePassword: answer.mustChangePassword)
            account.clockOffset = answer.tokens.serverTime.map {
                ClockOffset.measured(serverTime: $0, now: received)
            }
            return account
        case .token(let token):
            let user = try await signIn.prove(token: token)
            return ProvedAccount(
                kind: .token, user: user, credential: .session(StoredSession(imported: token)),
                mustChangePassword: user.mustChangePassword ?? false)
        case .apiKey(let key):
            try await signIn.prove(key: key)
            return ProvedAccount(
                kind: .apiKey, user: nil, credential: .apiKey(key),
                mustChangePassword: false)
        }
    }
}
