extension TimeExpression {
    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// The words that stand for a time by themselves.
    package static let words = ["now"] + NamedPeriod.allCases.map(\.rawValue) + weekdays

    /// Parses a time; words may be written in any case.
    /// - Throws: `TimeExpressionError`.
    static func read(_ text: String) throws(TimeExpressionError) -> TimeExpression {
        if text.lowercased() == "now" { return .now }
        if let date = try readDate(text) { return date }
        // `today` is a day, though a period too.
        if let day = try readDay(text) { return day }
        if let period = NamedPeriod(rawValue: text.lowercased()) { return .period(period) }
        if let clock = try readClock(text) { return clock }
        guard let unit = text.last, unit.isLetter, !text.hasSuffix("ms"),
            let microseconds = DurationText.microseconds(text)
        else { throw TimeExpressionError(unknown: text) }
        return .ago(microseconds: microseconds)
    }

    /// The date and the time of day as numbers, not yet validated.
    private struct Reading {
        var date: CivilDate
        var clock: TimeOfDay?
        /// Seconds east of UTC.
        var offset: Int?
    }

    /// Reads `YYYY-MM-DD`, with `THH:MM[:SS[.f…]]` and a zone if present.
    /// - Throws: `TimeExpressionError` for an invalid date; nil means that the text is not a date.
    private static func readDate(_ text: String) throws(TimeExpressionError) -> TimeExpression? {
        var text = text
        guard let reading = text.withUTF8({ Self.scanDate($0) }) else { return nil }
        let date = reading.date
        guard date.isValid else { throw TimeExpressionError(date: date, in: text) }
        guard let clock = reading.clock else { return .day(.date(date)) }
        guard clock.isValid else { throw TimeExpressionError(clock, in: text) }
        guard let offset = reading.offset else { return .moment(.date(date), clock) }
        return .instant(Timestamp(TimeFields(date: date, clock: clock), offset: offset))
    }

    private static func scanDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Reading? {
        var scanner = TimeScanner(bytes)
        guard var reading = scanner.takeDate().map({ Reading(date: $0) }) else { return nil }
        if scanner.isAtEnd { return reading }
        guard scanner.takeTimeMark(), let clock = scanner.takeClock() else { return nil }
        reading.clock = clock
        if scanner.isAtEnd { return reading }
        reading.offset = scanner.takeZone()
        return reading.offset != nil && scanner.isAtEnd ? reading : nil
    }

    /// Reads `today`, `yesterday` or a weekday, with an optional time of day.
    private static func readDay(_ text: String) throws(TimeExpressionError) -> TimeExpression? {
        let words = text.lowercased().split(separator: " ", maxSplits: 1)
        guard let day = words.first.flatMap(day(named:)) else { return nil }
        guard words.count == 2 else { return text.contains(" ") ? nil : .day(day) }
        guard case .clock(let clock)? = try readClock(String(words[1])) else { return nil }
        return .moment(day, clock)
    }

    private static func day(named name: Substring) -> Day? {
        switch name {
        case "today": return .ago(0)
        case "yesterday": return .ago(1)
        default:
            let number = weekdays.firstIndex { $0 == name || $0.prefix(3) == name }
            return number.map { .weekday($0) }
        }
    }

    /// Reads `HH:MM[:SS]`.
    private static func readClock(_ text: String) throws(TimeExpressionError) -> TimeExpression? {
        var copy = text
        let read = copy.withUTF8 { bytes in
            var scanner = TimeScanner(bytes)
            let clock = scanner.takeClock()
            return scanner.isAtEnd ? clock : nil
        }
        guard let clock = read else { return nil }
        guard clock.isValid else { throw TimeExpressionError(clock, in: text) }
        return .clock(clock)
    }
}
