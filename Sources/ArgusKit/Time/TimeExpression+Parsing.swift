extension TimeExpression {
    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// Parses a time; words may be written in any case.
    ///
    /// - Throws: `TimeExpressionError`.
    static func read(_ text: String) throws(TimeExpressionError) -> TimeExpression {
        switch text.lowercased() {
        case "now": return .now
        case "last-night": return .lastNight
        default: break
        }
        if let date = try readDate(text) { return date }
        if let day = try readDay(text) { return day }
        if let clock = try readClock(text) { return clock }
        guard let unit = text.last, unit.isLetter, !text.hasSuffix("ms"),
            let microseconds = DurationText.microseconds(text)
        else { throw TimeExpressionError(unknown: text) }
        return .ago(microseconds: microseconds)
    }

    /// The date and the time of day as numbers, not yet validated.
    private struct Reading {
        var fields: TimeFields
        var hasClock = false
        /// Seconds east of UTC.
        var offset: Int?
    }

    /// Reads `YYYY-MM-DD`, with `THH:MM[:SS[.f…]]` and a zone if present.
    ///
    /// - Throws: `TimeExpressionError` for an invalid date; nil means that the text is not a date.
    private static func readDate(_ text: String) throws(TimeExpressionError) -> TimeExpression? {
        var text = text
        guard let reading = text.withUTF8({ Self.scanDate($0) }) else { return nil }
        let fields = reading.fields
        let date = CivilDate(year: fields.year, month: fields.month, day: fields.day)
        guard date.isValid else { throw TimeExpressionError(date: date, in: text) }
        guard fields.isValid else { throw TimeExpressionError(clockIn: text) }
        if let offset = reading.offset { return .instant(Timestamp(fields, offset: offset)) }
        return reading.hasClock ? .moment(.date(date), TimeOfDay(fields)) : .day(.date(date))
    }

    private static func scanDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Reading? {
        var scanner = TimeScanner(bytes)
        guard var reading = scanner.takeDate().map({ Reading(fields: $0) }) else { return nil }
        if scanner.isAtEnd { return reading }
        reading.hasClock = true
        guard scanner.take(UInt8(ascii: "T")) || scanner.take(UInt8(ascii: " ")),
            scanner.takeClock(into: &reading.fields)
        else { return nil }
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
        var (copy, fields) = (text, TimeFields(year: 1, month: 1, day: 1))
        let isRead = copy.withUTF8 { bytes in
            var scanner = TimeScanner(bytes)
            return scanner.takeClock(into: &fields) && scanner.isAtEnd
        }
        guard isRead else { return nil }
        guard fields.isValid else { throw TimeExpressionError(clockIn: text) }
        return .clock(TimeOfDay(fields))
    }
}
