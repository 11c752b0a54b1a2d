/// Takes the members of a JSON request body, collecting what is wrong with them.
struct BodyReader {
    private let body: JSON
    private var validation = Validation()

    /// - Throws: the 422 for a body that is no JSON object.
    init(_ request: Request) throws(Refusal) {
        guard !request.body.isEmpty else {
            validation.reportMissing(at: ["body"])
            try validation.finish()
            body = .null
            return
        }
        // Starlette parses only bodies that are declared as JSON; others stay a text.
        let type = request.header("content-type") ?? ""
        guard type.lowercased().contains("json") else {
            body = .text(String(decoding: request.body, as: UTF8.self))
            try refuseUnlessObject()
            return
        }
        do {
            body = try JSON.read(request.body)
        } catch {
            validation.report(
                "json_invalid", at: ["body", 0], "JSON decode error", input: [:],
                context: ["error": "Expecting value"])
            try validation.finish()
            body = .null
        }
        try refuseUnlessObject()
    }

    private func refuseUnlessObject() throws(Refusal) {
        guard case .object = body else {
            var validation = Validation()
            validation.report(
                "model_attributes_type", at: ["body"],
                "Input should be a valid dictionary or object to extract fields from", input: body)
            try validation.finish()
            return
        }
    }

    /// Whether the body names that member, be it null.
    func has(_ name: String) -> Bool { body[name] != nil }

    /// The member as it is.
    func raw(_ name: String) -> JSON? { body[name] }

    /// Reports something wrong with a member.
    mutating func report(
        _ type: String, _ name: String, _ message: String, context: JSON? = nil
    ) {
        validation.report(
            type, at: ["body", .text(name)], message, input: body[name] ?? .null, context: context)
    }

    mutating func required(_ name: String, length: ClosedRange<Int> = 0...Int.max) -> String {
        guard let value = body[name] else {
            validation.reportMissing(at: ["body", .text(name)], input: body)
            return ""
        }
        return checked(value, name, length) ?? ""
    }

    /// A text that may be absent or null.
    mutating func optional(_ name: String, length: ClosedRange<Int> = 0...Int.max) -> String? {
        guard let value = body[name], value != .null else { return nil }
        return checked(value, name, length)
    }

    mutating func word(_ name: String, oneOf words: [String], default standard: String?) -> String {
        guard let value = body[name], value != .null else {
            if let standard { return standard }
            validation.reportMissing(at: ["body", .text(name)], input: body)
            return ""
        }
        if let text = value.string, words.contains(text) { return text }
        let expected = Self.enumeration(words)
        report(
            "literal_error", name, "Input should be \(expected)",
            context: ["expected": .text(expected)])
        return ""
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int?) -> Int
    {
        guard let value = body[name] else {
            if let standard { return standard }
            validation.reportMissing(at: ["body", .text(name)], input: body)
            return 0
        }
        guard let number = value.int ?? value.string.flatMap({ Int($0) }) else {
            report("int_type", name, "Input should be a valid integer")
            return 0
        }
        return validation.bounded(number, input: value, at: ["body", .text(name)], in: range)
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let value = body[name], value != .null else { return nil }
        if let flag = value.flag { return flag }
        report("bool_type", name, "Input should be a valid boolean")
        return nil
    }

    mutating func moment(_ name: String) -> Moment? {
        guard let value = body[name], value != .null else { return nil }
        switch value {
        case .integer(let seconds): return Moment(String(seconds))
        case .text(let text): return validation.moment(text, at: ["body", .text(name)])
        default:
            report("datetime_type", name, "Input should be a valid datetime")
            return nil
        }
    }

    /// Reports each element of a list that is not one of `words`.
    mutating func words(_ name: String, oneOf words: [String]) -> [String] {
        guard let value = body[name] else {
            validation.reportMissing(at: ["body", .text(name)], input: body)
            return []
        }
        guard let elements = value.elements else {
            report("list_type", name, "Input should be a valid list")
            return []
        }
        if elements.isEmpty {
            report(
                "too_short", name,
                "List should have at least 1 item after validation, not 0",
                context: ["field_type": "List", "min_length": 1, "actual_length": 0])
        }
        let expected = Self.enumeration(words)
        for (index, element) in elements.enumerated()
        where !words.contains(element.string ?? "") {
            validation.report(
                "literal_error", at: ["body", .text(name), .integer(index)],
                "Input should be \(expected)", input: element,
                context: ["expected": .text(expected)])
        }
        return elements.compactMap(\.string)
    }

    /// A list of texts that may be absent or null.
    mutating func texts(_ name: String) -> [String]? {
        guard let value = body[name], value != .null else { return nil }
        guard let elements = value.elements else {
            report("list_type", name, "Input should be a valid list")
            return nil
        }
        for (index, element) in elements.enumerated() where element.string == nil {
            validation.report(
                "string_type", at: ["body", .text(name), .integer(index)],
                "Input should be a valid string", input: element)
        }
        return elements.compactMap(\.string)
    }

    /// Reports that a required member is missing.
    mutating func require(_ name: String) {
        if body[name] == nil { validation.reportMissing(at: ["body", .text(name)], input: body) }
    }

    /// - Throws: the 422 with everything that was reported.
    func finish() throws(Refusal) { try validation.finish() }

    private mutating func checked(
        _ value: JSON, _ name: String, _ length: ClosedRange<Int>
    ) -> String? {
        guard let text = value.string else {
            report("string_type", name, "Input should be a valid string")
            return nil
        }
        validation.length(of: text, at: ["body", .text(name)], in: length)
        return text
    }

    private static func enumeration(_ words: [String]) -> String {
        let quoted = words.map { "'\($0)'" }
        guard quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    }
}
