import ArgusCore
import ArgusKit

/// The results of checks as one line with performance data, and the status of a plugin (Monitoring
/// Plugins Development Guidelines, "Plugin Output").
struct NagiosLine {
    /// The statuses of a plugin.
    enum Status: Int32 {
        case ok, warning, critical, unknown
    }

    let status: Status
    private let words: String
    private let data: [String]

    /// The line of results; what fails is named, the worst first.
    init(_ results: [CheckResult]) {
        let worst = results.map(\.state).min() ?? .ok
        status =
            switch worst {
            case .fail: .critical
            case .warn: .warning
            case .unknown: .unknown
            case .ok: .ok
            }
        let findings = results.filter { $0.state != .ok }.map { "\($0.name): \($0.detail)" }
        words = ([results.summary] + findings).joined(separator: "; ")
        var seen: Set<String> = []
        // Two cameras of one name would be one label twice.
        data = results.filter { seen.insert($0.name).inserted }.compactMap(\.performanceData)
    }

    /// The line of a run that could not check anything.
    init(_ failure: Failure) {
        status = [.unreachable, .identity].contains(failure.kind) ? .critical : .unknown
        words = failure.summary
        data = []
    }

    /// The line, with its line feed.
    var text: String {
        let word =
            switch status {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        let line = Sanitizer.visible("ARGUS \(word) - \(words)").replacing("|", with: "/")
        return line + (data.isEmpty ? "" : " | " + data.joined(separator: " ")) + "\n"
    }
}

extension CheckResult {
    /// The measured number as `'label'=value[unit]`; nil without one.
    fileprivate var performanceData: String? {
        guard let value else { return nil }
        // A label has neither `=` nor a quote, and the data has no second bar.
        let label = Sanitizer.visible(name).replacing("'", with: " ").replacing("=", with: " ")
            .replacing("|", with: "/")
        let bounds = unit == .percent ? ";;;0;100" : ""
        return "'\(label)'=\(value.plain)\(unit?.rawValue ?? "")\(bounds)"
    }
}

extension Double {
    /// The number without an exponent, and without a fraction that is zero.
    var plain: String {
        self == rounded() && magnitude < 1e15 ? String(Int64(self)) : "\(self)"
    }
}
