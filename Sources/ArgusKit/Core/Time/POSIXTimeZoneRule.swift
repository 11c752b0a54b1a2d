/// A time zone as a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, section
/// 8.3, with the hours -167 to 167 of RFC 9636, section 3.3.2).
struct POSIXTimeZoneRule: Hashable, Sendable {
    /// The day of a year on which the offset changes, and the time of that day.
    struct Change: Hashable, Sendable {
        /// The three notations of a day.
        enum Day: Hashable, Sendable {
            /// `Jn`: 1 to 365; February 29 is never counted.
            case withoutLeapDay(Int)
            /// `n`: 0 to 365; February 29 is counted.
            case ofYear(Int)
            /// `Mm.w.d`: a weekday (0 is Sunday) of a week (5 is the last) of a month.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after midnight by the clock before the change.
        var seconds: Int

        /// The time of the change in a year, in seconds since 1970-01-01T00:00:00 local time.
        func seconds(in year: Int) -> Int64 {
            Int64(dayNumber(in: year)) * 86_400 + Int64(seconds)
        }

        private func dayNumber(in year: Int) -> Int {
            let firstDay = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            switch day {
            case .withoutLeapDay(let number):
                let leapDay = CivilDate.isLeap(year) && number >= 60 ? 1 : 0
                return firstDay + number - 1 + leapDay
            case .ofYear(let number):
                return firstDay + number
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1)
                var day = 1 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
                while day > first.daysInMonth { day -= 7 }
                return first.daysSinceEpoch + day - 1
            }
        }
    }

    /// Summer time, or another offset beside the standard one.
    struct Alternative: Hashable, Sendable {
        var offset: Int
        var start: Change
        var end: Change
    }

    /// Seconds east of UTC.
    var standardOffset: Int
    var alternative: Alternative?

    /// Seconds east of UTC at a number of seconds after the Unix epoch.
    func offset(at seconds: Int64) -> Int {
        guard let alternative else { return standardOffset }
        let days = (seconds + Int64(standardOffset)).dividedDown(by: 86_400)
        let year = CivilDate(daysSinceEpoch: Int(days)).year
        let start = alternative.start.seconds(in: year) - Int64(standardOffset)
        let end = alternative.end.seconds(in: year) - Int64(alternative.offset)
        let isAlternative =
            start < end
            ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isAlternative ? alternative.offset : standardOffset
    }
}

extension POSIXTimeZoneRule {
    /// Parses a POSIX TZ string; nil for anything else.
    init?(posix text: String) {
        var text = text
        guard let formula = text.withUTF8({ Self.read($0) }) else { return nil }
        self = formula
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> POSIXTimeZoneRule? {
        var scanner = TimeScanner(bytes)
        guard scanner.takeZoneName(), let west = scanner.takeHours(limit: 24) else { return nil }
        var formula = POSIXTimeZoneRule(standardOffset: -west, alternative: nil)
        if scanner.isAtEnd { return formula }
        guard scanner.takeZoneName() else { return nil }
        var offset = formula.standardOffset + 3600
        if let next = scanner.next, next != UInt8(ascii: ",") {
            guard let west = scanner.takeHours(limit: 24) else { return nil }
            offset = -west
        }
        if scanner.isAtEnd {
            // A string without rules uses those of the United States, as in tzcode and glibc.
            formula.alternative = Alternative(
                offset: offset,
                start: Change(day: .weekday(month: 3, week: 2, day: 0), seconds: 7200),
                end: Change(day: .weekday(month: 11, week: 1, day: 0), seconds: 7200))
            return formula
        }
        guard let start = scanner.takeChange(), let end = scanner.takeChange(), scanner.isAtEnd
        else { return nil }
        formula.alternative = Alternative(offset: offset, start: start, end: end)
        return formula
    }
}

extension TimeScanner {
    /// Reads three or more letters, or `<…>`, which may also hold digits and signs.
    fileprivate mutating func takeZoneName() -> Bool {
        let isQuoted = take(UInt8(ascii: "<"))
        var count = 0
        while let byte = next {
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            let isQuotable =
                byte.decimalDigit != nil || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "-")
            guard isLetter || (isQuoted && isQuotable) else { break }
            _ = take(byte)
            count += 1
        }
        return count >= 3 && (!isQuoted || take(UInt8(ascii: ">")))
    }

    /// Reads `[±]hh[:mm[:ss]]` as seconds.
    fileprivate mutating func takeHours(limit: Int64) -> Int? {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { _ = take(next ?? 0) }
        guard let hours = takeNumber(), hours <= limit else { return nil }
        var seconds = Int(hours) * 3600
        for unit in [60, 1] {
            guard take(UInt8(ascii: ":")) else { break }
            guard let number = takeNumber(), number < 60 else { return nil }
            seconds += Int(number) * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `,date[/time]`; the time defaults to 02:00.
    fileprivate mutating func takeChange() -> POSIXTimeZoneRule.Change? {
        guard take(UInt8(ascii: ",")), let day = takeDay() else { return nil }
        guard take(UInt8(ascii: "/")) else {
            return POSIXTimeZoneRule.Change(day: day, seconds: 7200)
        }
        return takeHours(limit: 167).map { POSIXTimeZoneRule.Change(day: day, seconds: $0) }
    }

    private mutating func takeDay() -> POSIXTimeZoneRule.Change.Day? {
        if take(UInt8(ascii: "M")) {
            guard let month = takeNumber(in: 1...12), take(UInt8(ascii: ".")),
                let week = takeNumber(in: 1...5), take(UInt8(ascii: ".")),
                let day = takeNumber(in: 0...6)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
        if take(UInt8(ascii: "J")) { return takeNumber(in: 1...365).map { .withoutLeapDay($0) } }
        return takeNumber(in: 0...365).map { .ofYear($0) }
    }

    private mutating func takeNumber(in range: ClosedRange<Int64>) -> Int? {
        takeNumber().flatMap { range.contains($0) ? Int($0) : nil }
    }
}
