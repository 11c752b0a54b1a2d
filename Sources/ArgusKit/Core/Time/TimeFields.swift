/// A date and a time of day; the context gives the zone.
package struct TimeFields: Hashable, Sendable {
    package var date: CivilDate
    package var clock: TimeOfDay

    package init(date: CivilDate, clock: TimeOfDay) {
        self.date = date
        self.clock = clock
    }
}

extension TimeFields {
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
        date = CivilDate(daysSinceEpoch: day)
        clock = TimeOfDay(
            hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, microsecond: microsecond)
    }

    /// Seconds since 1970-01-01T00:00:00 by the same clock.
    var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400
            + Int64(clock.hour * 3600 + clock.minute * 60 + clock.second)
    }

    /// True if every part is in its range and the day exists; years 0001 to 9999.
    var isValid: Bool { date.isValid && clock.isValid }
}

/// A local time of day.
package struct TimeOfDay: Hashable, Sendable {
    package var hour: Int
    package var minute: Int
    /// 0 to 59: neither servers nor POSIX clocks count leap seconds.
    package var second = 0
    package var microsecond = 0

    package init(hour: Int, minute: Int, second: Int = 0, microsecond: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    static let midnight = TimeOfDay(hour: 0, minute: 0)

    var isValid: Bool {
        (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
            && (0...999_999).contains(microsecond)
    }

    /// Writes the 8 bytes `HH:MM:SS` at an index of a buffer.
    func write(to text: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        text.writeTwoDigits(hour, at: index)
        text[index + 2] = UInt8(ascii: ":")
        text.writeTwoDigits(minute, at: index + 3)
        text[index + 5] = UInt8(ascii: ":")
        text.writeTwoDigits(second, at: index + 6)
    }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    /// The year of the Gregorian calendar, also before its invention.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
}

extension CivilDate {
    /// Writes the 10 bytes `YYYY-MM-DD` at an index of a buffer.
    func write(to text: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        text.writeTwoDigits(year / 100, at: index)
        text.writeTwoDigits(year % 100, at: index + 2)
        text[index + 4] = UInt8(ascii: "-")
        text.writeTwoDigits(month, at: index + 5)
        text[index + 7] = UInt8(ascii: "-")
        text.writeTwoDigits(day, at: index + 8)
    }

    /// The day `daysSinceEpoch` days after 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", civil_from_days: years begin in March, so that the leap day comes last).
    package init(daysSinceEpoch: Int) {
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
    package var daysSinceEpoch: Int {
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
            && (1...daysInMonth).contains(day)
    }

    /// The date so many days later.
    package func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    /// `Thursday`.
    package var weekdayName: String { Self.weekdayNames[weekday] }

    /// `November`.
    package var monthName: String { Self.monthNames[month - 1] }

    static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    static let weekdayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// The date in words: `Friday, 20 November 2026`.
    package var longText: String {
        "\(Self.weekdayNames[weekday]), \(day) \(Self.monthNames[month - 1]) \(year)"
    }

    /// 0 is Sunday.
    package var weekday: Int {
        let remainder = (daysSinceEpoch + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    var daysInMonth: Int {
        switch month {
        case 2: Self.isLeap(year) ? 29 : 28
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

extension UnsafeMutableBufferPointer<UInt8> {
    @inline(__always)
    fileprivate func writeTwoDigits(_ value: Int, at index: Int) {
        self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        self[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }
}
