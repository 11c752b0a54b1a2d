/// A JSON value with its members in output order.
indirect enum JSONText: Sendable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    /// The text or null.
    init(_ text: String?) { self = text.map(JSONText.string) ?? .null }

    /// The texts as an array.
    init(_ texts: [String]) { self = .array(texts.map(JSONText.string)) }

    /// Indented by two blanks a level, without a line end.
    var text: String { written(indent: 0) }

    private func written(indent: Int) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values):
            Self.block("[", values.map { $0.written(indent: indent + 2) }, "]", indent)
        case .object(let members):
            Self.block(
                "{",
                members.map { "\(Self.quoted($0)): \($1.written(indent: indent + 2))" },
                "}", indent)
        }
    }

    private static func block(
        _ open: String, _ entries: [String], _ close: String, _ indent: Int
    ) -> String {
        if entries.isEmpty { return open + close }
        let margin = String(repeating: " ", count: indent)
        let lines = entries.map { "\n\(margin)  \($0)" }.joined(separator: ",")
        return "\(open)\(lines)\n\(margin)\(close)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
