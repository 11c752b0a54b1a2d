import ArgusAccount
import ArgusCore
import ArgusKit

/// Gets the secret that the user signs in with from options, files and the terminal.
enum LoginSecret {
    private static let usernameRemedy = "--username, --api-key-stdin or --token-stdin"
    private static let passwordRemedy = "--password-stdin or --password-file"

    /// Checks, before any server is contacted, that the options name a secret or a prompt is
    /// possible.
    ///
    /// - Throws: `Failure` 2 with the options to pass.
    static func expect(_ options: Login.Options, in context: Context) throws(Failure) {
        let isNamed = context.globals.tokenFile != nil || context.globals.apiKeyFile != nil
        if isNamed, options.namesSecret {
            throw Failure(.usage, "give only one of a password, an API key and a token")
        }
        if isNamed, options.remembers {
            throw Failure(.usage, "--remember stores a password, but none is given")
        }
        try GlobalOptions.expectReadable(options.passwordFile, of: "--password-file")
        try GlobalOptions.expectReadable(context.globals.tokenFile, of: "--token-file")
        try GlobalOptions.expectReadable(context.globals.apiKeyFile, of: "--api-key-file")
        guard !isNamed, !options.readsKey, !options.readsToken else { return }
        guard let username = options.username else {
            return try context.console.expectTerminal(for: "User name", otherwise: usernameRemedy)
        }
        guard !options.readsPassword, options.passwordFile == nil else { return }
        try context.console.expectTerminal(
            for: "Password of \(username.inQuotes)", otherwise: passwordRemedy)
    }

    /// Reads the secret that the options name, or prompts for it.
    static func obtain(
        _ options: Login.Options, for server: UnverifiedServer, in context: Context
    ) throws(Failure) -> SignInSecret {
        let what = "for '\(server.title)'"
        if options.readsKey { return .apiKey(try context.console.secretFromStdin(.visibleASCII)) }
        if options.readsToken { return .token(try context.console.secretFromStdin(.visibleASCII)) }
        if let path = context.globals.apiKeyFile {
            return .apiKey(try context.console.secret(inFile: path, .visibleASCII))
        }
        if let path = context.globals.tokenFile {
            return .token(try context.console.secret(inFile: path, .visibleASCII))
        }
        let username: String
        if let given = options.username {
            username = given
        } else {
            username = try context.console.ask("User name \(what): ", otherwise: usernameRemedy)
            if let problem = problem(ofUsername: username) { throw Failure(.usage, problem) }
        }
        if options.readsPassword {
            return .password(username: username, try context.console.secretFromStdin(.anyText))
        }
        if let path = options.passwordFile {
            return .password(username: username, try context.console.secret(inFile: path, .anyText))
        }
        let password = try context.console.askSecret(
            "Password of \(username) \(what): ", otherwise: passwordRemedy)
        return .password(username: username, password)
    }

    /// The fault of a user name; nil if it is valid.
    static func problem(ofUsername text: String) -> String? {
        if text.isEmpty { return "the user name is empty" }
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "the user name contains a control character" : nil
    }
}
