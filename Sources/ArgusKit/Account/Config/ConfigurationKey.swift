import ArgusCore

/// A key of the config file: a setting, or `alias.NAME`.
package enum ConfigurationKey: Hashable, Sendable, CustomStringConvertible {
    case setting(Setting)
    case alias(String)
    /// A name that argus does not know but a file may contain.
    case unknown([String])

    /// Parses the name of a key; never fails.
    package init(_ text: String) {
        if let setting = Setting(rawValue: text), setting.isConfigurable {
            self = .setting(setting)
        } else if text.hasPrefix("alias."), Alias.isName(String(text.dropFirst(6))) {
            self = .alias(String(text.dropFirst(6)))
        } else {
            self = .unknown(
                text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// The names of the enclosing tables, followed by the key's own.
    package var path: [String] {
        switch self {
        case .setting(let setting): setting.rawValue.split(separator: ".").map(String.init)
        case .alias(let name): ["alias", name]
        case .unknown(let path): path
        }
    }

    /// The valid names in short; the settings of a table share one.
    package static let shortNames =
        Setting.configurable.filter { $0.table == nil }.map(\.rawValue) + [
            "push.NAME", "alias.NAME",
        ]

    /// The valid names, for messages.
    package static let names = Setting.configurable.map(\.rawValue) + ["alias.NAME"]

    package var description: String { path.joined(separator: ".") }
}

/// An abbreviation for arguments of a command line, from `alias.NAME` in the config file.
package enum Alias {
    /// True for a valid alias name: `[a-z][a-z0-9-]*`.
    package static func isName(_ text: String) -> Bool {
        text.utf8.first?.isASCIILowercase == true
            && text.utf8.allSatisfy {
                $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
            }
    }

    /// Splits the value of an alias as a shell would, without expanding or running anything; nil if
    /// a quote is not closed or nothing follows a backslash.
    package static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open {
                    quote = nil
                } else if character == "\\", open == "\"", let next = rest.first,
                    "\"\\$`".contains(next)
                {
                    word?.append(rest.removeFirst())
                } else {
                    word?.append(character)
                }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == "\\" {
                guard let next = rest.popFirst() else { return nil }
                word = (word ?? "") + String(next)
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [$0] } ?? [])
    }

    /// The fault of an alias value, as the end of a sentence; nil if it is valid.
    package static func validationError(in text: String) -> String? {
        guard let words = words(text) else { return "has a quote that is not closed" }
        return words.isEmpty ? "must be text" : nil
    }
}
