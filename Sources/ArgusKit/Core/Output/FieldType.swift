/// The type of the values of a field in machine formats.
///
/// Its description, such as `list of text or null` for a list that may be missing, is the word for it
/// in the description of the tool, and `init(_:)` reads it back.
package indirect enum FieldType: Sendable, Equatable, CustomStringConvertible {
    /// A value whose type depends on the record.
    case any
    case boolean, integer, number, text, time, object
    case list(FieldType)
    case nullable(FieldType)

    /// The types that consist of no others, by their words.
    private static let simple: KeyValuePairs<String, FieldType> = [
        "any": .any, "boolean": .boolean, "integer": .integer, "number": .number, "text": .text,
        "time": .time, "object": .object,
    ]

    private static let ofLists = "list of "
    private static let orNull = " or null"

    /// Reads a description; nil if it is none.
    package init?(_ description: some StringProtocol) {
        if description.hasSuffix(Self.orNull) {
            guard let type = Self(description.dropLast(Self.orNull.count)) else { return nil }
            self = .nullable(type)
        } else if description.hasPrefix(Self.ofLists) {
            guard let type = Self(description.dropFirst(Self.ofLists.count)) else { return nil }
            self = .list(type)
        } else {
            guard let type = Self.simple.first(where: { $0.key == description }) else { return nil }
            self = type.value
        }
    }

    package var description: String {
        switch self {
        case .list(let type): Self.ofLists + type.description
        case .nullable(let type): type.description + Self.orNull
        default: Self.simple.first { $0.value == self }?.key ?? ""
        }
    }
}

extension FieldType {
    /// The JSON Schema of the values (draft 2020-12), as `--format json` prints them.
    package var schema: FieldValue { .object(members) }

    private var members: [FieldValue.Member] {
        switch self {
        case .any: []
        case .text: [.init("type", .text("string"))]
        case .time: [.init("type", .text("string")), .init("format", .text("date-time"))]
        case .list(let type): [.init("type", .text("array")), .init("items", type.schema)]
        case .nullable(let type):
            type.members.map { member in
                guard member.name == "type" else { return member }
                return .init("type", .list([member.value, .text("null")]))
            }
        case .boolean, .integer, .number, .object: [.init("type", .text(description))]
        }
    }
}
