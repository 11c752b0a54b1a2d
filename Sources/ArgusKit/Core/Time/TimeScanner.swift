/// Reads the parts of a written time from left to right.
struct TimeScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func takeNumber(digits count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<(position + count)] {
            guard let digit = byte.decimalDigit else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    /// Reads one or more digits; nil without one, or if the number exceeds Int64.
    mutating func takeNumber() -> Int64? {
        let start = position
        var value: Int64 = 0
        while let digit = next?.decimalDigit {
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = tens.addingReportingOverflow(Int64(digit))
            if overflowed || overflowedAgain {
                position = start
                return nil
            }
            value = sum
            position += 1
        }
        return position > start ? value : nil
    }

    /// Reads the digits after a decimal point as microseconds and drops those past the sixth.
    mutating func takeFraction() -> Int? {
        let start = position
        var value = 0
        while let digit = next?.decimalDigit {
            if position - start < 6 { value = value * 10 + digit }
            position += 1
        }
        guard position > start else { return nil }
        for _ in min(position - start, 6)..<6 { value *= 10 }
        return value
    }

    /// Reads `YYYY-MM-DD`.
    mutating func takeDate() -> CivilDate? {
        let start = position
        guard let year = takeNumber(digits: 4), take(UInt8(ascii: "-")),
            let month = takeNumber(digits: 2), take(UInt8(ascii: "-")),
            let day = takeNumber(digits: 2)
        else {
            position = start
            return nil
        }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Reads the mark between a date and a time of day (RFC 3339, section 5.6).
    mutating func takeTimeMark() -> Bool {
        take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(UInt8(ascii: " "))
    }

    /// Reads `HH:MM[:SS[.f…]]`.
    mutating func takeClock() -> TimeOfDay? {
        guard let hour = takeNumber(digits: 2), take(UInt8(ascii: ":")),
            let minute = takeNumber(digits: 2)
        else { return nil }
        var clock = TimeOfDay(hour: hour, minute: minute)
        guard take(UInt8(ascii: ":")) else { return clock }
        guard let second = takeNumber(digits: 2) else { return nil }
        clock.second = second
        guard take(UInt8(ascii: ".")) else { return clock }
        guard let microsecond = takeFraction() else { return nil }
        clock.microsecond = microsecond
        return clock
    }

    /// Reads `Z` or `±hh[[:]mm]` as seconds east of UTC.
    mutating func takeZone() -> Int? {
        if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")),
            let hours = takeNumber(digits: 2), hours < 24
        else { return nil }
        let hasColon = take(UInt8(ascii: ":"))
        guard hasColon || !isAtEnd else { return isWest ? -hours * 3600 : hours * 3600 }
        guard let minutes = takeNumber(digits: 2), minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }
}

extension UInt8 {
    @inline(__always)
    var decimalDigit: Int? {
        let digit = self &- UInt8(ascii: "0")
        return digit < 10 ? Int(digit) : nil
    }
}
