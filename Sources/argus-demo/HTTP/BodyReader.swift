/// Reads the members of a JSON request body and collects their faults.
struct BodyReader {
    private let body: JSON
    /// Where the members are, in pydantic's form.
    private let location: [JSON]
    private var validation = Validation()

    /// Reads an object inside a body.
    private init(_ body: JSON, at location: [JSON]) {
        (self.body, self.location) = (body, location)
    }

    /// - Throws: The 422 for a body that is not a JSON object.
    init(_ request: Request) throws(Refusal) {
        location = ["body"]
        guard !request.body.isEmpty else {
            validation.reportMissing(at: ["body"])
            throw validation.refusal
        }
        // Starlette parses only bodies that are declared as JSON; others stay text.
        let isJSON = request.header("content-type")?.lowercased().contains("json") ?? false
        do {
            body =
                try isJSON
                ? JSON.read(request.body) : .text(String(decoding: request.body, as: UTF8.self))
        } catch {
            validation.report(
                "json_invalid", at: ["body", 0], "JSON decode error", input: [:],
                context: ["error": "Expecting value"])
            throw validation.refusal
        }
        guard case .object = body else {
            validation.report(
                "model_attributes_type", at: ["body"],
                "Input should be a valid dictionary or object to extract fields from", input: body)
            throw validation.refusal
        }
    }

    /// Reads the members of an object; nil if it is absent or none.
    mutating func nested(_ name: String, _ read: (inout BodyReader) -> JSON) -> JSON? {
        guard let value = body[name] else { return nil }
        guard case .object = value else {
            report(
                "model_attributes_type", name,
                "Input should be a valid dictionary or object to extract fields from")
            return nil
        }
        var inner = BodyReader(value, at: place(of: name))
        let result = read(&inner)
        validation.add(inner.validation)
        return result
    }

    /// An object of texts that may be absent or null.
    mutating func dictionary(_ name: String) -> JSON? {
        guard let value = given(name) else { return nil }
        guard case .object(let members) = value else {
            report("dict_type", name, "Input should be a valid dictionary")
            return nil
        }
        for member in members where member.value.string == nil {
            validation.report(
                "string_type", at: place(of: name) + [.text(member.name)],
                "Input should be a valid string", input: member.value)
        }
        return value
    }

    private func place(of name: String) -> [JSON] { location + [.text(name)] }

    /// The member as received, null included.
    subscript(name: String) -> JSON? { body[name] }

    mutating func report(
        _ type: String, _ name: String, _ message: String, context: JSON? = nil
    ) {
        validation.report(
            type, at: place(of: name), message, input: body[name] ?? .null, context: context)
    }

    /// Reports what a check in the server's own words found.
    mutating func reportValue(_ name: String, _ message: String) {
        report("value_error", name, "Value error, \(message)", context: ["error": [:]])
    }

    /// Reports members that do not go together.
    mutating func reportWhole(_ message: String) {
        validation.report(
            "value_error", at: location, "Value error, \(message)", input: body,
            context: ["error": [:]])
    }

    mutating func require(_ name: String) {
        if body[name] == nil { reportMissing(name) }
    }

    private mutating func reportMissing(_ name: String) {
        validation.reportMissing(at: place(of: name), input: body)
    }

    mutating func required(_ name: String, length: ClosedRange<Int> = 0...Int.max) -> String {
        require(name)
        guard let value = body[name] else { return "" }
        return text(value, name, length) ?? ""
    }

    /// A text that may be absent or null.
    mutating func optional(_ name: String, length: ClosedRange<Int> = 0...Int.max) -> String? {
        given(name).flatMap { text($0, name, length) }
    }

    mutating func word(
        _ name: String, oneOf words: [String], default standard: String? = nil
    ) -> String {
        guard let value = given(name) else {
            if standard == nil { reportMissing(name) }
            return standard ?? ""
        }
        check(value, oneOf: words, at: place(of: name))
        return value.string ?? ""
    }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int>, default standard: Int? = nil
    ) -> Int {
        guard let value = body[name] else {
            if standard == nil { reportMissing(name) }
            return standard ?? 0
        }
        guard let number = value.int ?? value.string.flatMap({ Int($0) }) else {
            report("int_type", name, "Input should be a valid integer")
            return 0
        }
        return validation.bounded(number, input: value, at: place(of: name), in: range)
    }

    /// A number that may be absent or null.
    mutating func optionalInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        given(name) == nil ? nil : integer(name, in: range)
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let value = given(name) else { return nil }
        if value.flag == nil { report("bool_type", name, "Input should be a valid boolean") }
        return value.flag
    }

    mutating func moment(_ name: String) -> Moment? {
        switch given(name) {
        case nil: return nil
        case .integer(let seconds): return Moment(String(seconds))
        case .text(let text):
            return validation.moment(.init(text: text, location: place(of: name)))
        default:
            report("datetime_type", name, "Input should be a valid datetime")
            return nil
        }
    }

    /// Reads a list and reports each element that is not one of `words`.
    mutating func words(_ name: String, oneOf words: [String]) -> [String] {
        require(name)
        guard let elements = body[name].flatMap({ list($0, name) }) else { return [] }
        if elements.isEmpty {
            report(
                "too_short", name,
                "List should have at least 1 item after validation, not 0",
                context: ["field_type": "List", "min_length": 1, "actual_length": 0])
        }
        for (index, element) in elements.enumerated() {
            check(element, oneOf: words, at: place(of: name) + [.integer(index)])
        }
        return elements.compactMap(\.string)
    }

    /// A list of texts that may be absent or null.
    mutating func texts(_ name: String) -> [String]? {
        guard let elements = given(name).flatMap({ list($0, name) }) else { return nil }
        for (index, element) in elements.enumerated() where element.string == nil {
            validation.report(
                "string_type", at: place(of: name) + [.integer(index)],
                "Input should be a valid string", input: element)
        }
        return elements.compactMap(\.string)
    }

    /// A list of whole numbers that may be absent or null.
    mutating func integers(_ name: String) -> [Int]? {
        guard let elements = given(name).flatMap({ list($0, name) }) else { return nil }
        for (index, element) in elements.enumerated() where element.int == nil {
            validation.report(
                "int_type", at: place(of: name) + [.integer(index)],
                "Input should be a valid integer", input: element)
        }
        return elements.compactMap(\.int)
    }

    /// The 422 with everything reported.
    var refusal: Refusal { validation.refusal }

    func finish() throws(Refusal) { try validation.finish() }

    /// A member that is neither absent nor null.
    private func given(_ name: String) -> JSON? { body[name] == .null ? nil : body[name] }

    private mutating func text(
        _ value: JSON, _ name: String, _ length: ClosedRange<Int>
    ) -> String? {
        guard let text = value.string else {
            report("string_type", name, "Input should be a valid string")
            return nil
        }
        validation.length(of: text, at: place(of: name), in: length)
        return text
    }

    private mutating func list(_ value: JSON, _ name: String) -> [JSON]? {
        if value.elements == nil { report("list_type", name, "Input should be a valid list") }
        return value.elements
    }

    private mutating func check(_ value: JSON, oneOf words: [String], at location: [JSON]) {
        guard !words.contains(value.string ?? "") else { return }
        let quoted = words.map { "'\($0)'" }
        let expected = [quoted.dropLast().joined(separator: ", "), quoted.last ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " or ")
        validation.report(
            "literal_error", at: location, "Input should be \(expected)", input: value,
            context: ["expected": .text(expected)])
    }
}
