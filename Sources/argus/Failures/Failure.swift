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
    /// True if the same command cannot succeed until the user acts, whatever its kind.
    var needsAction = false

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

    /// The text for users: the message, the failed operands, and the hint.
    var text: String {
        var lines = ["argus: " + Sanitizer.visible(message)]
        lines += items.prefix(Self.shownItems).map {
            "  " + Sanitizer.visible("\($0.id.inBrief): \($0.message)")
        }
        if items.count > Self.shownItems {
            lines.append("  and \(items.count - Self.shownItems) more")
        }
        if let hint { lines.append("hint: " + Sanitizer.visible(hint)) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The one line for a script (docs/scripting.md, "The error line"), without held secrets in its
    /// texts; its keys stay what they are.
    var json: [UInt8] {
        let error: FieldValue = [
            "kind": kind.name, "reason": reason, "exit_code": Int(kind.rawValue),
            "message": message.masked, "hint": hint?.masked,
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

/// Decides, before parsing, if errors are JSON (docs/scripting.md, "The error line").
enum ErrorStyle {
    /// Scans the arguments before `--`, then the environment; ignores the configuration.
    static func isJSON(_ words: [String], _ environment: Environment) -> Bool {
        let options = words.prefix { $0 != "--" }
        var chosen: String?
        for (word, next) in zip(options, options.dropFirst().map(Optional.some) + [nil]) {
            if word == "--json" { chosen = "json" }
            if word == "--format", let next { chosen = next }
            if word.hasPrefix("--format=") { chosen = String(word.dropFirst("--format=".count)) }
        }
        let format = (chosen ?? environment["ARGUS_FORMAT"]).flatMap(OutputFormat.init(rawValue:))
        return format?.isMachine == true || environment["ARGUS_ERRORS"] == "json"
    }
}
