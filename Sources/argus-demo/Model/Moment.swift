import Glibc

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z.
struct Moment: Sendable, Hashable, Comparable {
    var microseconds: Int64

    init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    init(seconds: Int64) {
        self.microseconds = seconds * 1_000_000
    }

    /// The machine's clock.
    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whole seconds since the epoch, rounded down.
    var seconds: Int64 {
        (microseconds >= 0 ? microseconds : microseconds - 999_999) / 1_000_000
    }

    static func < (left: Moment, right: Moment) -> Bool { left.microseconds < right.microseconds }

    static func + (moment: Moment, seconds: Int64) -> Moment {
        Moment(microseconds: moment.microseconds + seconds * 1_000_000)
    }
}

/// A UTC calendar day and the time in it, by the proleptic Gregorian calendar.
struct CivilTime: Sendable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    var microsecond: Int
    /// 0 is Sunday.
    var weekday: Int

    /// Splits a moment (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    init(_ moment: Moment) {
        let seconds = Int(moment.seconds)
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        microsecond = Int(moment.microseconds - moment.seconds * 1_000_000)
        weekday = ((days + 4) % 7 + 7) % 7
    }

    /// Days since the epoch of a calendar day (same source).
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
