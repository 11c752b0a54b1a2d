import ArgusAccount
import ArgusCore
import ArgusTransport
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
        var fingerprint: CertificateFingerprint?

        var namesPassword: Bool { username != nil || readsPassword || passwordFile != nil }

        var promptsForPassword: Bool {
            !readsPassword && passwordFile == nil && !readsKey && !readsToken
        }

        var namesSecret: Bool { namesPassword || readsKey || readsToken }
    }

    static let about = CommandInfo(
        name: "login", summary: "Sign in to a server", effect: .changes,
        description: """
            Prompts for user and password, or reads the password with \(flag: "password-stdin") or
            \(flag: "password-file"). Stores the tokens that the server issues, not the password,
            and renews them as long as the server allows.

            What happens after that is your choice. \(flag: "keep-alive") makes an API key that
            takes over for events, cameras and pictures; \(command: "logout") revokes it.
            \(flag: "remember") stores the password, and argus signs in again. An API key or an
            access token can also replace the password: pass it on stdin.

            Without \(value: "URL"), argus signs in to the server in use. If it knows none, it
            searches the local network and lets you choose; without a terminal it takes only a
            server with the certificate of \(flag: "fingerprint"). If no server answers, it uses
            the relay in \(code: "relay_url") or \(code: "ARGUS_RELAY_URL").

            A second sign-in with the same URL and user updates the first; another user gets an
            entry of its own in \(command: "server list"). To replace the sign-in of a server,
            give its name, as the argument or with \(flag: "name"). The first server becomes the
            default.

            argus refuses plain http except to this machine. \(flag: "insecure-http") allows it
            for this scheme, host and port; for a private address, on the current network only.

            If the certificate is self-signed, argus shows its fingerprint and waits for a typed
            \(code: "yes"). Without a terminal, pass the fingerprint with \(flag: "fingerprint"),
            \(code: "ARGUS_FINGERPRINT") or the systemd credential \(code: "argus.fingerprint").
            See \(topic: "servers").
            """,
        examples: [
            "argus login https://home.example": "Prompt for user name and password",
            "argus login https://home.example --username ann --password-file secret":
                "Sign in without a terminal",
            "argus login https://home.example --api-key-stdin < key": "Use an API key",
            "argus login http://192.168.1.5:8000 --insecure-http":
                "Allow plain http to a server on this network",
        ],
        exitStatuses: .requests(), prints: .objects(AccountView.fields),
        guesses: ["server add", "add server", "signin", "connect"])

    static let flags: [Flag<Options>] = [
        .option("name", value: "NAME", sets: \.name, "Store the server under NAME"),
        .option("username", short: "u", value: "USER", sets: \.username, "Sign in as USER"),
        .toggle("password-stdin", sets: \.readsPassword, "Read the password from stdin"),
        .file("password-file", sets: \.passwordFile, "Read the password from FILE"),
        .toggle("api-key-stdin", sets: \.readsKey, "Read an API key from stdin"),
        .toggle("token-stdin", sets: \.readsToken, "Read an access token from stdin"),
        .toggle("remember", sets: \.remembers, "Store the password, to sign in again"),
        .keepAlive(\.keepsAlive),
        .toggle("insecure-http", sets: \.allowsInsecure, "Allow plain http to this server"),
        .fingerprint(\.fingerprint),
    ]

    static let arguments: [Argument<Options>] = [
        .optional("URL", sets: \.url, "The server's address, or the name of a known server")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if let problem = options.username.flatMap(LoginSecret.problem(ofUsername:)) {
            throw UsageError("--username: \(problem)")
        }
        let endpoints = [options.namesPassword, options.readsKey, options.readsToken].count { $0 }
        if endpoints > 1 {
            throw UsageError("give only one of a password, an API key and a token")
        }
        try UsageError.rejectBoth(
            "--password-stdin", options.readsPassword,
            "--password-file", options.passwordFile != nil)
        if options.remembers, options.readsKey || options.readsToken {
            throw UsageError("--remember stores a password, but none is given")
        }
        if options.keepsAlive, options.readsKey {
            throw UsageError("--keep-alive makes an API key, but one is given")
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
        try await expectAccount(on: unverified, in: context)
        let secret = try LoginSecret.obtain(options, for: unverified, in: context)
        let hold = SignInTransaction.hold()
        var account = try await prove(secret, to: unverified, holding: hold, in: context)
        if options.remembers { account.password = secret.password }
        let record = try await attempt(awaiting: await transaction.keep(account, at: unverified))
        hold.end()
        if account.mustChangePassword {
            context.console.warn(
                "the password of '\(account.username ?? "")' must be changed: run 'argus passwd'")
        }
        let server = try context.signedInServer(
            record, account.credential, from: record.credentialStore.name, renewing: true)
        try context.report(
            server.status(of: account.user), with: printer,
            "signed in to '\(record.name)' as \(account.displayName)")
        try await server.keepAlive(
            isWanted: options.keepsAlive, mayAsk: options.promptsForPassword, in: context)
    }

    /// Checks that the server answers and has an account, before the user is asked for one.
    ///
    /// - Throws: `Failure` 6 for a server that does not answer, 10 for one that is not set up.
    private static func expectAccount(
        on unverified: UnverifiedServer, in context: Context
    ) async throws(Failure) {
        let signIn = SignIn(client: unverified.client, sleep: context.sleep)
        let hasAccount = try await unverified.attempt("sign in", await signIn.serverHasAccount())
        guard hasAccount == false else { return }
        throw Failure(
            .rejected, "'\(unverified.title)' has no account yet",
            hint: "finish its set-up in a browser: \(unverified.client.address)",
            reason: "setup_unfinished")
    }

    private static func prove(
        _ secret: SignInSecret, to unverified: UnverifiedServer, holding hold: SignalHold,
        in context: Context
    ) async throws(Failure) -> VerifiedAccount {
        let budget = context.secrets.environment.budget
        let (origin, now) = (unverified.client.address.origin, context.now)
        let signIn = SignIn(client: unverified.client, sleep: context.sleep, holding: hold) {
            await budget.count(origin, at: now())
            return true
        }
        do {
            return try await unverified.attempt("sign in", await signIn.prove(secret, now: now))
        } catch  where error.kind == .unsupported {
            var failure = error
            let address = unverified.client.address
            failure.hint =
                address.basePath.isEmpty
                ? "check the address, with its port and path"
                : "check the address: without its path it is '\(address.origin)'"
            throw failure
        }
    }
}
