/// The parts of a date and a time of day; the context gives the zone.
package struct TimeFields: Hashable, Sendable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    package var hour: Int
    package var minute: Int
    /// 0 to 59: neither servers nor POSIX clocks count leap seconds.
    package var second: Int
    package var microsecond: Int

    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        microsecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// Splits a point in time into its fields in UTC.
    package init(utc time: Timestamp) {
        let seconds = time.seconds
        self.init(
            secondsSinceEpoch: seconds,
            microsecond: Int(time.microseconds - seconds * 1_000_000))
    }

    /// Splits seconds since 1970-01-01T00:00:00, by the same clock, into fields.
    init(secondsSinceEpoch seconds: Int64, microsecond: Int) {
        let day = Int(seconds.dividedDown(by: 86_400))
        let rest = Int(seconds) - day * 86_400
        let date = CivilDate(daysSinceEpoch: day)
        self.init(
            year: date.year, month: date.month, day: date.day, hour: rest / 3600,
            minute: rest / 60 % 60, second: rest % 60, microsecond: microsecond)
    }

    /// Seconds since 1970-01-01T00:00:00 by the same clock.
    var secondsSinceEpoch: Int64 {
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// True if every part is in its range and the day exists; years 0001 to 9999.
    var isValid: Bool {
        CivilDate(year: year, month: month, day: day).isValid
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
            && (0...999_999).contains(microsecond)
    }

    /// Writes the 10 bytes `YYYY-MM-DD` at an index of a buffer.
    func writeDate(to text: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        Self.writeTwoDigits(year / 100, to: text, at: index)
        Self.writeTwoDigits(year % 100, to: text, at: index + 2)
        text[index + 4] = UInt8(ascii: "-")
        Self.writeTwoDigits(month, to: text, at: index + 5)
        text[index + 7] = UInt8(ascii: "-")
        Self.writeTwoDigits(day, to: text, at: index + 8)
    }

    /// Writes the 8 bytes `HH:MM:SS` at an index of a buffer.
    func writeClock(to text: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        Self.writeTwoDigits(hour, to: text, at: index)
        text[index + 2] = UInt8(ascii: ":")
        Self.writeTwoDigits(minute, to: text, at: index + 3)
        text[index + 5] = UInt8(ascii: ":")
        Self.writeTwoDigits(second, to: text, at: index + 6)
    }

    @inline(__always)
    private static func writeTwoDigits(
        _ value: Int, to text: UnsafeMutableBufferPointer<UInt8>, at index: Int
    ) {
        text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        text[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    let year: Int
    /// 1 to 12.
    let month: Int
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day so many days after 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", civil_from_days: years begin in March, so that the leap day comes last).
    init(daysSinceEpoch: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01 (Hinnant, days_from_civil).
    var daysSinceEpoch: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// True if the day exists; years 0001 to 9999.
    var isValid: Bool {
        (1...9999).contains(year) && (1...12).contains(month)
            && day >= 1 && day <= Self.daysInMonth(month, of: year)
    }

    func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    var firstOfMonth: CivilDate { CivilDate(year: year, month: month, day: 1) }

    var lastOfMonth: CivilDate {
        CivilDate(year: year, month: month, day: Self.daysInMonth(month, of: year))
    }

    /// The English name of a month; nil outside 1 to 12.
    static func monthName(_ month: Int) -> String? {
        guard (1...12).contains(month) else { return nil }
        return [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ][month - 1]
    }

    /// 0 is Sunday.
    var weekday: Int {
        let remainder = (daysSinceEpoch + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
