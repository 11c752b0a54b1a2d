/// Formats times for people as near to now as they are: `11:07` today, `Wed 18:30` in the six days
/// before, `12 Nov` in this year, `12 Nov 2025` in others.
package struct NearTimeFormat: Sendable {
    private let zone: TimeZoneRules
    private let today: CivilDate

    package init(now: Timestamp, zone: TimeZoneRules) {
        self.zone = zone
        today = zone.fields(of: now).date
    }

    /// True if the text of a time shows its time of day.
    func hasClock(_ time: Timestamp) -> Bool {
        (-6...6).contains(days(to: min(max(time, .earliestText), .latestText)))
    }

    private func days(to time: Timestamp) -> Int {
        zone.fields(of: time).date.daysSinceEpoch - today.daysSinceEpoch
    }

    /// The text of a time; `withSeconds` is for those that show a time of day.
    package func text(_ time: Timestamp, withSeconds: Bool = false) -> String {
        let time = min(max(time, .earliestText), .latestText)
        let date = zone.fields(of: time).date
        let clock = time.displayText(in: zone).dropFirst(11).prefix(withSeconds ? 8 : 5)
        let month = CivilDate.monthNames[date.month - 1].prefix(3)
        switch days(to: time) {
        case 0: return String(clock)
        case -6 ... -1: return "\(CivilDate.weekdayNames[date.weekday].prefix(3)) \(clock)"
        // The weekday would be that of the past.
        case 1...6: return "\(date.day) \(month) \(clock)"
        default: return "\(date.day) \(month)" + (date.year == today.year ? "" : " \(date.year)")
        }
    }
}
