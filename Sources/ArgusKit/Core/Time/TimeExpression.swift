/// A time as users write it after `--since` and `--until` (docs/scripting.md, "Times").
///
/// Parsing needs neither clock nor time zone; `resolve` takes both.
package enum TimeExpression: Hashable, Sendable {
    case now
    /// `90s`, `15m`, `2h`, `3d`, `1w`: the distance before now.
    case ago(microseconds: Int64)
    /// A whole day: its first instant as a start, its last as an end.
    case day(Day)
    /// `yesterday 22:00`, `sat 18:30`, `2026-11-20T22:00`.
    case moment(Day, TimeOfDay)
    /// `HH:MM`: its last occurrence.
    case clock(TimeOfDay)
    /// `last-night`, `last-month`: its first instant as a start, its last as an end.
    case period(NamedPeriod)
    /// A date and time with a zone.
    case instant(Timestamp)

    /// A day as users write it.
    package enum Day: Hashable, Sendable {
        /// `today` is 0, `yesterday` is 1.
        case ago(Int)
        /// The last day of that name, today included; 0 is Sunday.
        case weekday(Int)
        case date(CivilDate)
    }

    /// Parses a time.
    /// - Throws: `TimeExpressionError`, which describes the fault of the text.
    package init(_ text: String) throws(TimeExpressionError) { self = try Self.read(text) }

    /// The point in time that the expression stands for.
    /// - Parameters:
    ///   - asEnd: True if a day stands for its last microsecond instead of its first, and a time in a
    ///     repeated hour for the later one.
    ///   - calendar: The clock, and the zone of times that name none.
    ///   - start: The start of the span that this time ends: a time of day is the next one after it.
    /// - Returns: A time in the year 0001 or later.
    package func resolve(
        asEnd: Bool, on calendar: LocalCalendar, after start: Timestamp? = nil
    ) -> Timestamp {
        switch self {
        case .now:
            return calendar.now
        case .ago(let microseconds):
            let (time, overflowed) =
                calendar.now.microseconds.subtractingReportingOverflow(microseconds)
            return overflowed ? .earliestText : max(Timestamp(microseconds: time), .earliestText)
        case .day(let day):
            let date = calendar.date(of: day)
            return asEnd ? calendar.zone.end(of: date) : calendar.zone.start(of: date)
        case .moment(.weekday(let weekday), let clock):
            // On a Saturday morning 'sat 18:30' was a week ago.
            let date = calendar.date(of: .weekday(weekday))
            let time = calendar.time(clock, on: date, asEnd: asEnd)
            guard time > calendar.now else { return time }
            return calendar.time(clock, on: date.adding(days: -7), asEnd: asEnd)
        case .moment(let day, let clock):
            return calendar.time(clock, on: calendar.date(of: day), asEnd: asEnd)
        case .clock(let clock):
            return start.map { calendar.next(clock, after: $0) }
                ?? calendar.last(clock, asEnd: asEnd)
        case .period(let period):
            let range = period.range(on: calendar)
            return asEnd ? range.upperBound : range.lowerBound
        case .instant(let time):
            return time
        }
    }

    /// True if the time follows from what the clock says now.
    package var dependsOnClock: Bool {
        switch self {
        case .now, .ago, .clock, .period: true
        case .day(.date), .moment(.date, _), .instant: false
        case .day, .moment: true
        }
    }
}

/// A named span of time (`--during`), or an end of it (`--since`, `--until`).
package enum NamedPeriod: String, CaseIterable, Sendable {
    case lastNight = "last-night"
    case today, yesterday
    case thisWeek = "this-week"
    case lastWeek = "last-week"
    case thisMonth = "this-month"
    case lastMonth = "last-month"

    /// The first and the last microsecond; weeks begin on Monday (ISO 8601).
    package func range(on calendar: LocalCalendar) -> ClosedRange<Timestamp> {
        let today = calendar.today
        let monday = today.adding(days: -((today.weekday + 6) % 7))
        let (first, days): (CivilDate, Int)
        switch self {
        case .lastNight: return calendar.lastNight
        case .today: (first, days) = (today, 1)
        case .yesterday: (first, days) = (today.adding(days: -1), 1)
        case .thisWeek: (first, days) = (monday, 7)
        case .lastWeek: (first, days) = (monday.adding(days: -7), 7)
        case .thisMonth: (first, days) = (today.adding(days: 1 - today.day), today.daysInMonth)
        case .lastMonth:
            let last = today.adding(days: -today.day)
            (first, days) = (last.adding(days: 1 - last.day), last.daysInMonth)
        }
        let last = first.adding(days: days - 1)
        return calendar.zone.start(of: first)...calendar.zone.end(of: last)
    }
}

/// Reports an invalid time, such as `invalid date '2026-02-30': February 2026 has 28 days`.
package struct TimeExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(unknown text: String) {
        description = "invalid time \(text.inQuotes)"
    }

    init(date: CivilDate, in text: String) {
        let reason =
            if !(1...9999).contains(date.year) {
                "years are 0001 to 9999"
            } else if (1...12).contains(date.month) {
                "\(CivilDate.monthNames[date.month - 1]) \(date.year) has \(date.daysInMonth) days"
            } else {
                "months are 01 to 12"
            }
        description = "invalid date \(text.inQuotes): \(reason)"
    }

    init(_ clock: TimeOfDay, in text: String) {
        let reason =
            if clock.hour > 23 {
                "the last minute of a day is 23:59"
            } else if clock.minute > 59 {
                "minutes are 00 to 59"
            } else {
                "seconds are 00 to 59"
            }
        description = "invalid time \(text.inQuotes): \(reason)"
    }
}
