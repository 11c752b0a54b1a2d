/// Durations as users write and read them (docs/scripting.md, "Times").
package enum DurationText {
    /// Parses a number, perhaps with a fraction, and a unit (`ms s m h d w`, by default seconds).
    /// - Returns: Nil for another text.
    package static func parse(_ text: String) -> Duration? {
        microseconds(text).map(Duration.microseconds)
    }

    /// The accepted forms, as a sentence.
    package static let forms =
        "a duration is a number with ms, s, m, h, d or w, such as 500ms, 90s or 2h; "
        + "a bare number is seconds"

    /// The microseconds of a written duration; nil if it is invalid or exceeds Int64.
    package static func microseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = TimeScanner(bytes)
            guard let whole = scanner.takeNumber() else { return nil }
            var fraction = 0
            if scanner.take(UInt8(ascii: ".")) {
                guard let digits = scanner.takeFraction() else { return nil }
                fraction = digits
            }
            let rest = String(decoding: bytes[scanner.position...], as: UTF8.self)
            guard let unit = unit(rest) else { return nil }
            let (product, overflowed) = whole.multipliedReportingOverflow(by: unit)
            // A fraction has at most six digits and a unit is below 10^12: no overflow.
            let part = Int64(fraction) * unit / 1_000_000
            let (sum, overflowedAgain) = product.addingReportingOverflow(part)
            return overflowed || overflowedAgain ? nil : sum
        }
    }

    private static func unit(_ name: String) -> Int64? {
        switch name {
        case "ms": 1_000
        case "", "s": 1_000_000
        case "m": 60_000_000
        case "h": 3_600_000_000
        case "d": 86_400_000_000
        case "w": 604_800_000_000
        default: nil
        }
    }

    /// A short text to read: `850 ms`, `2.5 s`, `45 s`, `2 min 30 s`, `1 h 5 min`, `3 d 2 h`.
    ///
    /// Truncates below the last unit shown; a negative duration reads `0 s`.
    package static func short(_ duration: Duration) -> String {
        let (seconds, attoseconds) = max(duration, .zero).components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        switch seconds {
        case 0: return milliseconds == 0 ? "0 s" : "\(milliseconds) ms"
        case ..<10:
            let tenths = milliseconds / 100
            return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
        case ..<60: return "\(seconds) s"
        case ..<3600: return pair(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return pair(seconds / 3600, "h", seconds / 60 % 60, "min")
        default: return pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
        }
    }

    private static func pair(
        _ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String
    ) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}

extension Duration {
    /// Milliseconds, a part of one rounded up; bounded to what a C `int` holds.
    package var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let step: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + step - 1) / step)
    }

    /// The duration for users, such as `5 s`, `1.5 s` or `250 ms`.
    package var words: String {
        let milliseconds = wholeMilliseconds
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
