package import ArgusCore

/// A credential for a single run that does not come from the store (docs/scripting.md, "Credentials
/// for timers").
package struct ExplicitCredential: Sendable {
    package var credential: Credential
    /// The origin that `whoami` prints: `--token-file`, `ARGUS_API_KEY`, and so on.
    package var source: String
    /// The file that holds it; nil for a variable.
    package var path: String?
    /// The permission bits if other users may read the file, for a warning.
    package var modeOpenToOthers: UInt32?
}

/// The secrets of the command line, the environment and the service manager, by precedence.
package struct CredentialOverrides: Sendable {
    /// The path of `--token-file`.
    package var tokenFile: String?
    /// The path of `--api-key-file`.
    package var apiKeyFile: String?
    /// The path of `--passphrase-file`.
    package var passphraseFile: String?
    package var environment: Environment

    package init(
        tokenFile: String? = nil, apiKeyFile: String? = nil, passphraseFile: String? = nil,
        environment: Environment
    ) {
        self.tokenFile = tokenFile
        self.apiKeyFile = apiKeyFile
        self.passphraseFile = passphraseFile
        self.environment = environment
    }

    /// Finds the credential of this run; nil means that the store decides.
    ///
    /// Looks at the files of options, then `ARGUS_TOKEN`, `ARGUS_TOKEN_FILE`, `ARGUS_API_KEY`,
    /// `ARGUS_API_KEY_FILE`, then `argus.token` or `argus.api-key` in `$CREDENTIALS_DIRECTORY`.
    /// - Throws: `.tokenAndKey` if one level has both, `.secret` for an unusable one.
    package func resolve() throws(AccountError) -> ExplicitCredential? {
        if tokenFile != nil, apiKeyFile != nil {
            throw .tokenAndKey("--token-file", "--api-key-file")
        }
        if let tokenFile { return try file(tokenFile, .token, "--token-file") }
        if let apiKeyFile { return try file(apiKeyFile, .apiKey, "--api-key-file") }
        for (name, kind) in [("ARGUS_TOKEN", Kind.token), ("ARGUS_API_KEY", .apiKey)] {
            if let text = environment[name] { return try variable(text, kind, name) }
            if let path = environment[name + "_FILE"] {
                return try file(path, kind, name + "_FILE")
            }
        }
        let folder = "$CREDENTIALS_DIRECTORY/"
        let (token, key) = (serviceFile("argus.token"), serviceFile("argus.api-key"))
        if token != nil, key != nil {
            throw .tokenAndKey(folder + "argus.token", folder + "argus.api-key")
        }
        if let token { return try file(token, .token, folder + "argus.token") }
        if let key { return try file(key, .apiKey, folder + "argus.api-key") }
        return nil
    }

    /// Finds the passphrase of the sealed store; nil if there is none.
    ///
    /// Looks at `--passphrase-file`, then `argus.passphrase` in `$CREDENTIALS_DIRECTORY`.
    /// - Throws: `AccountError` if the file is unusable.
    package func passphrase() throws(AccountError) -> Redacted<[UInt8]>? {
        guard let path = passphraseFile ?? serviceFile("argus.passphrase") else { return nil }
        return Redacted(
            Array(try SecretFile(path, as: .passphrase, environment).secret.reveal().utf8))
    }

    /// The path of a file from the service manager (systemd.exec(5)); nil if there is none.
    package func serviceFile(_ name: String) -> String? {
        guard let folder = environment.serviceFolder else { return nil }
        let path = folder + "/" + name
        return FileContents.exists(path) ? path : nil
    }

    private enum Kind {
        case token, apiKey

        func credential(_ secret: Redacted<String>) -> Credential {
            self == .token ? .session(StoredSession(imported: secret)) : .apiKey(secret)
        }
    }

    private func variable(
        _ text: String, _ kind: Kind, _ name: String
    ) throws(AccountError) -> ExplicitCredential {
        let secret = try SecretText.parse(Array(text.utf8), as: .visibleASCII, from: name)
        return ExplicitCredential(credential: kind.credential(secret), source: name)
    }

    private func file(
        _ path: String, _ kind: Kind, _ source: String
    ) throws(AccountError) -> ExplicitCredential {
        let file = try SecretFile(path, as: .visibleASCII, environment)
        return ExplicitCredential(
            credential: kind.credential(file.secret), source: source, path: path,
            modeOpenToOthers: file.modeOpenToOthers)
    }
}

extension StoredSession {
    /// Makes a session for a token that the user provided, with the expiry in the token.
    package init(imported token: Redacted<String>) {
        let claims = JWTClaims(token)
        self.init(
            kind: .imported, accessToken: token, username: claims?.username,
            expiresAt: claims?.expiresAt, issuedAt: claims?.issuedAt)
    }
}
