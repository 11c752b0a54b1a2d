import FoundationEssentials

/// A JSON value whose objects keep the order of their members (RFC 8259).
indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([Member])

    struct Member: Sendable, Equatable {
        var name: String
        var value: JSON
    }

    init(_ text: String?) { self = text.map(JSON.text) ?? .null }
    init(_ number: Int?) { self = number.map(JSON.integer) ?? .null }
    init(_ flag: Bool?) { self = flag.map(JSON.bool) ?? .null }
    init(_ texts: [String]?) { self = texts.map { .list($0.map(JSON.text)) } ?? .null }

    /// The member with this name; nil if there is none or the value is not an object.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    var string: String? { if case .text(let text) = self { text } else { nil } }

    var int: Int? { if case .integer(let number) = self { number } else { nil } }

    var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    var elements: [JSON]? { if case .list(let elements) = self { elements } else { nil } }

    /// The object with the member `name` replaced by `value`, or appended.
    func setting(_ name: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.append(Member(name: name, value: value))
        }
        return .object(members)
    }

    /// This object followed by the members of another.
    func merging(_ other: JSON) -> JSON {
        guard case .object(let left) = self, case .object(let right) = other else { return self }
        return .object(left + right)
    }

    func keeping(_ names: String...) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.name) })
    }

    var withoutNulls: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.value != .null })
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSON: Decodable {
    /// The error for text that is not JSON.
    struct Failure: Error {}

    /// Parses one JSON value; members are sorted by name, since JSONDecoder does not keep their
    /// order.
    static func read(_ bytes: [UInt8]) throws(Failure) -> JSON {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)),
            !hasTrailingComma(bytes)
        else { throw Failure() }
        return value
    }

    /// True if a comma precedes a closing bracket, which JSONDecoder accepts.
    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
        var isInText = false
        var last: UInt8 = 0
        for byte in bytes where isInText || byte > 0x20 {
            if !isInText, last == UInt8(ascii: ","), "]}".utf8.contains(byte) { return true }
            if byte == UInt8(ascii: "\""), !isInText || last != UInt8(ascii: "\\") {
                isInText.toggle()
            }
            // A backslash after another one escapes nothing.
            last = isInText && last == UInt8(ascii: "\\") ? 0 : byte
        }
        return false
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let elements = try? value.decode([JSON].self) {
            self = .list(elements)
        } else {
            let members = try value.decode([String: JSON].self)
            self = .object(
                members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
        }
    }
}

extension JSON {
    enum Style: Sendable {
        /// The form of the server's web framework: no blanks, raw UTF-8.
        case compact
        /// The default form of Python's `json.dumps`: blanks after `,` and `:`, ASCII only.
        case spaced
    }

    /// The value as JSON text.
    func bytes(_ style: Style = .compact) -> [UInt8] {
        var output: [UInt8] = []
        write(to: &output, style)
        return output
    }

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
            JSON.write(elements, between: "[]", to: &output, style) { $0.write(to: &$1, style) }
        case .object(let members):
            JSON.write(members, between: "{}", to: &output, style) { member, output in
                JSON.write(member.name, to: &output, style)
                output += (style == .compact ? ":" : ": ").utf8
                member.value.write(to: &output, style)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between brackets: String, to output: inout [UInt8], _ style: Style,
        _ write: (Part, inout [UInt8]) -> Void
    ) {
        output += brackets.utf8.prefix(1)
        for (index, part) in parts.enumerated() {
            if index > 0 { output += (style == .compact ? "," : ", ").utf8 }
            write(part, &output)
        }
        output += brackets.utf8.suffix(1)
    }

    /// Writes a string with its quotes (RFC 8259, section 7).
    private static func write(_ text: String, to output: inout [UInt8], _ style: Style) {
        output.append(UInt8(ascii: "\""))
        defer { output.append(UInt8(ascii: "\"")) }
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                && (byte < 0x80 || style == .compact)
        }
        guard !isPlain else { return output += text.utf8 }
        for scalar in text.unicodeScalars {
            if let letter = escapes[scalar] {
                output += "\\\(letter)".utf8
            } else if scalar.value < 0x20 || (style == .spaced && !scalar.isASCII) {
                for unit in Character(scalar).utf16 {
                    output += "\\u\(String(0x10000 + Int(unit), radix: 16).dropFirst())".utf8
                }
            } else {
                output += String(scalar).utf8
            }
        }
    }

    private static let escapes: [Unicode.Scalar: Character] = [
        "\"": "\"", "\\": "\\", "\n": "n", "\r": "r", "\t": "t", "\u{8}": "b", "\u{C}": "f",
    ]
}
