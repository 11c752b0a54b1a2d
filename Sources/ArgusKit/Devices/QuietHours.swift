/// The hours of each day in which nobody is to be disturbed, such as 22:00 to 07:00.
///
/// The end does not belong to them; an end before the start is on the next day.
package struct QuietHours: Hashable, Sendable {
    /// A time of day.
    package struct Clock: Hashable, Sendable {
        package var hour: Int
        package var minute: Int

        /// Reads `HH:MM`, or `H:MM` as some servers keep it; nil for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
                parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            else { return nil }
            self.hour = hour
            self.minute = minute
        }

        /// `HH:MM`, the form that every server takes.
        package var text: String { Self.twoDigits(hour) + ":" + Self.twoDigits(minute) }

        fileprivate var minutes: Int { hour * 60 + minute }

        private static func twoDigits(_ number: Int) -> String {
            number < 10 ? "0\(number)" : "\(number)"
        }
    }

    package var start: Clock
    package var end: Clock

    package init(start: Clock, end: Clock) {
        self.start = start
        self.end = end
    }

    /// Whether a time of day belongs to them, by the rule of today's servers.
    package func contains(_ fields: TimeFields) -> Bool {
        let minute = fields.hour * 60 + fields.minute
        return start.minutes > end.minutes
            ? minute >= start.minutes || minute < end.minutes
            : minute >= start.minutes && minute < end.minutes
    }

    /// When they begin or end next after a moment; nil where they are empty.
    package func nextChange(after now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard start != end else { return nil }
        let isQuiet = contains(zone.fields(of: now))
        let today = zone.fields(of: now)
        let days = CivilDate(year: today.year, month: today.month, day: today.day).daysSinceEpoch
        return (0...2).flatMap { offset -> [Timestamp] in
            let day = CivilDate(daysSinceEpoch: days + offset)
            return [start, end].map { clock in
                zone.time(
                    of: TimeFields(
                        year: day.year, month: day.month, day: day.day, hour: clock.hour,
                        minute: clock.minute))
            }
        }.filter { $0 > now && contains(zone.fields(of: $0)) != isQuiet }.min()
    }
}
