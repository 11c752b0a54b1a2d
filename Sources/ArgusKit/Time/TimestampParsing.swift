extension Timestamp {
    /// Parses a time in any form that servers send; nil for anything else.
    ///
    /// Accepts `2026-11-20T22:00:00Z` with a fraction of any length (truncated to microseconds),
    /// with `Z`, `±hh:mm`, `±hhmm`, `±hh` or no zone (UTC), with a blank for the `T`, a date alone,
    /// or Unix seconds such as `1795212000` or `1795212000.5` (backend facts, section 0.5).
    package init?(serverText text: String) {
        var text = text
        guard let time = text.withUTF8({ Timestamp(serverBytes: $0) }) else { return nil }
        self = time
    }

    /// Parses the UTF-8 bytes of a time, as `init(serverText:)` does.
    init?(serverBytes bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = TimeScanner(bytes)
        guard var fields = scanner.takeDate() else {
            self.init(unixText: bytes)
            return
        }
        var offset = 0
        if !scanner.isAtEnd {
            guard
                scanner.take(UInt8(ascii: "T")) || scanner.take(UInt8(ascii: " "))
                    || scanner.take(UInt8(ascii: "t")),
                scanner.takeClock(into: &fields)
            else { return nil }
            if !scanner.isAtEnd {
                guard let zone = scanner.takeZone(), scanner.isAtEnd else { return nil }
                offset = zone
            }
        }
        guard fields.isValid else { return nil }
        self.init(fields, offset: offset)
    }

    private init?(unixText bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = TimeScanner(bytes)
        let isNegative = scanner.take(UInt8(ascii: "-"))
        guard let seconds = scanner.takeNumber(), seconds <= Self.latestText.seconds else {
            return nil
        }
        var microseconds: Int64 = 0
        if scanner.take(UInt8(ascii: ".")) {
            guard let fraction = scanner.takeFraction() else { return nil }
            microseconds = Int64(fraction)
        }
        guard scanner.isAtEnd else { return nil }
        microseconds += seconds * 1_000_000
        self.init(microseconds: isNegative ? -microseconds : microseconds)
        guard self >= Self.earliestText else { return nil }
    }

    /// The point in time that a clock `offset` seconds east of UTC shows as these fields.
    init(_ fields: TimeFields, offset: Int) {
        self.init(
            microseconds: (fields.secondsSinceEpoch - Int64(offset)) * 1_000_000
                + Int64(fields.microsecond))
    }
}
