import ArgusCore
import ArgusTransport

/// The failure of a run, with everything to report about it.
///
/// Thrown, never printed; only `main` turns it into text and a status.
struct Failure: Error, Sendable {
    /// One of several operands that failed.
    struct Item: Sendable {
        var id: String
        var kind: ExitKind
        var message: String
    }

    var kind: ExitKind
    /// The operation and the cause: lower case, no full stop, without held secrets, unsanitised.
    var message: String
    var hint: String?
    /// Refines the kind for scripts, such as `session_expired`.
    var reason: String?
    var fields: [APIError.Field] = []
    var items: [Item] = []
    var retryAfterSeconds: Int?
    var httpStatus: Int?
    var requestID: String?
    /// The known server that could not be reached, which `doctor` can check.
    var unreachedServer: String?
    /// True if the same command cannot succeed until the user acts, whatever its kind.
    var needsAction = false
    /// True if stdout says it already, so that only its kind counts.
    var isReported = false

    init(_ kind: ExitKind, _ message: String, hint: String? = nil, reason: String? = nil) {
        self.kind = kind
        // Some rows of results quote it.
        self.message = message.masked
        self.hint = hint
        self.reason = reason
    }

    /// A noun without a verb; its help has been printed already.
    static let verbMissing = Failure(.usage, "a command is missing", reason: "verb_missing")
    /// The reader closed stdout, which is a success for commands that only read.
    static let closedPipe = Failure(.done, "")

    /// The reason of a failure for which a wrong clock may be to blame.
    static let clockReason = "clock"
    /// The reason of a failure to recognise the network on which plain http was allowed.
    static let unknownNetworkReason = "unknown_network"

    /// True if the same command can succeed later without intervention, so that a service tries again:
    /// many machines get the time only after their start.
    var isRetryable: Bool {
        !needsAction && (kind.isRetryable || kind == .identity && reason == Self.clockReason)
    }

    /// The reason of a failure to write results, which ends the run at once.
    static let stdoutReason = "stdout_failed"
}

extension Failure {
    /// The most failed operands to list in text.
    private static let shownItems = 20

    /// The hint, else the command that looks for the cause.
    var remedy: String? {
        hint ?? unreachedServer.map { "'argus doctor --server \($0)' looks for the cause" }
    }

    /// The message with those of its items, for an item of another failure.
    var summary: String {
        let parts = items.map { "\($0.id): \($0.message)" }
        return parts.isEmpty ? message : "\(message) (\(parts.joined(separator: "; ")))"
    }

    /// The text for users: the message, the failed operands, and the hint.
    func text(on terminal: Terminal, width: Int) -> String {
        func paragraph(_ label: String, _ color: TextColor?, _ text: String) -> String {
            // Masked whole: a secret with blanks would not be found in several lines.
            terminal.paragraph(label, color, Sanitizer.visible(text.masked), width: width)
        }
        var text = paragraph("argus: ", .red, message)
        for item in items.prefix(Self.shownItems) {
            text += paragraph("  ", nil, "\(item.id.inBrief): \(item.message)")
        }
        if items.count > Self.shownItems {
            text += paragraph("  ", nil, "and \(items.count - Self.shownItems) more")
        }
        if let remedy { text += paragraph("hint: ", .green, remedy) }
        return text
    }

    /// The one line for a script (docs/scripting.md, "The error line"), without held secrets in its
    /// texts; its keys stay what they are.
    var json: [UInt8] {
        let error: FieldValue = [
            "kind": kind.name, "reason": reason, "exit_code": Int(kind.rawValue),
            "message": message.masked, "hint": remedy?.masked,
            "fields": fields.map {
                ["loc": $0.location.masked, "msg": $0.message.masked] as FieldValue
            },
            "items": items.map { item -> FieldValue in
                ["id": item.id.masked, "kind": item.kind.name, "message": item.message.masked]
            },
            "retryable": isRetryable,
            "retry_after_seconds": retryAfterSeconds, "http_status": httpStatus,
            "request_id": requestID?.masked,
        ]
        return JSONWriter.object { $0.member("error", error) } + [UInt8(ascii: "\n")]
    }
}

/// Decides, without parsing, on the form of errors (docs/scripting.md, "The error line").
enum ErrorStyle {
    /// Scans the arguments before `--`, then the environment; ignores the configuration.
    ///
    /// On a terminal a person reads the errors, whatever reads the results.
    static func isJSON(
        _ words: [String], _ environment: Environment, isTerminal: Bool
    ) -> Bool {
        if environment["ARGUS_ERRORS"] == "json" { return true }
        let chosen = lastValue(of: "--format", or: (switch: "--json", value: "json"), in: words)
        let format = (chosen ?? environment["ARGUS_FORMAT"]).flatMap(OutputFormat.init(rawValue:))
        return format?.isMachine == true && !isTerminal
    }

    /// The value of `--color` in the arguments before `--`; nil without one.
    static func color(_ words: [String]) -> ColorChoice? {
        lastValue(of: "--color", in: words).flatMap(ColorChoice.init(rawValue:))
    }

    private static func lastValue(
        of option: String, or alias: (switch: String, value: String)? = nil, in words: [String]
    ) -> String? {
        let options = words.prefix { $0 != "--" }
        var chosen: String?
        for (word, next) in zip(options, options.dropFirst().map(Optional.some) + [nil]) {
            if let alias, word == alias.switch { chosen = alias.value }
            if word == option, let next { chosen = next }
            if word.hasPrefix(option + "=") { chosen = String(word.dropFirst(option.count + 1)) }
        }
        return chosen
    }
}
