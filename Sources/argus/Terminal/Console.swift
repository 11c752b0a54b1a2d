import ArgusAccount
import ArgusCore
import ArgusEvents

/// The messages and prompts of a run; results go through `Printer`.
struct Console: Sendable {
    private let system: SystemEnvironment
    private let globals: GlobalOptions
    /// The words of the command, such as `queue drop`, for its questions.
    private let command: String
    /// False if prompts are forbidden.
    var mayAsk: @Sendable () throws(Failure) -> Bool = { true }
    /// The terminal, with the colours that the user chose; the configuration may choose them too.
    var terminal: @Sendable () -> Terminal
    /// Contains true once the run has warned about repaired text.
    private let repairs = SeenSet<Bool>()
    /// The faults of the time zone about which the run has warned.
    private let zoneFaults = SeenSet<String>()

    init(_ system: SystemEnvironment, _ globals: GlobalOptions, command: String) {
        (self.system, self.globals, self.command) = (system, globals, command)
        terminal = {
            var terminal = system.streams.terminal
            terminal.applyColor(globals.color ?? .auto, environment: system.environment.variables)
            return terminal
        }
    }

    var streams: Streams { system.streams }
    var isQuiet: Bool { globals.isQuiet }

    /// The local time zone; warns once if `TZ` names none, so that UTC replaces it.
    var timeZone: TimeZoneRules {
        let zone = system.localZone
        if let fault = zone.fault, zoneFaults.insert(fault) { warn(fault) }
        return zone.rules
    }

    /// Prints a sentence about the result to stderr, except in quiet runs.
    func notice(_ sentence: String) {
        if !isQuiet { noticeAlways(sentence) }
    }

    func noticeAlways(_ sentence: String) { write("", nil, sentence) }

    /// Prints the count below a list, except in quiet runs.
    func count(_ sentence: String, in style: Style) {
        guard !isQuiet else { return }
        streams.writeError("\n" + style.dim(Sanitizer.visible(sentence)) + "\n")
    }

    /// Prints a warning; the run continues.
    func warn(_ sentence: String) {
        if !isQuiet { write("argus: warning: ", .yellow, sentence) }
    }

    /// Prints a warning about a loss of events, in quiet runs too.
    func warnOfGap(_ sentence: String) { write("argus: gap: ", .yellow, sentence) }

    private func write(_ label: String, _ color: TextColor?, _ sentence: String) {
        // Masked whole: a secret with blanks would not be found in several lines.
        let text = Sanitizer.visible(sentence.masked)
        streams.writeError(
            terminal().paragraph(label, color, text, width: streams.statusLine.width))
    }

    /// Prints a sentence to stderr if `-v` is given.
    var debug: @Sendable (String) -> Void {
        guard globals.verbosity > 0, !isQuiet else { return { _ in } }
        return { [streams] in streams.writeError("argus: " + Sanitizer.visible($0) + "\n") }
    }

    /// Receives the notices of an event list; slowness and missing events are always reported.
    var eventNotice: @Sendable (EventNotice) -> Void {
        let (debug, isQuiet, streams) = (debug, isQuiet, streams)
        return { notice in
            let label: String
            switch notice {
            case .matchesHere: label = "argus: "
            case .knowsMainDetection: label = "argus: warning: "
            case .filtersHere, .countsPages, .readsPages: return debug("\(notice)")
            }
            if !isQuiet { streams.writeError("\(label)\(notice)\n") }
        }
    }

    /// Warns that others can read a file with a secret.
    func warnIfOpen(_ path: String, _ mode: UInt32?) {
        guard let mode else { return }
        warn("'\(path)' can be read by others (mode \(String(mode, radix: 8)))")
    }

    /// Warns once that a server sent invalid UTF-8.
    func warnOfRepair(in value: JSONView) {
        guard !value.isValidUTF8, repairs.insert(true) else { return }
        warn("the server sent invalid UTF-8; U+FFFD stands in its place")
    }

    func progress(_ label: String, unit: Progress.Unit, total: Int?) -> Progress {
        Progress(
            label, unit: unit, total: total, terminal: streams.terminal,
            sink: isQuiet ? nil : streams.err, report: streams.progress,
            now: { ContinuousClock.now })
    }
}

// Prompts.
extension Console {
    /// Prompts for a line at the terminal.
    ///
    /// - Throws: `Failure` 2 with the alternative if there is no terminal.
    func ask(
        _ prompt: String, below lines: [String] = [], otherwise remedy: String
    ) throws(Failure) -> String {
        let text = (lines + [prompt]).map { Sanitizer.visible($0.masked) }.joined(separator: "\n")
        return try prompting { input throws(AccountError) in
            try input.askLine(text, insteadOf: remedy)
        }
    }

    /// Prompts for a secret as `ask` does for a line, without echo.
    func askSecret(_ prompt: String, otherwise remedy: String) throws(Failure) -> Redacted<String> {
        try prompting { input throws(AccountError) in
            try input.askSecret(Sanitizer.visible(prompt.masked), insteadOf: remedy)
        }
    }

    /// Checks, before anything is sent, that a later `ask` is possible.
    func expectTerminal(for question: String, otherwise remedy: String) throws(Failure) {
        try prompting { input throws(AccountError) in
            try input.expectTerminal(for: question, insteadOf: remedy)
        }
    }

    private func prompting<Value>(
        _ work: (SecretInput) throws(AccountError) -> Value
    ) throws(Failure) -> Value {
        let input = SecretInput(mayAsk: try mayAsk())
        return try attempt(work(input)) { Failure(.usage, "\($0)", reason: "input_needed") }
    }

    /// The alternative to a question about things that `--dry-run` lists.
    static let yesOrDryRun = "--yes, or --dry-run to see what would go"

    /// Checks, before anything is sent, that a later `confirm` is possible.
    ///
    /// - Throws: `Failure` 2 with the alternative if there is no terminal.
    func expectTerminal(toConfirmOr remedy: String) throws(Failure) {
        let input = SecretInput(mayAsk: try mayAsk())
        guard !input.canAsk else { return }
        throw Failure(
            .usage,
            "'\(command)' asks first, and "
                + (input.mayAsk ? "there is no terminal" : "prompts are off"),
            hint: "use \(remedy)", reason: "input_needed")
    }

    /// Prompts for a typed `yes` before a change that cannot be undone.
    ///
    /// - Throws: `Failure` 2 naming `--yes` without a terminal, 1 with `refusal` for any other
    ///   answer.
    func confirm(
        _ prompt: String, below lines: [String] = [], otherwise refusal: String,
        hint: String? = nil
    ) throws(Failure) {
        try confirm(
            prompt, below: lines, orPass: "--yes",
            otherwise: Failure(.failed, refusal, hint: hint, reason: "not_confirmed"))
    }

    /// As `confirm`, below a line for each of the first ten things that would change.
    func confirm<Thing>(
        _ prompt: String, listing things: [Thing], otherwise refusal: String,
        line: (Thing) -> String
    ) throws(Failure) {
        let more = things.count > 10 ? ["  and \(things.count - 10) more"] : []
        try confirm(
            prompt, below: things.prefix(10).map { "  " + line($0) } + more,
            orPass: Self.yesOrDryRun,
            otherwise: Failure(.failed, refusal, reason: "not_confirmed"))
    }

    /// Prompts for a typed `yes` to trust a certificate.
    ///
    /// - Throws: `Failure` 2 naming `--fingerprint` without a terminal, 9 for any other answer.
    func confirmTrust(below lines: [String]) throws(Failure) {
        try confirm(
            "Trust this certificate from now on?", below: lines, orPass: "--fingerprint",
            otherwise: Failure(
                .identity, "the certificate was not trusted", hint: "nothing was sent",
                reason: "not_trusted"))
    }

    private func confirm(
        _ prompt: String, below lines: [String], orPass remedy: String, otherwise refusal: Failure
    ) throws(Failure) {
        try expectTerminal(toConfirmOr: remedy)
        let answer = try ask("\(prompt) Type yes: ", below: lines, otherwise: remedy)
        guard answer.filter({ $0 != " " }).lowercased() == "yes" else { throw refusal }
    }

    /// Reads a secret from stdin, without one line end, or throws `Failure` 2.
    func secretFromStdin(_ alphabet: SecretText.Alphabet) throws(Failure) -> Redacted<String> {
        let input = SecretInput(mayAsk: try mayAsk())
        return try attempt(input.readStandardInput(as: alphabet))
    }

    /// Reads a secret from a file as from stdin; warns if others may read the file.
    func secret(
        inFile path: String, _ alphabet: SecretText.Alphabet
    ) throws(Failure) -> Redacted<String> {
        let file = try attempt(SecretFile(path, as: alphabet, system.environment))
        warnIfOpen(path, file.modeOpenToOthers)
        return file.secret
    }
}
