import Glibc

/// Checks of times of day and time zones in preferences.
enum ClockTime {
    /// True for `H:MM` and `HH:MM`; `isStrict` requires two digits.
    static func isTime(_ text: String, isStrict: Bool = false) -> Bool {
        guard let parts = text.wholeMatch(of: /(\d\d?):(\d\d)/)?.output, let hour = Int(parts.1),
            let minute = Int(parts.2)
        else { return false }
        return hour < 24 && minute < 60 && (parts.1.count == 2 || !isStrict)
    }

    /// True if the machine's database has a zone of that name (tzfile(5)).
    static func isZone(_ name: String) -> Bool {
        if name == "UTC" { return true }
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "/_+-".contains($0) }
        return isPlain && !name.hasPrefix("/")
            && access("/usr/share/zoneinfo/\(name)", R_OK) == 0
    }
}
