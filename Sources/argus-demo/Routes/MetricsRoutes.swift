import NIOCore

/// The metrics of today's server, in the text format of Prometheus.
enum MetricsRoutes {
    static func metrics(_ request: Request, _ state: inout State) -> Answer {
        let values = values(state, now: request.now)
        let traffic = state.traffic
        return Answer(
            type: "text/plain; version=1.0.0; charset=utf-8",
            body: .made { ByteBuffer(string: text(values, traffic)) })
    }

    /// The state of the pipeline of events.
    static func pipeline(_ request: Request, _ state: inout State) -> Answer {
        let cameras = state.cameras.filter(\.isEnabled).map { camera in
            JSON.Member(name: camera.id.text, value: camera.pipelineJSON)
        }
        let count = state.events.rows.count
        return .json([
            "queue_depth": .integer(state.settings.condition.queue),
            "events_processed": [
                "success": .integer(count), "failure": 0, "total": .integer(count),
            ],
            "processing_time_ms": ["p50": 2341.2, "p95": 4523.8, "p99": 4891.1],
            "pipeline_errors": [:], "cameras": .object(cameras), "motion_tasks": [:],
            "health_monitor_running": true, "ai_pool_running": true, "active_ai_workers": 2,
        ])
    }

    /// The samples that are not 0, by the names of their families: labels and value.
    private static func values(_ state: State, now: Moment) -> [String: [(String, Double)]] {
        let condition = state.settings.condition
        let isConnected = condition.protect == .connected || condition.protect == .silent
        let age = condition.protect == .disconnected ? state.protectAge(now: now) ?? 0 : 0
        var values: [String: [(String, Double)]] = [
            "app_info": [(#"{name="ArgusAI",version="1.0.0"}"#, 1)],
            "http_requests_in_progress": [(#"{method="GET"}"#, 1)],
            "protect_ws_connected": [("", isConnected ? 1 : 0)],
            "protect_ws_last_message_age_seconds": [("", age)],
            "system_cpu_usage_percent": [("", 12.5)],
            "system_memory_usage_percent": [("", 8.6)],
            "system_memory_used_bytes": [("", 2_174_570_496)],
            "system_disk_usage_percent": [(#"{path="/"}"#, Double(condition.disk))],
            "system_disk_used_bytes": [(#"{path="/"}"#, Double(condition.disk) * 1_073_741_824)],
            "app_uptime_seconds": [
                ("", Double(now.microseconds - state.startedAt.microseconds) / 1_000_000)
            ],
        ]
        // The series begins with the first call of the AI.
        if condition.undescribed > 0 {
            values["ai_circuit_breaker_state"] = [
                (#"{provider="openai"}"#, condition.isBreakerOpen ? 1 : 0)
            ]
        }
        return values
    }

    private static func text(_ values: [String: [(String, Double)]], _ traffic: Traffic) -> String {
        var text = ""
        for family in MetricFamily.all {
            text += "# HELP \(family.name) \(family.help)\n"
            text += "# TYPE \(family.name) \(family.kind)\n"
            switch family.name {
            case "http_requests_total": writeCounts(traffic, to: &text)
            case "http_request_duration_seconds": writeDurations(traffic, to: &text)
            default:
                let ends = family.kind == "histogram" ? ["_count", "_sum"] : [""]
                let quiet = family.isLabelled ? [] : ends.map { ($0, 0.0) }
                for (labels, value) in values[family.name] ?? quiet {
                    text += "\(family.name)\(labels) \(number(value))\n"
                }
            }
        }
        return text
    }

    private static func writeCounts(_ traffic: Traffic, to text: inout String) {
        for (key, count) in sorted(traffic) {
            text += "http_requests_total{method=\"\(key.method)\",path=\"\(escaped(key.path))\","
            text += "status_code=\"\(key.status)\"} \(number(Double(count)))\n"
        }
    }

    /// Writes a histogram for each method and path, as if every request took four milliseconds.
    private static func writeDurations(_ traffic: Traffic, to text: inout String) {
        let bounds = [
            "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
            "+Inf",
        ]
        let name = "http_request_duration_seconds"
        var totals: [(labels: String, count: Int)] = []
        for (key, count) in sorted(traffic) {
            let labels = "method=\"\(key.method)\",path=\"\(escaped(key.path))\""
            if totals.last?.labels == labels {
                totals[totals.count - 1].count += count
            } else {
                totals.append((labels, count))
            }
        }
        for (labels, count) in totals {
            let total = number(Double(count))
            for bound in bounds { text += "\(name)_bucket{le=\"\(bound)\",\(labels)} \(total)\n" }
            text += "\(name)_count{\(labels)} \(total)\n"
            text += "\(name)_sum{\(labels)} \(number(Double(count) * 0.004))\n"
        }
    }

    private static func sorted(_ traffic: Traffic) -> [(key: Traffic.Key, value: Int)] {
        traffic.counts.sorted {
            ($0.key.method, $0.key.path, $0.key.status)
                < ($1.key.method, $1.key.path, $1.key.status)
        }
    }

    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }

    /// A number as prometheus_client writes it: from a million on with an exponent.
    static func number(_ value: Double) -> String {
        let text = String(value)
        let whole = text.prefix { $0 != "." }
        guard whole.count > 6, !text.contains("e") else { return text }
        let digits = (whole + text.dropFirst(whole.count + 1)).reversed().drop { $0 == "0" }
        let mantissa = String(digits.reversed())
        let exponent = whole.count - 1
        let point = mantissa.count > 1 ? "." : ""
        return "\(mantissa.prefix(1))\(point)\(mantissa.dropFirst())e+\(exponent < 10 ? "0" : "")"
            + String(exponent)
    }
}
