import ArgusCore
import ArgusKit

/// The results of checks as OpenMetrics text, which node_exporter's textfile collector reads too
/// (OpenMetrics 1.0).
struct CheckMetrics {
    let server: String
    let results: [CheckResult]
    let now: Timestamp

    var text: String {
        var text = family(
            "argus_check_state", "The result of a check: 0 ok, 1 warn, 2 fail, 3 unknown.", results
        ) { $0.state.number }
        text += measured("argus_check_seconds", "Seconds that a check measured.", .seconds) { $0 }
        text += measured("argus_check_ratio", "A share that a check measured, 0 to 1.", .percent) {
            $0 / 100
        }
        text += measured("argus_check_count", "A number that a check counted.", nil) { $0 }
        text += """
            # HELP argus_check_run_timestamp_seconds When the checks were made.
            # TYPE argus_check_run_timestamp_seconds gauge
            # UNIT argus_check_run_timestamp_seconds seconds
            argus_check_run_timestamp_seconds\(labels([("server", server)])) \(now.seconds)
            # EOF

            """
        return text
    }

    private func measured(
        _ name: String, _ help: String, _ unit: CheckUnit?, _ change: (Double) -> Double
    ) -> String {
        family(name, help, results.filter { $0.value != nil && $0.unit == unit }) {
            change($0.value ?? 0).plain
        }
    }

    private func family(
        _ name: String, _ help: String, _ results: [CheckResult],
        _ value: (CheckResult) -> String
    ) -> String {
        guard !results.isEmpty else { return "" }
        var text = "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        for unit in ["seconds", "ratio"] where name.hasSuffix("_" + unit) {
            text += "# UNIT \(name) \(unit)\n"
        }
        var seen: Set<String> = []
        // Two cameras of one name would be one series twice, which no reader takes.
        for result in results where seen.insert(result.name).inserted {
            let labels = labels([
                ("server", server), ("check", result.check.rawValue), ("subject", result.subject),
            ])
            text += "\(name)\(labels) \(value(result))\n"
        }
        return text
    }

    private func labels(_ all: [(name: String, value: String?)]) -> String {
        let parts = all.compactMap { name, value in
            value.map { "\(name)=\"\(Self.escaped($0))\"" }
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private static func escaped(_ text: String) -> String {
        Sanitizer.visible(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}

extension CheckResult.State {
    fileprivate var number: String {
        switch self {
        case .ok: "0"
        case .warn: "1"
        case .fail: "2"
        case .unknown: "3"
        }
    }
}
