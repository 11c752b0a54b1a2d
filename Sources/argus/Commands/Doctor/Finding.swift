import ArgusKit

/// The result of a check of `argus doctor`.
struct Finding: Sendable {
    enum State: String, Sendable {
        case ok, warning, failure
    }

    var check: String
    var state: State
    var message: String
    var remedy: String?
    /// The status of a failure.
    var kind = ExitKind.failed
    /// True if the failure needs action by the user.
    var needsAction = false

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, state: .ok, message: message)
    }

    static func warning(_ check: String, _ message: String, _ remedy: String?) -> Finding {
        Finding(check: check, state: .warning, message: message, remedy: remedy)
    }

    static func failure(_ check: String, _ failure: Failure) -> Finding {
        Finding(
            check: check, state: .failure, message: failure.message, remedy: failure.hint,
            kind: failure.kind, needsAction: failure.needsAction)
    }

    static let fields: [Field<Finding>] = [
        Field("check", "what was looked at") { .text($0.check) },
        Field("state", "ok, warning or failure") { .text($0.state.rawValue) },
        Field("message", "what was found") { .text($0.message) },
        Field("remedy", "what to do about it; null when nothing is known") {
            FieldValue($0.remedy)
        },
    ]

    /// The line for the table.
    func line(_ style: Style) -> String {
        let word = state.rawValue.padded(to: 7)
        let mark = style.paint(word, TextColor(state: state.rawValue))
        let advice = remedy.map { "; \($0)" } ?? ""
        return "\(mark)  \(check.padded(to: 13))  \(Sanitizer.visible(message + advice))\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
