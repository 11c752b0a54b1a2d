import ArgusCore
import ArgusKit

/// The canonical fields of the results of checks (docs/scripting.md, "Fields").
enum CheckView {
    static let fields: [Field<CheckResult>] = [
        .column("state", "ok, warn, fail or unknown") { $0.state.rawValue },
        .column("check", "what was checked") { $0.check.rawValue },
        .column("subject", "the camera, watch or receiver; null for a check of the whole") {
            $0.subject
        },
        .column("detail", "what was found") { $0.detail },
        .hidden("value", "the number that was measured") { $0.value },
        .hidden("unit", "its unit, s or %; null for a count") { $0.unit?.rawValue },
        .hidden("since", "when the state began, or the last sign of life was") { $0.since },
        .hidden("hint", "what to do") { $0.hint },
    ]
}

extension CheckResult {
    /// The line for people.
    var line: ReportLine {
        ReportLine(
            sign: state.sign, word: state.rawValue, color: state.color, name: check.rawValue,
            message: (subject.map { "\($0): " } ?? "") + detail, remedy: hint)
    }
}

extension CheckResult.State {
    fileprivate var sign: String {
        switch self {
        case .ok: "✓"
        case .warn: "!"
        case .fail: "✗"
        case .unknown: "?"
        }
    }

    fileprivate var color: TextColor {
        switch self {
        case .ok: .green
        case .warn, .unknown: .yellow
        case .fail: .red
        }
    }
}

extension [CheckResult] {
    /// The line at the end: `22 checks: 20 ok, 1 warn, 1 fail`.
    var summary: String {
        let counts = CheckResult.State.allCases.reversed().compactMap { state in
            let count = count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.rawValue)"
        }
        let checks = "\(count) check\(count == 1 ? "" : "s")"
        let areOK = allSatisfy { $0.state == .ok }
        return "\(checks): " + (areOK ? "all ok" : counts.joined(separator: ", "))
    }
}
