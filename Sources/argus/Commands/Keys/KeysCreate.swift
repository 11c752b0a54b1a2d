import ArgusKit
import CommandLineKit

extension NewAPIKey.Scope: Choice {}

/// The command `argus keys create`.
enum KeysCreate: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: KeyName
        var scopes: CommaSeparated<NewAPIKey.Scope>?
        var expiry: Expiry?
        var requestsPerMinute: Int?
        var outputFile: String?
    }

    static let about = CommandInfo(
        name: "create", summary: "Make an API key for a program",
        description: """
            The key is told this once. It is printed alone on stdout, or written to the new file
            that \(flag: "output-file") names, which only you can read. Today's servers do not check
            what a key is meant for: whoever has one can do all that needs no user.
            """,
        examples: [
            "argus keys create cron --output-file ~/.config/argus.key": "A key for a timer",
            "argus keys create backup --expires 90d --scopes read:events,read:cameras":
                "One that ends by itself",
        ],
        exitStatuses: .requests(), prints: .objects(KeyView.madeFields))

    static let flags: [Flag<Options>] = [
        .option(
            "scopes", value: "SCOPE[,SCOPE]", sets: \.scopes,
            "What it is meant for (read:events)"),
        .option("expires", value: "D|TIME", sets: \.expiry, "When it ends: 90d, or a date"),
        .option(
            "rate-limit", value: "N", sets: \.requestsPerMinute,
            "How often a minute it may be used"
        ).within(1...10_000),
        .option(
            "output-file", value: "FILE", sets: \.outputFile,
            "Write the key to a new FILE of mode 0600"
        ).completing(.file),
    ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "What the key is for, 1 to 255 characters")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: KeyView.madeFields, .operands(1), showsSecrets: options.outputFile == nil)
        try expectPlaceForKey(options, in: context)
        let new = try newKey(options, in: context)
        let server = try await context.server()
        // Made first: a key that was made and cannot be kept is lost.
        let file = try options.outputFile.map { (path) throws(Failure) in try begin(path) }
        let hold = SignalHold()
        defer { hold.end() }
        let made = try await server.attempt(
            "make an API key",
            await server.session.call(APIKeyRoutes.create, new, holding: hold))
        do {
            try handOver(made, from: server, to: file, options, with: printer, in: context)
        } catch {
            throw await takenBack(made.key, after: error, on: server)
        }
        guard let path = options.outputFile else { return }
        try context.report(
            MadeKey(key: made.key, secret: nil, path: path), with: printer,
            "the key '\(options.name.text)' is in '\(path)'")
    }

    private static func newKey(
        _ options: Options, in context: Context
    ) throws(Failure) -> NewAPIKey {
        NewAPIKey(
            name: options.name.text, scopes: options.scopes?.values ?? [.readEvents],
            expiresAt: try options.expiry?.moment(from: context.now(), in: context.timeZone),
            requestsPerMinute: options.requestsPerMinute)
    }

    /// Writes the secret of a new key to its file, or prints it.
    private static func handOver(
        _ made: (key: APIKey, secret: Redacted<String>?), from server: SignedInServer,
        to file: AtomicFile?, _ options: Options, with printer: Printer<MadeKey>,
        in context: Context
    ) throws(Failure) {
        guard let secret = made.secret else {
            throw Failure(.serverError, "'\(server.name)' sent a key that no request could carry")
        }
        if let file {
            try attempt(file.write(Array((secret.reveal() + "\n").utf8)), or: unwritable)
            return try attempt(file.commit(replacing: false), or: unwritable)
        }
        guard try context.isForMachines() else {
            try context.write(secret)
            return context.notice("this is the key '\(options.name.text)'; it is not shown again")
        }
        try printer.write(MadeKey(key: made.key, secret: secret, path: nil))
        try printer.finish()
    }

    /// - Throws: `Failure` 2 where the key, which is told only once, would be shown nowhere.
    private static func expectPlaceForKey(
        _ options: Options, in context: Context
    ) throws(Failure) {
        guard options.outputFile == nil, try context.isForMachines(),
            let fields = context.globals.fields?.values, !fields.contains("key")
        else { return }
        throw Failure(
            .usage, "--fields leaves out the key, which is told only once",
            hint: "add key to --fields, or give --output-file")
    }

    private static func begin(_ path: String) throws(Failure) -> AtomicFile {
        guard !FileContents.exists(path) else {
            throw unwritable(FileSystemError(.create, path, .exists))
        }
        return try attempt(AtomicFile(path, for: .state), or: unwritable)
    }

    /// Unlike other files, that of a key is never overwritten, so that no hint names `--force`.
    private static func unwritable(_ error: any Error) -> Failure {
        Failure(.failed, "\(error)")
    }

    /// Ends a key that nobody will ever have, and says what became of it.
    private static func takenBack(
        _ key: APIKey, after failure: Failure, on server: SignedInServer
    ) async -> Failure {
        // A reader that has gone is success elsewhere, where nothing is lost by it.
        var failure =
            failure.kind == .done
            ? Failure(
                .failed, "cannot write the output: its reader has gone",
                reason: Failure.stdoutReason) : failure
        do {
            try await server.attempt(
                "revoke the key again", await server.session.call(APIKeyRoutes.revoke, key.id))
            failure.message += "; the key was revoked again"
        } catch {
            failure.message += "; the key \(key.id) was made, and nobody has it: \(error.message)"
            failure.hint = "end it with 'argus keys revoke \(key.id)'"
        }
        return failure
    }
}

extension KeysCreate {
    /// What a key is for.
    struct KeyName: ArgumentValue, Equatable {
        var text: String

        init(argument: String) throws(ValueError) {
            text = try checkedName(argument, atMost: 255)
        }
    }

    /// When a key ends: so long from now, or a moment.
    enum Expiry: ArgumentValue, Equatable {
        case after(Duration)
        case at(TimeExpression)

        init(argument: String) throws(ValueError) {
            let isSpan = argument.last?.isLetter == true && argument.first?.isNumber == true
            if isSpan, let span = try? DurationText.parse(argument) {
                self = .after(span)
                return
            }
            do {
                self = .at(try TimeExpression(argument))
            } catch {
                throw ValueError("is neither a time from now such as 90d nor a date")
            }
        }

        /// The moment that is meant.
        ///
        /// - Throws: `Failure` 2 for one that has passed.
        func moment(from now: Timestamp, in zone: TimeZoneRules) throws(Failure) -> Timestamp {
            let moment =
                switch self {
                case .after(let span): now + span
                case .at(let time): time.resolve(asEnd: true, now: now, zone: zone)
                }
            guard moment > now else { throw Failure(.usage, "--expires: the time has passed") }
            return moment
        }
    }
}
