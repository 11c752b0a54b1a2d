/// Counts of events by camera, type, hour and day, made here: servers have rules of their own.
package struct EventStatistics: Sendable {
    /// The property that a count is by.
    package enum Group: String, Sendable, CaseIterable {
        case total, camera, type, hour, day
    }

    package struct Row: Sendable, Equatable {
        package var group: Group
        /// The camera's id, the type, `00` to `23`, or `2026-11-20`; nil for the total.
        package var key: String?
        /// The camera's name; else the key.
        package var name: String?
        package var count: Int
        /// The events that fired an alert rule; nil where the server does not show it of any.
        package var alerts: Int?
    }

    private struct Tally {
        var count = 0
        var alerts: Int?
        var name: String?
    }

    private let zone: TimeZoneRules
    private var tallies: [Group: [String: Tally]] = [:]
    /// Counts by day, then by hour: 24 for each day that has events.
    package private(set) var hoursOfDays: [String: [Int]] = [:]
    package private(set) var total = 0

    /// Begins to count, with the hours and days of a time zone.
    package init(zone: TimeZoneRules) {
        self.zone = zone
    }

    /// Counts an event; one without a time counts in no hour and on no day.
    package mutating func count(_ event: Event) {
        total += 1
        add(event, to: .total, "", nil)
        add(event, to: .camera, event.cameraID ?? "", event.cameraName)
        add(event, to: .type, event.type, event.type)
        guard let timestamp = event.timestamp else { return }
        let time = zone.fields(of: timestamp)
        let hour = time.hour.padded(to: 2)
        let day = [time.year.padded(to: 4), time.month.padded(to: 2), time.day.padded(to: 2)]
            .joined(separator: "-")
        add(event, to: .hour, hour, hour)
        add(event, to: .day, day, day)
        if time.hour < 24 {
            hoursOfDays[day, default: Array(repeating: 0, count: 24)][time.hour] += 1
        }
    }

    /// All counts: the total, then cameras and types by size, hours and days in their order.
    package var rows: [Row] { Group.allCases.flatMap(rows) }

    /// The counts of one group.
    package func rows(_ group: Group) -> [Row] {
        let rows = (tallies[group] ?? [:]).map { key, tally in
            Row(
                group: group, key: key.isEmpty ? nil : key, name: tally.name, count: tally.count,
                alerts: tally.alerts)
        }
        switch group {
        case .total: return rows.isEmpty ? [Row(group: .total, count: 0, alerts: 0)] : rows
        case .camera, .type:
            return rows.sorted { ($1.count, $0.key ?? "") < ($0.count, $1.key ?? "") }
        case .hour, .day: return rows.sorted { ($0.key ?? "") < ($1.key ?? "") }
        }
    }

    private mutating func add(_ event: Event, to group: Group, _ key: String, _ name: String?) {
        var tally = tallies[group, default: [:]][key] ?? Tally()
        tally.count += 1
        if let fired = event.alertTriggered {
            tally.alerts = (tally.alerts ?? 0) + (fired ? 1 : 0)
        }
        tally.name = tally.name ?? name
        tallies[group, default: [:]][key] = tally
    }
}
