import ArgusKit
import CommandLineKit

enum Login: ArgusCommand {
    struct Options: VerbOptions {
        var url: String?
        var name: String?
        var username: String?
        var readsPassword = false
        var passwordFile: String?
        var readsKey = false
        var readsToken = false
        var allowsInsecure = false
        var remembers = false
        var keepsAlive = false
        var fingerprint: Fingerprint?
    }

    static let about = CommandInfo(
        name: "login", summary: "Sign in to a server",
        description: """
            The password is prompted for without echo, or read from \(flag: "password-stdin") or
            \(flag: "password-file"). Scripts can use an API key or a token, which the server
            must accept before it is stored. Tokens are renewed automatically for as long as the
            server allows. Only \(flag: "remember") stores a password, to sign in again when nothing
            else is left. \(flag: "keep-alive") makes an API key with the sign-in, which serves what
            needs no user once the sign-in has ended; \(command: "logout") revokes it. On a terminal
            argus prompts for it.

            If no URL is given and no server is known, argus searches the local network and you
            choose; without a terminal it uses only a server with the certificate of
            \(flag: "fingerprint"). If none answers, it uses the relay of \(code: "relay_url") in
            the configuration or of \(code: "ARGUS_RELAY_URL").

            For a known address, the entry of that account is renewed, or one is added for another
            account. The name of a known server in place of the URL, \(flag: "name") with its name,
            or neither (the server in use) replaces the stored sign-in, and warns if it belonged to
            another account.

            The first server becomes the default. Plain http is refused except to this machine;
            \(flag: "insecure-http") allows it for exactly this scheme, host and port, and on a
            private network only there.

            A certificate that no public authority signed is shown on the terminal and trusted after
            a typed \(code: "yes"). Without a terminal, only its fingerprint in
            \(flag: "fingerprint"), \(code: "ARGUS_FINGERPRINT") or the unit's credential
            \(code: "argus.fingerprint") makes it trusted. See \(topic: "servers").
            """,
        examples: [
            "argus login https://home.example": "Prompt for user name and password",
            "argus login https://home.example --username ann --password-file secret":
                "Sign in without a terminal",
            "argus login https://home.example --api-key-stdin < key": "Use an API key",
            "argus login http://192.168.1.5:8000 --insecure-http":
                "Allow plain http to a server on this network",
        ],
        exitStatuses: .requests(), prints: .objects(AccountView.fields))

    static let flags: [Flag<Options>] = [
        .option("name", value: "NAME", sets: \.name, "Call the server NAME from now on"),
        .option("username", short: "u", value: "USER", sets: \.username, "Sign in as USER"),
        .toggle("password-stdin", sets: \.readsPassword, "Read the password from stdin"),
        .option(
            "password-file", value: "FILE", sets: \.passwordFile, "Read the password from FILE"
        ).completing(.file),
        .toggle("api-key-stdin", sets: \.readsKey, "Read an API key from stdin"),
        .toggle("token-stdin", sets: \.readsToken, "Read an access token from stdin"),
        .toggle("remember", sets: \.remembers, "Keep the password, to sign in again"),
        .keepAlive(\.keepsAlive),
        .toggle("insecure-http", sets: \.allowsInsecure, "Allow plain http to this server"),
        .fingerprint(\.fingerprint),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("URL", sets: \.url, "The server's address, or the name of one that is known")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if let problem = options.username.flatMap(LoginSecret.problem(ofUsername:)) {
            throw UsageError("--username: \(problem)")
        }
        let endpoints = [options.namesPassword, options.readsKey, options.readsToken].count { $0 }
        if endpoints > 1 {
            throw UsageError("give a password, an API key or a token, only one of them")
        }
        try UsageError.rejectBoth(
            "--password-stdin", options.readsPassword,
            "--password-file", options.passwordFile != nil)
        if options.remembers, options.readsKey || options.readsToken {
            throw UsageError("--remember keeps a password, and none is given")
        }
        if options.keepsAlive, options.readsKey {
            throw UsageError("--keep-alive makes an API key, and one is given")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: AccountView.fields, .operands(1))
        try LoginSecret.expect(options, in: context)
        let transaction = try context.signInTransaction()
        try await attempt(awaiting: await transaction.expectStorable())
        let target = SignInTarget(
            url: options.url, name: options.name, username: options.username,
            allowsPlainHTTP: options.allowsInsecure)
        let unverified = try await ServerPrompts(context).server(
            for: target, fingerprint: options.fingerprint)
        let secret = try LoginSecret.obtain(options, for: unverified, in: context)
        let hold = SignInTransaction.hold()
        var account = try await prove(secret, to: unverified, holding: hold, in: context)
        if options.remembers { account.password = secret.password }
        let record = try await attempt(awaiting: await transaction.keep(account, at: unverified))
        hold.end()
        if account.mustChangePassword {
            context.console.warn("the password of '\(account.username ?? "")' must be changed")
        }
        let server = try context.signedInServer(
            record, account.credential, from: record.credentialStore.name, renewing: true)
        try context.report(
            server.status(of: account.user), with: printer,
            "signed in to '\(record.name)' as \(account.displayName)")
        try await KeepAlive(isWanted: options.keepsAlive, mayAsk: options.promptsForPassword)
            .finish(server, in: context)
    }

    /// Signs in with a secret at a server that has proved its identity.
    private static func prove(
        _ secret: SignInSecret, to unverified: UnverifiedServer, holding hold: SignalHold,
        in context: Context
    ) async throws(Failure) -> VerifiedAccount {
        let budget = context.secrets.budget
        let (origin, now) = (unverified.client.address.origin, context.now)
        let signIn = SignIn(client: unverified.client, sleep: context.sleep, holding: hold) {
            await budget.count(origin, at: now())
            return true
        }
        guard try await unverified.attempt("sign in", await signIn.isSetUp()) != false else {
            throw Failure(
                .rejected, "'\(unverified.title)' has no account yet",
                hint: "finish its set-up in a browser at \(unverified.client.address)",
                reason: "setup_unfinished")
        }
        return try await unverified.attempt("sign in", await signIn.prove(secret, now: now))
    }
}

extension Login.Options {
    var namesPassword: Bool { username != nil || readsPassword || passwordFile != nil }

    /// True if the password is typed at a prompt.
    var promptsForPassword: Bool {
        !readsPassword && passwordFile == nil && !readsKey && !readsToken
    }

    var namesSecret: Bool { namesPassword || readsKey || readsToken }
}
