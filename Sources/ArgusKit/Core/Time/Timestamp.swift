internal import Glibc

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z, the finest unit of servers.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, negative before it.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Makes a point in time from Unix seconds; those out of range, as of a server, are clamped.
    package init(seconds: Int64) {
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflowed ? (seconds < 0 ? .min : .max) : product
    }

    /// The system's clock (clock_gettime(2), CLOCK_REALTIME).
    package static func current() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whole seconds since the Unix epoch, rounded down.
    package var seconds: Int64 { microseconds.dividedDown(by: 1_000_000) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The time after a duration, clamped to the range of Int64.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let offset = duration.wholeMicroseconds
        let (sum, overflowed) = time.microseconds.addingReportingOverflow(offset)
        return Timestamp(microseconds: overflowed ? (offset < 0 ? .min : .max) : sum)
    }

    /// The time before a duration, clamped to the range of Int64.
    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        time + (.zero - duration)
    }

    /// The time from `right` to `left`; negative if `left` is earlier.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds) - .microseconds(right.microseconds)
    }

    /// The time as `YYYY-MM-DDTHH:MM:SS.ffffffZ` in UTC; years outside 0001 to 9999 are clamped.
    package var utcText: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        appendUTCText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `utcText` to a buffer without making a string.
    package func appendUTCText(to output: inout [UInt8]) {
        let time = min(max(self, .earliestText), .latestText)
        let fields = TimeFields(utc: time)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { text in
            fields.date.write(to: text, at: 0)
            text[10] = UInt8(ascii: "T")
            fields.clock.write(to: text, at: 11)
            text[19] = UInt8(ascii: ".")
            var fraction = fields.clock.microsecond
            for index in stride(from: 25, through: 20, by: -1) {
                text[index] = UInt8(ascii: "0") + UInt8(fraction % 10)
                fraction /= 10
            }
            text[26] = UInt8(ascii: "Z")
            output.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    /// 0001-01-01T00:00:00Z.
    package static let earliestText = Timestamp(seconds: -62_135_596_800)
    /// 9999-12-31T23:59:59.999999Z.
    package static let latestText = Timestamp(microseconds: 253_402_300_799_999_999)

    /// The time for tables, in a zone: `2026-11-20 22:00:05`.
    package func displayText(in zone: TimeZoneRules) -> String {
        var fields = zone.fields(of: min(max(self, .earliestText), .latestText))
        // An offset can move the ends of the range into years of other lengths.
        fields.date.year = min(max(fields.date.year, 1), 9999)
        return String(unsafeUninitializedCapacity: 19) { text in
            fields.date.write(to: text, at: 0)
            text[10] = UInt8(ascii: " ")
            fields.clock.write(to: text, at: 11)
            return 19
        }
    }

    /// The time for file names, in a zone: `20261120T220005`.
    package func fileNameText(in zone: TimeZoneRules) -> String {
        String(displayText(in: zone).filter { $0 != "-" && $0 != ":" }.map { $0 == " " ? "T" : $0 })
    }

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
        guard let date = scanner.takeDate() else {
            self.init(unixText: bytes)
            return
        }
        var fields = TimeFields(date: date, clock: .midnight)
        var offset = 0
        if !scanner.isAtEnd {
            guard scanner.takeTimeMark(), let clock = scanner.takeClock() else { return nil }
            fields.clock = clock
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
                + Int64(fields.clock.microsecond))
    }
}

extension Duration {
    /// The time since the machine was started, asleep or not (clock_gettime(2), CLOCK_BOOTTIME).
    package static func sinceBoot() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The duration in microseconds, truncated towards zero and clamped to Int64.
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowedAgain) = product.addingReportingOverflow(
            attoseconds / 1_000_000_000_000)
        return overflowed || overflowedAgain ? (seconds < 0 ? .min : .max) : sum
    }
}
