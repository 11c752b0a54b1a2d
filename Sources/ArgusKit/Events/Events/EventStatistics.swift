package import ArgusCore

/// Counts of events by camera, type, hour, day and weekday, made by argus since each server has its
/// own rules.
package struct EventStatistics: Sendable {
    /// The property that a count is by.
    package enum Group: String, Sendable, CaseIterable {
        case total, camera, type, hour, day, weekday
    }

    package struct Row: Sendable, Equatable {
        /// The server whose events are counted; nil where they are not counted apart.
        package var server: String?
        package var group: Group
        /// The camera's id, the type, `00` to `23`, `2026-11-20`, or `monday`; nil for the total.
        package var key: String?
        /// The camera's name; else the key.
        package var name: String?
        package var count: Int
        /// The events that fired an alert rule; nil where the server does not show it of any.
        package var alerts: Int?
    }

    private let zone: TimeZoneRules
    private let server: String?
    private var counts: [Group: [String: Row]] = [:]
    /// Counts by day, then by hour: 24 for each day that has events.
    package private(set) var hoursOfDays: [String: [Int]] = [:]
    private var hoursOfWeekdays: [String: [Int]] = [:]
    package private(set) var total = 0
    /// Days since 1970-01-01 of the first and the last event.
    private var firstDay: Int?
    private var lastDay: Int?

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    /// The most days that are filled in between two events: ten years.
    private static let maxDays = 3660

    /// Begins to count, with the hours and days of a time zone, the events of all servers or of one.
    package init(zone: TimeZoneRules, of server: String? = nil) {
        (self.zone, self.server) = (zone, server)
    }

    /// Counts an event; one without a time counts in no hour and on no day.
    package mutating func count(_ event: Event) {
        total += 1
        add(event, to: .total, "", nil)
        add(event, to: .camera, event.cameraID ?? "", event.cameraName)
        add(event, to: .type, event.type, event.type)
        guard let timestamp = event.timestamp else { return }
        let time = zone.fields(of: timestamp)
        let hour = time.clock.hour.padded(to: 2)
        let date = time.date
        let day = Self.text(of: date)
        add(event, to: .hour, hour, hour)
        add(event, to: .day, day, day)
        let weekday = Self.weekdays[Self.index(ofWeekday: date)]
        add(event, to: .weekday, weekday, weekday)
        firstDay = min(firstDay ?? date.daysSinceEpoch, date.daysSinceEpoch)
        lastDay = max(lastDay ?? date.daysSinceEpoch, date.daysSinceEpoch)
        hoursOfDays[day, default: Array(repeating: 0, count: 24)][time.clock.hour] += 1
        hoursOfWeekdays[weekday, default: Array(repeating: 0, count: 24)][time.clock.hour] += 1
    }

    /// The counts of one group: cameras and types by size, hours, days and weekdays in their order,
    /// those without an event too.
    package func rows(_ group: Group) -> [Row] {
        let rows = counts[group] ?? [:]
        guard let keys = orderedKeys(of: group) else {
            return rows.values.sorted { ($1.count, $0.key ?? "") < ($0.count, $1.key ?? "") }
        }
        // Where the server shows no alerts, an hour without events has none to show either.
        let showsAlerts = total == 0 || counts[.total]?[""]?.alerts != nil
        return keys.map { key in
            let key = key.isEmpty ? nil : key
            return rows[key ?? ""]
                ?? Row(
                    server: server, group: group, key: key, name: key, count: 0,
                    alerts: showsAlerts ? 0 : nil)
        }
    }

    /// The number of days with the name of a weekday, from that of the first event to that of the last.
    package func days(ofWeekday weekday: String) -> Int {
        guard let firstDay, let lastDay, let index = Self.weekdays.firstIndex(of: weekday) else {
            return 0
        }
        let first = Self.index(ofWeekday: CivilDate(daysSinceEpoch: firstDay))
        let rest = lastDay - firstDay - (index - first + 7) % 7
        return rest < 0 ? 0 : rest / 7 + 1
    }

    /// The counts of the 24 hours of a weekday, over all its days.
    package func hours(ofWeekday weekday: String) -> [Int] {
        hoursOfWeekdays[weekday] ?? Array(repeating: 0, count: 24)
    }

    /// The keys of a group with a fixed order; nil for one that is sorted by size.
    private func orderedKeys(of group: Group) -> [String]? {
        switch group {
        case .total: return [""]
        case .camera, .type: return nil
        case .hour: return total == 0 ? [] : (0...23).map { $0.padded(to: 2) }
        case .weekday: return total == 0 ? [] : Self.weekdays
        case .day:
            guard let firstDay, let lastDay else { return [] }
            guard lastDay - firstDay < Self.maxDays else {
                return (counts[.day] ?? [:]).keys.sorted()
            }
            return (firstDay...lastDay).map { Self.text(of: CivilDate(daysSinceEpoch: $0)) }
        }
    }

    private static func index(ofWeekday date: CivilDate) -> Int { (date.weekday + 6) % 7 }

    private static func text(of date: CivilDate) -> String {
        [date.year.padded(to: 4), date.month.padded(to: 2), date.day.padded(to: 2)]
            .joined(separator: "-")
    }

    private mutating func add(_ event: Event, to group: Group, _ key: String, _ name: String?) {
        var row =
            counts[group]?[key]
            ?? Row(server: server, group: group, key: key.isEmpty ? nil : key, count: 0)
        row.count += 1
        if let fired = event.alertTriggered { row.alerts = (row.alerts ?? 0) + (fired ? 1 : 0) }
        row.name = row.name ?? name
        counts[group, default: [:]][key] = row
    }
}
