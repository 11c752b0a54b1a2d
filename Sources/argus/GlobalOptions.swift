import ArgusKit
import CommandLineKit

extension Via: Choice {}
extension OutputFormat: Choice {}
extension ColorChoice: Choice {}

/// A duration on the command line, such as `30s` or `500ms`.
struct DurationArgument: ArgumentValue, Equatable {
    static var placeholder: String { "DURATION" }

    var duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init(argument: String) throws(ValueError) {
        do {
            duration = try DurationText.parse(argument)
        } catch {
            throw ValueError("is not a duration: \(error)")
        }
    }
}

/// The options that every command has (contract section 1).
struct GlobalOptions: Sendable, Equatable {
    var server: String?
    var via: Via?
    var format: OutputFormat?
    var fields: CommaSeparated<String>?
    var hasNoHeader = false
    var isWide = false
    var hasNoPager = false
    var isRaw = false
    var utc: Bool?
    var color: ColorChoice?
    var isQuiet = false
    var verbosity = 0
    var trace: String?
    var timeout: DurationArgument?
    var retries: Int?
    var rateLimitWait: DurationArgument?
    var hasNoInput = false
    var tokenFile: String?
    var apiKeyFile: String?
    var passphraseFile: String?
    var authorities: String?
    var certificate: String?
    var key: String?

    static let flags: [Flag<GlobalOptions>] = output + connection + credentials

    /// Checks the rules across global options.
    func validate() throws(UsageError) {
        if tokenFile != nil, apiKeyFile != nil {
            throw UsageError("give --token-file or --api-key-file, not both")
        }
        if isRaw, fields != nil {
            throw UsageError(
                "--raw prints whole objects of the server, so --fields cannot choose",
                hint: "leave one of them out")
        }
        if let timeout, timeout.duration <= .zero {
            throw UsageError("--timeout must be more than 0")
        }
        if key != nil, certificate == nil { throw UsageError("--key needs --cert") }
    }

    /// Checks, before anything is sent, that the files of the connection can be read.
    ///
    /// - Throws: `Failure` 2 naming the option.
    func expectReadableFiles() throws(Failure) {
        try Self.expectReadable(authorities, of: "--cacert")
        try Self.expectReadable(certificate, of: "--cert")
        try Self.expectReadable(key, of: "--key")
    }

    /// Checks that the passphrase file, if given, can be read.
    ///
    /// - Throws: `Failure` 2 naming the option.
    func expectReadablePassphrase() throws(Failure) {
        try Self.expectReadable(passphraseFile, of: "--passphrase-file")
    }

    /// Checks, before anything is sent, that the file of an option, if given, can be read.
    ///
    /// - Throws: `Failure` 2 naming the option.
    static func expectReadable(_ path: String?, of option: String) throws(Failure) {
        guard let path else { return }
        try attempt(FileContents.expectReadable(path)) { Failure(.usage, "\(option): \($0)") }
    }

    private static let output: [Flag<GlobalOptions>] = [
        .option(
            "format", sets: \.format, in: "Output", "Print table, json, ndjson, csv or tsv",
            details: [
                "Lists know all five, other commands table, json and ndjson; see \(topic: "formats")."
            ]
        ).completing(.formats),
        .shorthand("json", sets: \.format, to: .json, in: "Output", "The same as --format json"),
        .option(
            "fields", value: "F,F", sets: \.fields, in: "Output", "Print these fields, in order"
        ).completing(.fields),
        .toggle("no-header", sets: \.hasNoHeader, in: "Output", "Leave out the line of headings"),
        .toggle(
            "wide", sets: \.isWide, in: "Output",
            "Show ids, times and texts whole, however wide the terminal is"),
        .toggle(
            "no-pager", sets: \.hasNoPager, in: "Output",
            "Print long help and lists without a pager"),
        .toggle(
            "raw", sets: \.isRaw, in: "Output", "Print the server's own objects (json, ndjson)"),
        .shorthand(
            "utc", sets: \.utc, to: true, in: "Output", "Show times in UTC instead of local time"),
        .option(
            "color", value: "WHEN", sets: \.color, in: "Output", "Use colour auto, always or never"),
        .toggle("quiet", short: "q", sets: \.isQuiet, in: "Output", "Print errors only"),
        .counter(
            "verbose", short: "v", sets: \.verbosity, in: "Output",
            "Report each step; repeat it for requests and timings"),
        .option(
            "trace", value: "FILE", sets: \.trace, in: "Output",
            "Write requests and answers to FILE, secrets redacted",
            details: ["A \(code: "-") is stderr. The file is readable by its owner only."]
        ).completing(.file),
    ]

    private static let connection: [Flag<GlobalOptions>] = [
        .option(
            "server", short: "s", value: "NAME|URL", sets: \.server, in: "Connection",
            "Use this server, by name or address",
            details: [
                "Without it, the rules of \(topic: "servers") decide.",
                """
                Lists of events, cameras, devices, sessions, keys and subscriptions take several \
                servers, \(code: "all") or \(code: "A,B"), queried in parallel; the field \
                \(code: "server") names them. Each lists as many rows as it would alone.
                """,
            ]
        ).completing(.dynamic("servers")),
        .option(
            "via", value: "KIND", sets: \.via, in: "Connection", "Connect by auto, local or relay"),
        .option(
            "timeout", sets: \.timeout, in: "Connection", "Wait this long for the first byte (30s)"),
        .option(
            "retries", value: "N", sets: \.retries, in: "Connection",
            "Try again N times when that is safe (2)"
        ).within(0...100),
        .optionalValue(
            "wait-rate-limit", value: "MAX", sets: \.rateLimitWait,
            bare: DurationArgument(.seconds(900)), in: "Connection",
            "Wait when the server refuses more requests (15m)"),
        .toggle("no-input", sets: \.hasNoInput, in: "Connection", "Never prompt"),
        .option(
            "cacert", value: "FILE", sets: \.authorities, in: "Connection",
            "Trust the certificate authorities in FILE"
        ).completing(.file),
        .option(
            "cert", value: "FILE", sets: \.certificate, in: "Connection",
            "Show the client certificate in FILE"
        ).completing(.file),
        .option(
            "key", value: "FILE", sets: \.key, in: "Connection",
            "The client certificate's key, when FILE is another"
        ).completing(.file),
    ]

    private static let credentials: [Flag<GlobalOptions>] = [
        .option(
            "token-file", value: "FILE", sets: \.tokenFile, in: "Credentials",
            "Use the access token in FILE for this run"
        ).completing(.file),
        .option(
            "api-key-file", value: "FILE", sets: \.apiKeyFile, in: "Credentials",
            "Use the API key in FILE for this run"
        ).completing(.file),
        .option(
            "passphrase-file", value: "FILE", sets: \.passphraseFile, in: "Credentials",
            "Seal stored credentials with the passphrase in FILE"
        ).completing(.file),
    ]
}
