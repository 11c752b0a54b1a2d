import ArgusCore

/// The numbers that a server reports for monitoring, without their labels.
///
///     system_disk_usage_percent{path="/"} 23.8
///
/// Source: the Prometheus text format, version 0.0.4.
package struct ServerMetrics: Sendable, Equatable {
    /// The names that argus reads; a server has a series for each path that was ever asked.
    private static let names: Set<String> = [
        "event_queue_depth", "system_disk_usage_percent", "ai_circuit_breaker_state",
    ]

    private var largest: [String: Double] = [:]

    /// Reads the lines that count and skips all others; nil for a text of another format.
    package init?(_ text: [UInt8]) {
        var isOfFormat = false
        for line in text.split(separator: UInt8(ascii: "\n")) {
            isOfFormat = isOfFormat || line.starts(with: "# TYPE ".utf8)
            let name = line.prefix { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: " ") }
            let word = String(decoding: name.prefix(64), as: UTF8.self)
            guard Self.names.contains(word) else { continue }
            isOfFormat = true
            var rest = line[name.endIndex...]
            if let end = rest.lastIndex(of: UInt8(ascii: "}")) { rest = rest[(end + 1)...] }
            // A time may follow the number.
            let number = String(decoding: rest, as: UTF8.self).split(separator: " ").first
            guard let value = number.flatMap({ Double($0) }), value.isFinite else { continue }
            largest[word] = max(largest[word] ?? value, value)
        }
        guard isOfFormat else { return nil }
    }

    /// The number of a name, the largest of several; nil if the server reports none.
    package subscript(name: String) -> Double? { largest[name] }
}
