import Glibc

/// The dates of header fields, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Reads the one form that servers send today; nil for anything else.
    package static func parse(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT",
            let day = number(words[1], 1...31), let month = months.firstIndex(of: words[2]),
            let year = number(words[3], 1970...9999)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 0...23),
            let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return Timestamp(seconds: Int64(timegm(&parts)))
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(text),
            range.contains(number)
        else { return nil }
        return number
    }
}
