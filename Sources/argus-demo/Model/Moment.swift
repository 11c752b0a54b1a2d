import Glibc

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z.
struct Moment: Sendable, Hashable, Comparable {
    var microseconds: Int64

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whole seconds since the epoch, rounded down.
    var seconds: Int64 {
        (microseconds >= 0 ? microseconds : microseconds - 999_999) / 1_000_000
    }

    /// The microseconds after the whole second.
    private var fraction: Int { Int(microseconds - seconds * 1_000_000) }

    /// The UTC calendar fields (gmtime_r(3)).
    var fields: tm {
        var seconds = time_t(self.seconds)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return fields
    }

    static func < (left: Moment, right: Moment) -> Bool { left.microseconds < right.microseconds }

    static func + (moment: Moment, seconds: Int64) -> Moment {
        Moment(microseconds: moment.microseconds + seconds * 1_000_000)
    }
}

extension Moment {
    init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

    /// `…Z`, with six decimals only where they are not zero: most REST fields.
    var text: String {
        String(unsafeUninitializedCapacity: 27) { space in
            let time = fields
            var count = 0
            func put(_ number: Int, _ digits: Int, _ sign: Unicode.Scalar) {
                var rest = number
                for place in stride(from: count + digits - 1, through: count, by: -1) {
                    space[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                space[count + digits] = UInt8(ascii: sign)
                count += digits + 1
            }
            put(Int(time.tm_year) + 1900, 4, "-")
            put(Int(time.tm_mon) + 1, 2, "-")
            put(Int(time.tm_mday), 2, "T")
            put(Int(time.tm_hour), 2, ":")
            put(Int(time.tm_min), 2, ":")
            put(Int(time.tm_sec), 2, fraction == 0 ? "Z" : ".")
            if fraction != 0 { put(fraction, 6, "Z") }
            return count
        }
    }

    /// `…+00:00` with six decimals: WebSocket envelopes, camera health.
    var offsetText: String { text.dropLast() + (fraction == 0 ? ".000000" : "") + "+00:00" }

    /// Without a zone: entities, notifications, webhooks.
    var naiveText: String { String(text.dropLast()) }

    /// The UTC day as `YYYY-MM-DD`, the folder of a thumbnail.
    var dayText: String { String(text.prefix(10)) }

    /// The form of the `Date` header (RFC 9110, section 5.6.7).
    var httpDate: String { formatted("%a, %d %b %Y %H:%M:%S GMT") }

    /// `YYYY-MM-DD HH:MM:SS`, as cameras stamp it into their pictures.
    var stampText: String { formatted("%Y-%m-%d %H:%M:%S") }

    private func formatted(_ format: String) -> String {
        var fields = fields
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { space in
            let count = strftime(space.baseAddress, space.count, format, &fields)
            return String(
                decoding: space.prefix(count).map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
        }
    }

    /// Parses every form that the server accepts: ISO 8601, a date, or Unix seconds; ignores the
    /// zone, as the default database does.
    init?(_ text: String) {
        if let seconds = Double(text) {
            // Unix seconds beyond the year 9999 would trap below.
            guard abs(seconds) < 253_402_300_800 else { return nil }
            self.init(microseconds: Int64(seconds * 1_000_000))
            return
        }
        let form =
            #/
            (\d{4})-(\d\d)-(\d\d)
            (?:[Tt\ ](\d\d):(\d\d)(?::(\d\d))?(?:\.(\d+))?(?:[Zz]|[+-]\d\d:?\d\d)?)?
            /#
        guard let parts = text.wholeMatch(of: form.asciiOnlyDigits())?.output else { return nil }
        let numbers = [parts.1, parts.2, parts.3, parts.4 ?? "0", parts.5 ?? "0", parts.6 ?? "0"]
        let values = numbers.compactMap { Int32($0) }
        guard (1...12).contains(values[1]), (1...31).contains(values[2]), values[3] < 24,
            values[4] < 60, values[5] < 60
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon) = (values[0] - 1900, values[1] - 1)
        fields.tm_mday = values[2]
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (values[3], values[4], values[5])
        let fraction = Int64(((parts.7 ?? "") + "000000").prefix(6)) ?? 0
        self.init(microseconds: Int64(timegm(&fields)) * 1_000_000 + fraction)
    }
}
