import ArgusAccount
import ArgusCore
import CommandLineKit

extension NewAPIKey.Scope: Choice {}

enum KeysCreate: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: LimitedName<255>
        var scopes: CommaSeparated<NewAPIKey.Scope>?
        var expiry: Expiry?
        var requestsPerMinute: Int?
        var outputFile: String?
    }

    static let about = CommandInfo(
        name: "create", summary: "Create an API key for a program", effect: .changes,
        description: """
            Shows the key once only: on stdout, or in the new file of \(flag: "output-file"),
            which only you can read.

            Warning: today's servers ignore scopes, so every key can do everything except what
            needs a user.
            """,
        examples: [
            "argus keys create cron --output-file ~/.config/argus/api-key": "A key for timers",
            "argus keys create backup --expires 90d --scopes read:events,read:cameras":
                "One that ends by itself",
        ],
        exitStatuses: .requests(), prints: .objects(KeyView.madeFields))

    static let flags: [Flag<Options>] = [
        .list(
            "scopes", value: "SCOPE[,SCOPE]", adds: \.scopes,
            "The permissions of the key"
        ).byDefault("read:events"),
        .option("expires", value: "D|TIME", sets: \.expiry, "When it expires: 90d, or a date"),
        .option(
            "rate-limit", value: "N", sets: \.requestsPerMinute,
            "Allow at most N requests per minute"
        )
        .within(1...10_000),
        .file("output-file", sets: \.outputFile, "Write the key to a new FILE of mode 0600"),
    ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "The purpose of the key, 1 to 255 characters")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let path = options.outputFile
        let printer = try context.printer(of: KeyView.madeFields, .operands(1))
        if path == nil { try expectKeyAmongFields(in: context) }
        let new = NewAPIKey(
            name: options.name.text, scopes: options.scopes?.values ?? [.readEvents],
            expiresAt: try options.expiry?.moment(on: LocalCalendar(of: context)),
            requestsPerMinute: options.requestsPerMinute)
        let server = try await context.server()
        // Opened before the request, since a key that cannot be written is lost.
        let file = try path.map { (path) throws(Failure) in try begin(path, in: context) }
        let hold = SignalHold()
        defer { hold.end() }
        let made = try await server.attempt(
            "make an API key", await server.session.call(APIKeyRoutes.create, new, holding: hold))
        do {
            try handOver(made, new.name, of: server, to: file, with: printer, in: context)
        } catch {
            throw await revoking(made.key, after: error, on: server)
        }
        guard let path else { return }
        let key = MadeKey(key: made.key, secret: nil, path: path)
        try context.report(key, with: printer, "the key '\(new.name)' is in '\(path)'")
    }

    private static func expectKeyAmongFields(in context: Context) throws(Failure) {
        let fields = context.globals.fields?.values
        guard try context.isForMachines(), fields?.contains("key") == false else { return }
        throw Failure(
            .usage, "--fields leaves out the key, which is shown only once",
            hint: "add key to --fields, or give --output-file")
    }

    private static func begin(_ path: String, in context: Context) throws(Failure) -> AtomicFile {
        guard !FileContents.exists(path) else {
            throw unwritable(FileSystemError(.create, path, .exists))
        }
        // On a machine without settings argus's own folder does not exist yet.
        if case .folder(let own) = context.system.paths.configuration, path.hasPrefix(own + "/") {
            try attempt(PrivateFolder.prepare(own), or: unwritable)
        }
        let file = try attempt(AtomicFile(path, for: .state), or: unwritable)
        try attempt(file.reserve(SecretText.tokenLimit), or: unwritable)
        return file
    }

    /// Writes the secret of a new key to its file, or prints it.
    private static func handOver(
        _ made: (key: APIKey, secret: Redacted<String>?), _ name: String, of server: SignedInServer,
        to file: AtomicFile?, with printer: Printer<MadeKey>, in context: Context
    ) throws(Failure) {
        guard let secret = made.secret else {
            throw Failure(.serverError, "'\(server.name)' sent a key that no request could carry")
        }
        if let file {
            try attempt(file.write(Array((secret.reveal() + "\n").utf8)), or: unwritable)
            return try attempt(file.commit(replacing: false), or: unwritable)
        }
        guard try !context.isForMachines() else {
            return try printer.writeOnly(MadeKey(key: made.key, secret: secret, path: nil))
        }
        try context.write(secret)
        context.console.notice("this is the key '\(name)'; it is shown only once")
    }

    /// A key file is never overwritten, so no hint names `--force`.
    private static func unwritable(_ error: any Error) -> Failure {
        Failure(.failed, "\(error)")
    }

    /// Revokes a key whose secret is lost, and adds the result to the failure.
    private static func revoking(
        _ key: APIKey, after failure: Failure, on server: SignedInServer
    ) async -> Failure {
        var failure = failure
        // A closed pipe is a success in other commands, which lose nothing by it.
        if failure.kind == .done {
            failure = Failure(
                .failed, "cannot write the output: the pipe is closed",
                reason: Failure.stdoutReason)
        }
        do {
            try await server.attempt(
                "revoke the key again", await server.session.call(APIKeyRoutes.revoke, key.id))
            failure.message += "; the key was revoked again"
        } catch {
            failure.message +=
                "; the key \(key.id) was made, but could not be delivered: \(error.message)"
            failure.hint = "end it with 'argus keys revoke \(key.id)'"
        }
        return failure
    }

    /// The expiry of a key: a duration from now, or a time.
    enum Expiry: ArgumentValue, Equatable {
        case after(Duration)
        case at(TimeExpression)

        init(argument: String) throws(ValueError) {
            let isSpan = argument.last?.isLetter == true && argument.first?.isNumber == true
            if isSpan, let span = DurationText.parse(argument) {
                self = .after(span)
            } else if let time = try? TimeExpression(argument) {
                self = .at(time)
            } else {
                throw ValueError("is neither a time from now such as 90d nor a date")
            }
        }

        func moment(on calendar: LocalCalendar) throws(Failure) -> Timestamp {
            let moment =
                switch self {
                case .after(let span): calendar.now + span
                case .at(let time): time.resolve(asEnd: true, on: calendar, after: calendar.now)
                }
            guard moment > calendar.now else {
                throw Failure(.usage, "--expires: the time is in the past")
            }
            return moment
        }
    }
}
