extension Moment {
    /// How the server spells a point in time (backend-facts 0.5).
    enum Zone {
        /// `…Z`, six decimals only where they are not zero: most REST fields.
        case letter
        /// `…+00:00` with six decimals: WebSocket envelopes, camera health.
        case offset
        /// Six decimals and no zone, meaning UTC: data of pushed events.
        case none
    }

    func text(_ zone: Zone = .letter) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: Moment.longestText) { space, count in
            count = write(to: UnsafeMutableRawBufferPointer(space))
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if zone == .letter { return text }
        text.removeLast()
        if CivilTime(self).microsecond == 0 { text += ".000000" }
        return zone == .offset ? text + "+00:00" : text
    }

    /// The UTC day as `YYYY-MM-DD`, the folder of a thumbnail.
    var dayText: String { String(text().prefix(10)) }

    /// The form of the `Date` header (RFC 9110, section 5.6.7).
    var httpDate: String {
        let time = CivilTime(self)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        return "\(days[time.weekday]), \(two(time.day)) \(months[time.month - 1]) \(time.year) "
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
    }

    /// `YYYY-MM-DD HH:MM:SS`, as cameras stamp it into their pictures.
    var stampText: String {
        String(text().prefix(19)).split(separator: "T").joined(separator: " ")
    }

    /// The bytes that the `Z` form with a fraction takes.
    static let longestText = 27

    /// Writes the `Z` form to the front of `space` and returns its length.
    ///
    /// Pages hold hundreds of them, so it goes through no string.
    func write(to space: UnsafeMutableRawBufferPointer) -> Int {
        let time = CivilTime(self)
        func put(_ value: Int, _ digits: Int, at offset: Int) {
            var value = value
            for place in stride(from: offset + digits - 1, through: offset, by: -1) {
                space[place] = UInt8(ascii: "0") + UInt8(value % 10)
                value /= 10
            }
        }
        put(time.year, 4, at: 0)
        space[4] = UInt8(ascii: "-")
        put(time.month, 2, at: 5)
        space[7] = UInt8(ascii: "-")
        put(time.day, 2, at: 8)
        space[10] = UInt8(ascii: "T")
        put(time.hour, 2, at: 11)
        space[13] = UInt8(ascii: ":")
        put(time.minute, 2, at: 14)
        space[16] = UInt8(ascii: ":")
        put(time.second, 2, at: 17)
        var count = 19
        if time.microsecond != 0 {
            space[19] = UInt8(ascii: ".")
            put(time.microsecond, 6, at: 20)
            count = 26
        }
        space[count] = UInt8(ascii: "Z")
        return count + 1
    }

    /// Reads what the server accepts: ISO 8601 with any zone or none, a date, or Unix seconds.
    ///
    /// A zone other than `Z` is read and dropped, as the default database does (backend-facts 0.5).
    init?(_ text: String) {
        if let seconds = Double(text) {
            // Unix seconds beyond the year 9999 would trap below.
            guard abs(seconds) < 253_402_300_800 else { return nil }
            self.init(microseconds: Int64(seconds * 1_000_000))
            return
        }
        var reader = DigitReader(text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(digits: 2), (1...31).contains(day)
        else { return nil }
        var seconds = CivilTime.days(year: year, month: month, day: day) * 86_400
        var microseconds = 0
        if !reader.isAtEnd {
            guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
                let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
                let minute = reader.number(digits: 2), minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if reader.skip(":") {
                guard let second = reader.number(digits: 2), second < 60 else { return nil }
                seconds += second
            }
            if reader.skip(".") {
                guard let fraction = reader.fraction() else { return nil }
                microseconds = fraction
            }
            guard reader.skipZone() else { return nil }
        }
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds))
    }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Takes fixed-width numbers off the front of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(digits: Int) -> Int? {
        guard rest.count >= digits, let number = Int(String(rest.prefix(digits)) ?? ""),
            number >= 0
        else { return nil }
        rest = rest.dropFirst(digits)
        return number
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first.map(Unicode.Scalar.init) == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The digits after the point as microseconds; finer ones are cut off.
    mutating func fraction() -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let six = (String(digits) ?? "") + "000000"
        return Int(six.prefix(6))
    }

    mutating func skipZone() -> Bool {
        if isAtEnd { return true }
        if skip("Z") || skip("z") { return isAtEnd }
        guard skip("+") || skip("-"), number(digits: 2) != nil else { return false }
        _ = skip(":")
        return number(digits: 2) != nil && isAtEnd
    }
}
