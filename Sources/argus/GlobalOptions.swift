import ArgusAccount
import ArgusCore
package import CommandLineKit

extension Via: Choice {}
extension ColorChoice: Choice {}

extension OutputFormat: Choice {
    package static func remedy(for word: String) -> String? {
        let near = hint(forMistyped: word, among: allCases.map(\.rawValue))
        let isLines = ["jsonl", "jsonlines"].contains(word)
        if ["openmetrics", "prometheus"].contains(word) {
            return "'argus check --openmetrics' prints that"
        }
        return (isLines ? didYouMean([Self.ndjson.rawValue]) : near)
            ?? "'argus help formats' explains them"
    }
}

/// A duration on the command line, such as `30s` or `500ms`.
extension Duration: ArgumentValue {
    package static var placeholder: String { "DURATION" }

    package init(argument: String) throws(ValueError) {
        guard let duration = DurationText.parse(argument) else {
            throw ValueError("is not a duration: \(DurationText.forms)")
        }
        self = duration
    }
}

/// The options that every command has.
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
    var hasLocalTimes = false
    var color: ColorChoice?
    var isQuiet = false
    var verbosity = 0
    var trace: String?
    var timeout: Duration?
    var retries: Int?
    var rateLimitWait: Duration?
    var hasNoInput = false
    var tokenFile: String?
    var apiKeyFile: String?
    var passphraseFile: String?
    var authorities: String?
    var certificate: String?
    var key: String?

    static let flags: [Flag<GlobalOptions>] =
        output.map { $0.inSection("Output") } + connection.map { $0.inSection("Connection") }
        + credentials.map { $0.inSection("Credentials") }

    func validate() throws(UsageError) {
        if tokenFile != nil, apiKeyFile != nil {
            throw UsageError("give --token-file or --api-key-file, not both")
        }
        if isRaw, fields != nil {
            throw UsageError(
                "--raw prints the server's whole objects, so it excludes --fields",
                hint: "leave out one of them")
        }
        if utc == true, hasLocalTimes { throw UsageError("give --utc or --local-times, not both") }
        if let timeout, timeout <= .zero {
            throw UsageError("--timeout must be more than 0")
        }
        if key != nil, certificate == nil { throw UsageError("--key needs --cert") }
    }

    /// Checks, before anything is sent, that the files of the connection can be read.
    func expectReadableFiles() throws(Failure) {
        try Self.expectReadable(authorities, of: "--cacert")
        try Self.expectReadable(certificate, of: "--cert")
        try Self.expectReadable(key, of: "--key")
    }

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
            "format", sets: \.format, "Print table, json, ndjson, csv or tsv",
            details: [
                "Lists support all five, other commands table, json and ndjson; see \(topic: "formats")."
            ]
        ).completing(.formats).guessed(
            Guess("csv", as: "csv"), Guess("tsv", as: "tsv"), Guess("ndjson", as: "ndjson"),
            Guess("jsonl", as: "ndjson"), Guess("table", as: "table"), "output", "o"),
        .shorthand("json", sets: \.format, to: .json, "The same as --format json"),
        .list("fields", value: "F,F", adds: \.fields, "Print these fields, in this order")
            .completing(.fields),
        .toggle("no-header", sets: \.hasNoHeader, "Leave out the header line"),
        .toggle("wide", sets: \.isWide, "Show ids, times and texts in full, however wide"),
        .toggle("no-pager", sets: \.hasNoPager, "Do not show long help and lists in a pager"),
        .toggle("raw", sets: \.isRaw, "Print the server's own objects (json, ndjson)"),
        .shorthand("utc", sets: \.utc, to: true, "Show times in UTC instead of local time"),
        .toggle(
            "local-times", sets: \.hasLocalTimes, "Print local times for spreadsheets (csv, tsv)",
            details: [
                """
                In csv and tsv a time is then local and without fraction and zone, as in \
                \(code: "2026-11-26 11:07:03"). Tables show local times anyway; json and ndjson \
                have UTC only.
                """
            ]),
        .option("color", value: "WHEN", sets: \.color, "Use colour").byDefault("auto"),
        .toggle("quiet", short: "q", sets: \.isQuiet, "Print errors only"),
        .counter(
            "verbose", short: "v", sets: \.verbosity,
            "Print each step; twice (-vv), also requests and timings"),
        .file(
            "trace", sets: \.trace, "Log requests and answers to FILE, without secrets",
            details: ["\(code: "-") means stderr. Only you can read the file."]),
    ]

    private static let connection: [Flag<GlobalOptions>] = [
        .option(
            "server", short: "s", value: "NAME|URL", sets: \.server,
            "Use the server with this name or address",
            details: [
                "For the default, see \(topic: "servers").",
                """
                Lists of events, cameras, devices, sessions, keys, subscriptions and waiting \
                devices, \(command: "events stats"), \(command: "cameras snapshot") and \
                \(command: "whoami") also take \
                \(code: "all") or \(code: "A,B"). argus then queries these servers in parallel and \
                prints one list with the field \(code: "server"); \(code: "-n") applies to each server.
                """,
            ]
        ).completing(.dynamic("server-choice")),
        .option("via", value: "KIND", sets: \.via, "Use addresses of this kind")
            .byDefault("auto"),
        .option(
            "timeout", sets: \.timeout,
            "Give up if the server has not begun to answer after DURATION"
        ).byDefault("30s"),
        .option(
            "retries", value: "N", sets: \.retries,
            "Retry requests that change nothing up to N times"
        ).within(0...100).byDefault("2"),
        .optionalValue(
            "wait-rate-limit", value: "MAX", sets: \.rateLimitWait, bare: .seconds(900),
            "When the server limits requests, wait up to MAX and go on"
        ).byDefault("15m"),
        .toggle("no-input", sets: \.hasNoInput, "Never prompt"),
        .file("cacert", sets: \.authorities, "Trust the certificate authorities in FILE"),
        .file("cert", sets: \.certificate, "Use the client certificate in FILE"),
        .file("key", sets: \.key, "The key of the client certificate, if not in its file"),
    ]

    private static let credentials: [Flag<GlobalOptions>] = [
        .file("token-file", sets: \.tokenFile, "Use the access token in FILE for this run"),
        .file("api-key-file", sets: \.apiKeyFile, "Use the API key in FILE for this run"),
        .file(
            "passphrase-file", sets: \.passphraseFile,
            "Passphrase that encrypts the stored credentials"),
    ]
}
