extension TimeExpression {
    /// The valid spelling of a time as people write it elsewhere, such as `2d` for `2days`,
    /// `2026-11-20` for `20.11.2026` and `2h` for `2 hours ago`; nil if the text may mean several.
    package static func suggestion(for text: String) -> String? {
        let words = text.lowercased().split(separator: " ").map(String.init).filter { $0 != "at" }
        guard text.utf8.count <= 40, !words.isEmpty else { return nil }
        let found =
            age(words) ?? date(words) ?? clock(words) ?? dayAndClock(words)
            ?? words.joined(separator: "-")
        return (try? TimeExpression(found)) == nil ? nil : found
    }

    /// Reads `2 hours ago`, `2days`, `-2h` or `an hour`.
    private static func age(_ words: [String]) -> String? {
        var text = words.joined()
        if text.hasSuffix("ago") { text.removeLast(3) }
        if text.hasPrefix("-") { text.removeFirst() }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var unit = text.dropFirst(digits.count)
        var number = String(digits)
        if digits.isEmpty, let article = ["one", "an", "a"].first(where: unit.hasPrefix) {
            number = "1"
            unit = unit.dropFirst(article.count)
        }
        guard !number.isEmpty, let letter = units[String(unit)] else { return nil }
        guard letter != "month" else {
            return Int(number).flatMap { $0 <= 1200 ? "\($0 * 30)d" : nil }
        }
        return number + letter
    }

    private static let units = [
        "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
        "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m",
        "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
        "d": "d", "day": "d", "days": "d", "w": "w", "wk": "w", "week": "w", "weeks": "w",
        "month": "month", "months": "month",
    ]

    /// Reads `20.11.2026`, `2026/11/20`, `11/20/2026` or `2026-1-5`, with a time of day if present.
    private static func date(_ words: [String]) -> String? {
        guard words.count <= 2, let mark = words[0].first(where: { "./-".contains($0) }) else {
            return nil
        }
        let parts = words[0].split(separator: mark, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        let (year, month, day): (Int, Int, Int)
        if parts[0].count == 4 {
            (year, month, day) = (numbers[0], numbers[1], numbers[2])
        } else if parts[2].count == 4 {
            // Americans write the month first, with slashes.
            let isMonthFirst = mark == "/" && numbers[0] <= 12
            if isMonthFirst, numbers[1] <= 12, numbers[0] != numbers[1] { return nil }
            year = numbers[2]
            (month, day) = isMonthFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
        } else {
            return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isValid else { return nil }
        let text = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
        guard words.count == 2 else { return text }
        return clock([words[1]]).map { "\(text)T\($0)" }
    }

    /// Reads `today 8:15` or `sat 10pm`.
    private static func dayAndClock(_ words: [String]) -> String? {
        words.count < 2 ? nil : clock(Array(words.dropFirst())).map { "\(words[0]) \($0)" }
    }

    /// Reads `8:15`, `10pm` or `10:30 pm`.
    private static func clock(_ words: [String]) -> String? {
        var text = words.joined()
        let half = ["am", "pm"].first(where: text.hasSuffix)
        if half != nil { text.removeLast(2) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, var hour = Int(first), (0...23).contains(hour),
            first.allSatisfy(\.isNumber), half != nil || parts.count > 1
        else { return nil }
        if half != nil {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        let minutes = parts.count > 1 ? parts[1...].joined(separator: ":") : "00"
        return "\(twoDigits(hour)):\(minutes)"
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + "\(number)"
    }
}
