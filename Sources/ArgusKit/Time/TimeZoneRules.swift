/// The offsets of a time zone from UTC over time (RFC 9636).
package struct TimeZoneRules: Hashable, Sendable {
    /// The start of an offset.
    struct Transition: Hashable, Sendable {
        /// Seconds since the Unix epoch.
        var start: Int64
        /// Seconds east of UTC.
        var offset: Int
    }

    /// The offset before the first transition, in seconds east of UTC.
    private let firstOffset: Int
    /// In ascending order.
    private let transitions: [Transition]
    /// The rule after the last transition.
    private let continuation: POSIXTimeZoneRule?

    init(firstOffset: Int, transitions: [Transition] = [], continuation: POSIXTimeZoneRule? = nil) {
        self.firstOffset = firstOffset
        self.transitions = transitions
        self.continuation = continuation
    }

    /// Coordinated Universal Time.
    package static let utc = TimeZoneRules(firstOffset: 0)

    /// Seconds east of UTC at a point in time.
    package func offset(at time: Timestamp) -> Int {
        let seconds = time.seconds
        guard let last = transitions.last else {
            return continuation?.offset(at: seconds) ?? firstOffset
        }
        if seconds >= last.start { return continuation?.offset(at: seconds) ?? last.offset }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].start <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : transitions[low - 1].offset
    }

    /// The local date and time at a point in time.
    package func fields(of time: Timestamp) -> TimeFields {
        let seconds = time.seconds
        return TimeFields(
            secondsSinceEpoch: seconds + Int64(offset(at: time)),
            microsecond: Int(time.microseconds - seconds * 1_000_000))
    }

    /// The point in time with this local date and time.
    ///
    /// If there are two, the earlier; a time that the clocks skip moves forward by the gap.
    package func time(of fields: TimeFields) -> Timestamp {
        // No offset reaches 24 hours, so these two enclose the time in question.
        let asUTC = Timestamp(fields, offset: 0)
        let before = offset(at: Timestamp(microseconds: asUTC.microseconds - 86_400_000_000))
        let after = offset(at: Timestamp(microseconds: asUTC.microseconds + 86_400_000_000))
        let candidates = [before, after].map { Timestamp(fields, offset: $0) }
        let matches = candidates.filter { self.fields(of: $0) == fields }
        return matches.min() ?? Timestamp(fields, offset: before)
    }

    /// The first instant of a day, which is not midnight if the clocks skip it.
    package func startOfDay(year: Int, month: Int, day: Int) -> Timestamp {
        time(of: TimeFields(year: year, month: month, day: day))
    }

    /// The last microsecond of a day.
    package func endOfDay(year: Int, month: Int, day: Int) -> Timestamp {
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        let next = CivilDate(daysSinceEpoch: days + 1)
        let start = startOfDay(year: next.year, month: next.month, day: next.day)
        return Timestamp(microseconds: start.microseconds - 1)
    }
}
