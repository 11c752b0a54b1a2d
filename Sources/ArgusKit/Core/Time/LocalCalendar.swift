/// The hours of the night: `22:00-06:00`, or the setting `night`.
package struct Night: Hashable, Sendable {
    package var start: TimeOfDay
    package var end: TimeOfDay

    package static let standard = Night(
        start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 0))

    /// True if the night ends on the day after the one on which it begins.
    fileprivate var crossesMidnight: Bool {
        (start.hour, start.minute, start.second) > (end.hour, end.minute, end.second)
    }
}

extension Night {
    /// Parses `HH:MM-HH:MM`; nil for anything else, and for a night of no length.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
            try? TimeExpression(String($0))
        }
        guard ends.count == 2, case .clock(let start)? = ends[0], case .clock(let end)? = ends[1],
            start != end
        else { return nil }
        self.init(start: start, end: end)
    }
}

/// The current time, the time zone and the hours of the night.
package struct LocalCalendar: Sendable {
    package var now: Timestamp
    package var zone: TimeZoneRules
    package var night: Night

    package init(now: Timestamp, zone: TimeZoneRules, night: Night = .standard) {
        self.now = now
        self.zone = zone
        self.night = night
    }

    var today: CivilDate { zone.fields(of: now).date }

    func date(of day: TimeExpression.Day) -> CivilDate {
        switch day {
        case .ago(let days): today.adding(days: -days)
        case .weekday(let weekday): today.adding(days: -((today.weekday - weekday + 7) % 7))
        case .date(let date): date
        }
    }

    /// The time of day on a date; where an hour is repeated, an end is the later one.
    func time(_ clock: TimeOfDay, on date: CivilDate, asEnd: Bool = false) -> Timestamp {
        zone.time(of: TimeFields(date: date, clock: clock), latest: asEnd)
    }

    /// The last occurrence of a time of day.
    func last(_ clock: TimeOfDay, asEnd: Bool = false) -> Timestamp {
        let times = [today, today.adding(days: -1)].flatMap { date in
            [asEnd, false].map { time(clock, on: date, asEnd: $0) }
        }
        // Yesterday's is always over.
        return times.first { $0 <= now } ?? now
    }

    /// The first day's occurrence of a time of day after a time, as an end.
    func next(_ clock: TimeOfDay, after start: Timestamp) -> Timestamp {
        let day = zone.fields(of: start).date
        let time = time(clock, on: day, asEnd: true)
        return time > start ? time : self.time(clock, on: day.adding(days: 1), asEnd: true)
    }

    /// The night before today; if it lies within one day, the last one that has begun.
    var lastNight: ClosedRange<Timestamp> {
        guard !night.crossesMidnight else {
            let start = time(night.start, on: today.adding(days: -1))
            return start...time(night.end, on: today, asEnd: true)
        }
        let start = last(night.start)
        return start...next(night.end, after: start)
    }
}
