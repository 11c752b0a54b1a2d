/// Any value of a JSON state file, to carry along what this version does not know.
package indirect enum StateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([StateValue])
    case object([String: StateValue])
}

extension StateValue: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([StateValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: StateValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }
}

/// A key of a state file that this version has no name for.
struct StateKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The members of the object at hand that `Known` does not list.
    func otherMembers<Known: CodingKey & CaseIterable>(
        than known: Known.Type
    ) throws -> [String: StateValue] {
        let names = Set(Known.allCases.map(\.stringValue))
        return try [String: StateValue](from: self).filter { !names.contains($0.key) }
    }
}

extension Encoder {
    /// Adds members to the object at hand.
    func encodeOthers(_ members: [String: StateValue]) throws {
        var object = container(keyedBy: StateKey.self)
        for (name, value) in members {
            try object.encode(value, forKey: StateKey(stringValue: name))
        }
    }
}
