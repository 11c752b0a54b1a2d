/// Collects what is wrong with a request's input and answers it as one 422 (backend-facts 0.3).
///
/// The words are those of the real server's validation library, pydantic 2.
struct Validation {
    private var problems: [JSON] = []

    /// Adds a problem.
    mutating func report(
        _ type: String, at location: [JSON], _ message: String, input: JSON, context: JSON? = nil
    ) {
        var problem: JSON = [
            "type": .text(type), "loc": .list(location), "msg": .text(message), "input": input,
        ]
        if let context { problem = problem.setting("ctx", context) }
        problems.append(problem)
    }

    mutating func reportMissing(at location: [JSON], input: JSON = .null) {
        report("missing", at: location, "Field required", input: input)
    }

    /// Refuses the request when anything was reported.
    func finish() throws(Refusal) {
        guard problems.isEmpty else {
            throw Refusal(.json(["detail": .list(problems)], status: 422))
        }
    }

    /// Reads a whole number that must lie in `range`.
    mutating func integer(
        _ text: String?, at location: [JSON], in range: ClosedRange<Int>, default standard: Int
    ) -> Int {
        guard let text else { return standard }
        guard let number = Int(text) else {
            report(
                "int_parsing", at: location,
                "Input should be a valid integer, unable to parse string as an integer",
                input: .text(text))
            return standard
        }
        return bounded(number, input: .text(text), at: location, in: range)
    }

    /// Reports a number outside `range`.
    mutating func bounded(
        _ number: Int, input: JSON, at location: [JSON], in range: ClosedRange<Int>
    ) -> Int {
        if number < range.lowerBound {
            report(
                "greater_than_equal", at: location,
                "Input should be greater than or equal to \(range.lowerBound)", input: input,
                context: ["ge": .integer(range.lowerBound)])
        } else if number > range.upperBound {
            report(
                "less_than_equal", at: location,
                "Input should be less than or equal to \(range.upperBound)", input: input,
                context: ["le": .integer(range.upperBound)])
        }
        return number
    }

    mutating func flag(_ text: String?, at location: [JSON]) -> Bool? {
        guard let text else { return nil }
        switch text.lowercased() {
        case "true", "1", "yes", "on", "t", "y": return true
        case "false", "0", "no", "off", "f", "n": return false
        default:
            report(
                "bool_parsing", at: location,
                "Input should be a valid boolean, unable to interpret input", input: .text(text))
            return nil
        }
    }

    mutating func moment(_ text: String?, at location: [JSON]) -> Moment? {
        guard let text else { return nil }
        if let moment = Moment(text) { return moment }
        let reason = text.utf8.count < 10 ? "input is too short" : "invalid character in year"
        report(
            "datetime_from_date_parsing", at: location,
            "Input should be a valid datetime or date, \(reason)", input: .text(text),
            context: ["error": .text(reason)])
        return nil
    }

    mutating func matching(
        _ text: String?, at location: [JSON], oneOf words: [String], pattern: String
    ) -> String? {
        guard let text else { return nil }
        if !words.contains(text) {
            report(
                "string_pattern_mismatch", at: location,
                "String should match pattern '\(pattern)'", input: .text(text),
                context: ["pattern": .text(pattern)])
        }
        return text
    }

    /// Checks the length of a text in characters.
    mutating func length(
        of text: String, at location: [JSON], in range: ClosedRange<Int>
    ) {
        let count = text.unicodeScalars.count
        if count < range.lowerBound {
            report(
                "string_too_short", at: location,
                "String should have at least \(range.lowerBound) character"
                    + (range.lowerBound == 1 ? "" : "s"),
                input: .text(text), context: ["min_length": .integer(range.lowerBound)])
        } else if count > range.upperBound {
            report(
                "string_too_long", at: location,
                "String should have at most \(range.upperBound) characters", input: .text(text),
                context: ["max_length": .integer(range.upperBound)])
        }
    }
}
