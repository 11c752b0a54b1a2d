import Glibc

/// Checks of times of day and time zones in preferences.
enum ClockTime {
    /// True for `H:MM` and `HH:MM`; `isStrict` requires two digits.
    static func isTime(_ text: String, isStrict: Bool = false) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return false }
        let widths = isStrict ? 2...2 : 1...2
        return widths.contains(parts[0].count) && parts[1].count == 2 && hour < 24 && minute < 60
    }

    /// True if the machine's database has a zone of that name (tzfile(5)).
    static func isZone(_ name: String) -> Bool {
        if name == "UTC" { return true }
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "/_+-".contains($0) }
        return isPlain && !name.hasPrefix("/")
            && access("/usr/share/zoneinfo/\(name)", R_OK) == 0
    }
}
