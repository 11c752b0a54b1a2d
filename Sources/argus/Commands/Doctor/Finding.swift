import ArgusCore

/// The result of a check of `argus doctor`.
struct Finding: Sendable {
    enum State: String, Sendable {
        case ok, warning, failure
    }

    var check: String
    var state: State
    var message: String
    var remedy: String?
    /// The failure behind it, if it is one.
    var failure: Failure?
    /// What a check that was left out needs; nil if it was made.
    var need: String?

    static func ok(_ check: String, _ message: String, _ remedy: String? = nil) -> Finding {
        Finding(check: check, state: .ok, message: message, remedy: remedy)
    }

    static func warning(_ check: String, _ message: String, _ remedy: String?) -> Finding {
        Finding(check: check, state: .warning, message: message, remedy: remedy)
    }

    static func failure(_ check: String, _ failure: Failure) -> Finding {
        Finding(
            check: check, state: .failure, message: failure.message, remedy: failure.hint,
            failure: failure)
    }

    /// A check that was left out, with the reason, the remedy, and what it needs.
    static func skipped(
        _ check: String, _ reason: String, _ remedy: String?, needing need: String
    ) -> Finding {
        Finding(
            check: check, state: .warning, message: "skipped \(reason)", remedy: remedy, need: need)
    }

    static let fields: [Field<Finding>] = [
        Field("check", "what was checked") { .text($0.check) },
        Field("state", "ok, warning or failure") { .text($0.state.rawValue) },
        Field("message", "what was found") { .text($0.message) },
        Field("remedy", "what to do about it; null if nothing is known") { FieldValue($0.remedy) },
    ]

    /// The line for people; on a terminal a long one continues below the message, and what to do has
    /// a line of its own.
    func line(on terminal: Terminal) -> String {
        let style = terminal.style
        let hasSigns = terminal.isOutputTerminal && terminal.hasSigns && style.isOn
        let mark = hasSigns ? "  \(state.sign)" : state.word.padded(to: 8)
        let start =
            style.paint(mark, TextColor(state: state.rawValue) ?? .green)
            + " \(check.padded(to: 13))  "
        let text = Sanitizer.visible(message)
        // A message may end in the command that is the remedy.
        let advice = remedy.flatMap { message.contains($0) ? nil : Sanitizer.visible($0) }
        guard terminal.isOutputTerminal else {
            return start + text + (advice.map { "; \($0)" } ?? "") + "\n"
        }
        let margin = "".padded(to: DisplayWidth.of(mark) + 16)
        func broken(_ text: String, after label: String = "") -> String {
            let room = terminal.width - margin.count - label.count
            return DisplayWidth.lines(of: text, width: room)
                .joined(separator: "\n" + margin + "".padded(to: label.count)) + "\n"
        }
        let label = "hint: "
        return start + broken(text)
            + (advice.map { margin + style.green(label) + broken($0, after: label) } ?? "")
    }
}

extension Finding.State {
    fileprivate var sign: String {
        switch self {
        case .ok: "✓"
        case .warning: "!"
        case .failure: "✗"
        }
    }

    /// The word for a person.
    var word: String { self == .failure ? "failed" : rawValue }
}

/// The parts of the report of `argus doctor`.
enum FindingGroup: String {
    case machine = "This machine"
    case server = "Server"
    case push = "Pushes"
    case surroundings = "Network and shell"

    init(ofCheck check: String) {
        switch check {
        case "configuration", "environment", "folders", "secrets", "archive", "queue":
            self = .machine
        case "push", "delivery": self = .push
        case "discovery", "terminal", "completions", "manual": self = .surroundings
        default: self = .server
        }
    }
}
