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

    static let fields: [Field<Finding>] = [
        Field("check", "what was checked") { .text($0.check) },
        Field("state", "ok, warning or failure") { .text($0.state.rawValue) },
        Field("message", "what was found") { .text($0.message) },
        Field("remedy", "what to do about it; null if nothing is known") { FieldValue($0.remedy) },
    ]

    /// The line for people; on a terminal a long one continues below the message.
    func line(on terminal: Terminal) -> String {
        let word = state.rawValue.padded(to: 7)
        let mark = terminal.style.paint(word, TextColor(state: state.rawValue))
        // A message may end in the command that is the remedy.
        let advice = remedy.map { message.contains($0) ? "" : "; \($0)" } ?? ""
        let margin = "".padded(to: 24)
        let room = terminal.isOutputTerminal ? terminal.width - margin.count : .max
        let lines = DisplayWidth.lines(of: Sanitizer.visible(message + advice), width: room)
        return "\(mark)  \(check.padded(to: 13))  \(lines.joined(separator: "\n" + margin))\n"
    }
}
