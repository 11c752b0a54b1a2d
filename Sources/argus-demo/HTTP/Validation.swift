/// Collects the faults of a request's input for one 422 answer, in the words of pydantic 2, the
/// real server's validation library.
struct Validation {
    /// An input text, nil if absent, and its location in pydantic's form.
    struct Field {
        var text: String?
        var location: [JSON]
    }

    private var problems: [JSON] = []

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

    /// Adds what another one reported.
    mutating func add(_ other: Validation) { problems += other.problems }

    /// The 422 with everything reported.
    var refusal: Refusal { Refusal(.json(["detail": .list(problems)], status: 422)) }

    /// - Throws: The 422, or another refusal, if anything was reported.
    func finish(or other: Refusal? = nil) throws(Refusal) {
        if !problems.isEmpty { throw other ?? refusal }
    }

    /// Reads a whole number that must lie in `range`.
    mutating func integer(
        _ field: Field, in range: ClosedRange<Int> = Int.min...Int.max
    ) -> Int? {
        guard let text = field.text else { return nil }
        guard let number = Int(text) else {
            report(
                "int_parsing", at: field.location,
                "Input should be a valid integer, unable to parse string as an integer",
                input: .text(text))
            return nil
        }
        return bounded(number, input: .text(text), at: field.location, in: range)
    }

    mutating func bounded(
        _ number: Int, input: JSON, at location: [JSON], in range: ClosedRange<Int>
    ) -> Int {
        guard !range.contains(number) else { return number }
        let (word, key, bound) =
            number < range.lowerBound
            ? ("greater", "ge", range.lowerBound) : ("less", "le", range.upperBound)
        report(
            "\(word)_than_equal", at: location,
            "Input should be \(word) than or equal to \(bound)", input: input,
            context: [key: .integer(bound)])
        return number
    }

    mutating func flag(_ field: Field) -> Bool? {
        guard let text = field.text else { return nil }
        switch text.lowercased() {
        case "true", "1", "yes", "on", "t", "y": return true
        case "false", "0", "no", "off", "f", "n": return false
        default:
            report(
                "bool_parsing", at: field.location,
                "Input should be a valid boolean, unable to interpret input", input: .text(text))
            return nil
        }
    }

    mutating func moment(_ field: Field) -> Moment? {
        guard let text = field.text else { return nil }
        if let moment = Moment(text) { return moment }
        let reason = text.utf8.count < 10 ? "input is too short" : "invalid character in year"
        report(
            "datetime_from_date_parsing", at: field.location,
            "Input should be a valid datetime or date, \(reason)", input: .text(text),
            context: ["error": .text(reason)])
        return nil
    }

    mutating func word(_ field: Field, oneOf words: [String]) -> String? {
        guard let text = field.text else { return nil }
        if !words.contains(text) {
            let pattern = "^(\(words.joined(separator: "|")))$"
            report(
                "string_pattern_mismatch", at: field.location,
                "String should match pattern '\(pattern)'", input: .text(text),
                context: ["pattern": .text(pattern)])
        }
        return text
    }

    mutating func length(of text: String, at location: [JSON], in range: ClosedRange<Int>) {
        let count = text.unicodeScalars.count
        guard !range.contains(count) else { return }
        let (type, words, key, bound) =
            count < range.lowerBound
            ? ("short", "at least", "min_length", range.lowerBound)
            : ("long", "at most", "max_length", range.upperBound)
        report(
            "string_too_\(type)", at: location,
            "String should have \(words) \(bound) character\(bound == 1 ? "" : "s")",
            input: .text(text), context: [key: .integer(bound)])
    }
}
