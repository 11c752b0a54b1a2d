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

    /// The period whose events are counted, inclusive; the first or the last day with an event where
    /// a bound is nil.
    package var since: Timestamp?
    package var until: Timestamp?
    private let zone: TimeZoneRules
    private let server: String?
    private var counts: [Group: [String: Row]] = [:]
    /// Counts by day since 1970-01-01, then by hour: 24 for each day that has events.
    private var hoursOfDays: [Int: [Int]] = [:]
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
        let hours = Array(repeating: 0, count: 24)
        hoursOfDays[date.daysSinceEpoch, default: hours][time.clock.hour] += 1
        hoursOfWeekdays[weekday, default: hours][time.clock.hour] += 1
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

    /// The rows of `rows(_:)` without the hours and weekdays outside the period.
    package func countedRows(_ group: Group) -> [Row] {
        let rows = rows(group)
        switch group {
        case .hour: return zip(rows, hours).filter { $1 != nil }.map { $0.0 }
        case .weekday:
            return rows.filter { row in hours(ofWeekday: row.key ?? "").contains { $0 != nil } }
        case .total, .camera, .type, .day: return rows
        }
    }

    /// True for a period of less than two days, in which hardly an hour of a weekday recurs.
    package var isShort: Bool {
        guard let since, let until else { return false }
        return until - since < .seconds(2 * 86_400)
    }

    /// The counts of the 24 hours, over all days; nil for an hour outside the period.
    package var hours: [Int?] {
        hours(rows(.hour).map(\.count), ofDays: countedDays)
    }

    /// The counts of the 24 hours of a weekday, over all its days; nil for an hour outside the period.
    package func hours(ofWeekday weekday: String) -> [Int?] {
        let days = countedDays.filter { day in
            Self.weekdays[Self.index(ofWeekday: CivilDate(daysSinceEpoch: day))] == weekday
        }
        return hours(hoursOfWeekdays[weekday] ?? [], ofDays: days)
    }

    /// The days that have events, with the counts of their 24 hours; nil for one outside the period.
    package var hoursByDay: [(day: String, hours: [Int?])] {
        hoursOfDays.sorted { $0.key < $1.key }.map { day, counts in
            (Self.text(of: CivilDate(daysSinceEpoch: day)), hours(counts, ofDays: [day]))
        }
    }

    /// The first days of the period, enough to have each hour of a weekday that it has.
    private var countedDays: [Int] {
        let first = since.map { zone.fields(of: $0).date.daysSinceEpoch } ?? firstDay
        let last = until.map { zone.fields(of: $0).date.daysSinceEpoch } ?? lastDay
        guard let first, let last, first <= last else { return [] }
        return Array((first...last).prefix(8))
    }

    private func hours(_ counts: [Int], ofDays days: [Int]) -> [Int?] {
        let (first, last) = (since.map(hourNumber), until.map(hourNumber))
        return (0..<24).map { hour in
            let count = hour < counts.count ? counts[hour] : 0
            let isCounted = days.contains { day in
                let number = day * 24 + hour
                return (first ?? number) <= number && number <= (last ?? number)
            }
            // An event shows its hour even if the server's clock is ahead.
            return count > 0 || isCounted ? count : nil
        }
    }

    /// The hours by the local clock since 1970-01-01.
    private func hourNumber(_ time: Timestamp) -> Int {
        let fields = zone.fields(of: time)
        return fields.date.daysSinceEpoch * 24 + fields.clock.hour
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
