package import ArgusCore

/// A JSON Schema (draft 2020-12), as far as those of argus go: types, members, choices and references.
package struct JSONSchema {
    private let document: JSONView

    /// Reads the text of a schema.
    package init(_ bytes: [UInt8]) throws(JSONError) { document = try JSONView.parse(bytes) }

    /// The faults of a value, each with its place; none if it is valid.
    package func faults(of value: JSONView) -> [String] {
        faults(of: value, by: document, at: "$")
    }

    /// The keywords that `faults` checks, and those that only explain.
    private static let keywords: Set<String> = [
        "$ref", "anyOf", "type", "enum", "const", "format", "properties", "required", "items",
        "$schema", "$defs", "title", "description", "x-untrusted",
    ]

    private func faults(of value: JSONView, by schema: JSONView, at place: String) -> [String] {
        var faults: [String] = []
        schema.forEachMember { key, _ in
            if !Self.keywords.contains(key.text) { faults.append("no keyword: \(key.text)") }
        }
        if let reference = schema["$ref"]?.string {
            let name = String(reference.dropFirst("#/$defs/".count))
            guard let target = document["$defs"]?[name] else {
                return faults + ["\(place): no \(reference)"]
            }
            return faults + self.faults(of: value, by: target, at: place)
        }
        if let choices = schema["anyOf"] {
            let all = choices.elements.map { self.faults(of: value, by: $0, at: place) }
            if !all.contains([]) { faults += all.min { $0.count < $1.count } ?? [] }
        }
        if let type = schema["type"] {
            let types = type.strings ?? [type.string ?? ""]
            if !types.contains(where: { Self.has(value, $0) }) {
                return faults + ["\(place): is no \(types.joined(separator: " or "))"]
            }
        }
        if let words = schema["enum"], !words.elements.contains(where: { Self.same($0, value) }) {
            faults.append("\(place): is none of the choices")
        }
        if let word = schema["const"], !Self.same(word, value) {
            faults.append("\(place): is not \(String(decoding: word.rawBytes, as: UTF8.self))")
        }
        if schema["format"]?.string == "date-time", let text = value.string,
            Timestamp(serverText: text) == nil || !text.hasSuffix("Z")
        {
            faults.append("\(place): is no time")
        }
        for name in schema["required"]?.strings ?? [] where value.kind == .object {
            if value[name] == nil { faults.append("\(place): has no \(name)") }
        }
        schema["properties"]?.forEachMember { key, schema in
            guard let member = value[key.text] else { return }
            faults += self.faults(of: member, by: schema, at: "\(place).\(key.text)")
        }
        if let items = schema["items"] {
            for (index, item) in value.elements.enumerated() {
                faults += self.faults(of: item, by: items, at: "\(place)[\(index)]")
            }
        }
        return faults
    }

    private static func same(_ first: JSONView, _ second: JSONView) -> Bool {
        first.compact == second.compact
    }

    private static func has(_ value: JSONView, _ type: String) -> Bool {
        switch (type, value.kind) {
        case ("object", .object), ("array", .array), ("string", .string), ("number", .number),
            ("boolean", .bool), ("null", .null):
            true
        case ("integer", .number): value.int != nil
        default: false
        }
    }
}
