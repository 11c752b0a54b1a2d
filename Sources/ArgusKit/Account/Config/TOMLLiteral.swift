import ArgusCore

/// A value in TOML syntax: `"table"`, `true`, `30`.
package struct TOMLLiteral: Hashable, Sendable {
    package let text: String

    /// Formats the value of a setting; a number of seconds stays a number.
    package init(_ value: String, for kind: Setting.Kind) {
        switch kind {
        case .flag, .count: text = value
        case .duration where Int(value).map { String($0) == value } ?? false: text = value
        case .text, .choice, .duration, .credentialStore, .night, .relay, .address, .contact:
            text = Self.quoted(value)
        }
    }

    package init(string value: String) {
        text = Self.quoted(value)
    }

    /// Formats a key, with quotes if needed.
    static func key(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
        return isBare && !name.isEmpty ? name : quoted(name)
    }

    /// A string of JSON, which is one of TOML too (TOML 1.0, section "String").
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.appendQuoted(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
