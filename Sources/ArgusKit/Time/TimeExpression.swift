/// A time as users write it after `--since` and `--until` (contract section 1).
///
/// Parsing needs neither clock nor time zone; `resolve` takes both.
package enum TimeExpression: Hashable, Sendable {
    case now
    /// `90s`, `15m`, `2h`, `3d`, `1w`: the distance before now.
    case ago(microseconds: Int64)
    /// `today` is 0, `yesterday` is 1.
    case daysAgo(Int)
    /// `HH:MM` of today.
    case clock(hour: Int, minute: Int)
    /// `YYYY-MM-DD`; the time of day is midnight.
    case date(TimeFields)
    /// A date with a time of day, in the local time zone.
    case local(TimeFields)
    /// A date and time with a zone.
    case instant(Timestamp)

    /// Parses a time.
    /// - Throws: `TimeExpressionError`, whose description lists the accepted forms.
    package init(_ text: String) throws(TimeExpressionError) {
        var text = text
        guard let expression = text.withUTF8({ Self.read($0) }) ?? Self.readAgo(text) else {
            throw TimeExpressionError()
        }
        self = expression
    }

    /// The point in time, in the year 0001 or later; `asEnd` means the last microsecond of a day.
    package func resolve(asEnd: Bool, now: Timestamp, zone: TimeZoneRules) -> Timestamp {
        switch self {
        case .now:
            return now
        case .ago(let microseconds):
            let (time, overflowed) = now.microseconds.subtractingReportingOverflow(microseconds)
            return overflowed ? .earliestText : max(Timestamp(microseconds: time), .earliestText)
        case .daysAgo(let days):
            return Self.edge(of: Self.day(days, before: now, in: zone), isEnd: asEnd, in: zone)
        case .clock(let hour, let minute):
            var fields = Self.day(0, before: now, in: zone)
            fields.hour = hour
            fields.minute = minute
            return zone.time(of: fields)
        case .date(let fields):
            return Self.edge(of: fields, isEnd: asEnd, in: zone)
        case .local(let fields):
            return zone.time(of: fields)
        case .instant(let time):
            return time
        }
    }

    private static func day(
        _ days: Int, before now: Timestamp, in zone: TimeZoneRules
    ) -> TimeFields {
        let today = zone.fields(of: now)
        let number = CivilDate(year: today.year, month: today.month, day: today.day).daysSinceEpoch
        let date = CivilDate(daysSinceEpoch: number - days)
        return TimeFields(year: date.year, month: date.month, day: date.day)
    }

    private static func edge(
        of day: TimeFields, isEnd: Bool, in zone: TimeZoneRules
    ) -> Timestamp {
        isEnd
            ? zone.endOfDay(year: day.year, month: day.month, day: day.day)
            : zone.startOfDay(year: day.year, month: day.month, day: day.day)
    }
}

extension TimeExpression {
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> TimeExpression? {
        switch String(decoding: bytes, as: UTF8.self) {
        case "now": return .now
        case "today": return .daysAgo(0)
        case "yesterday": return .daysAgo(1)
        default: break
        }
        var scanner = TimeScanner(bytes)
        if let fields = scanner.takeDate() { return readRest(after: fields, &scanner) }
        guard let hour = scanner.takeNumber(digits: 2), scanner.take(UInt8(ascii: ":")),
            let minute = scanner.takeNumber(digits: 2), scanner.isAtEnd, hour < 24, minute < 60
        else { return nil }
        return .clock(hour: hour, minute: minute)
    }

    private static func readRest(
        after date: TimeFields, _ scanner: inout TimeScanner
    ) -> TimeExpression? {
        var fields = date
        if scanner.isAtEnd { return fields.isValid ? .date(fields) : nil }
        guard scanner.take(UInt8(ascii: "T")) || scanner.take(UInt8(ascii: " ")),
            scanner.takeClock(into: &fields), fields.isValid
        else { return nil }
        if scanner.isAtEnd { return .local(fields) }
        guard let offset = scanner.takeZone(), scanner.isAtEnd else { return nil }
        return .instant(Timestamp(fields, offset: offset))
    }

    private static func readAgo(_ text: String) -> TimeExpression? {
        guard let unit = text.last, unit.isLetter, !text.hasSuffix("ms"),
            let microseconds = DurationText.microseconds(text)
        else { return nil }
        return .ago(microseconds: microseconds)
    }
}

/// Reports an invalid time; the description lists the accepted forms.
package struct TimeExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "a time is 90s, 15m, 2h, 3d or 1w (ago), now, today, yesterday, HH:MM, or "
            + "YYYY-MM-DD[THH:MM[:SS]] with an optional Z or ±hh:mm"
    }
}
