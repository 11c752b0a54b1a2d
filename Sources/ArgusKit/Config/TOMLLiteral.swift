import TOMLKit

/// A value in TOML syntax: `"table"`, `true`, `30`.
package struct TOMLLiteral: Hashable, Sendable {
    package let text: String

    /// Formats the value of a setting; a number of seconds stays a number.
    package init(_ value: String, for kind: Setting.Kind) {
        switch kind {
        case .flag, .count: text = value
        case .duration where Int(value).map { String($0) == value } ?? false: text = value
        case .text, .choice, .duration, .credentialStore, .relay: text = Self.quoted(value)
        }
    }

    /// Formats a string.
    package init(string value: String) {
        text = Self.quoted(value)
    }

    /// Formats a parsed value; nil for types that no setting has.
    init?(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string:
            guard let string = value.string else { return nil }
            text = Self.quoted(string)
        case .bool: text = value.bool == true ? "true" : "false"
        case .int:
            guard let number = value.int else { return nil }
            text = String(number)
        default: return nil
        }
    }

    /// Formats a key, with quotes if needed.
    static func key(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isBare && !name.isEmpty ? name : quoted(name)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
