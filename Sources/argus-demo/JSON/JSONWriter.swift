extension JSON {
    /// How a value is spelled.
    enum Style: Sendable {
        /// As the server's web framework writes answers: no blanks, UTF-8 as it is.
        case compact
        /// As Python's `json.dumps` writes by default: blanks after `,` and `:`, ASCII only.
        case spaced
    }

    /// The value as JSON text.
    func bytes(_ style: Style = .compact) -> [UInt8] {
        var output: [UInt8] = []
        write(to: &output, style)
        return output
    }

    /// The value as JSON text.
    func description(_ style: Style = .compact) -> String {
        String(decoding: bytes(style), as: UTF8.self)
    }

    private func write(to output: inout [UInt8], _ style: Style) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let flag): output += (flag ? "true" : "false").utf8
        case .integer(let number): output += String(number).utf8
        case .number(let number): output += String(number).utf8
        case .text(let text): JSON.write(text, to: &output, style)
        case .list(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output += style.comma }
                element.write(to: &output, style)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output += style.comma }
                JSON.write(member.name, to: &output, style)
                output += style.colon
                member.value.write(to: &output, style)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a string with its quotes (RFC 8259, section 7).
    static func write(_ text: String, to output: inout [UInt8], _ style: Style) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            case "\r": output += "\\r".utf8
            case "\t": output += "\\t".utf8
            case "\u{8}": output += "\\b".utf8
            case "\u{C}": output += "\\f".utf8
            default:
                if scalar.value < 0x20 || (style == .spaced && !scalar.isASCII) {
                    for unit in Character(scalar).utf16 { output += escape(unit) }
                } else {
                    output += String(scalar).utf8
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func escape(_ unit: UInt16) -> [UInt8] {
        let digits = String(unit, radix: 16)
        return Array("\\u".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.count)
            + Array(digits.utf8)
    }
}

extension JSON.Style {
    fileprivate var comma: String.UTF8View { (self == .compact ? "," : ", ").utf8 }
    fileprivate var colon: String.UTF8View { (self == .compact ? ":" : ": ").utf8 }
}
