/// The text of a config file, edited one key at a time; every other byte stays.
package struct ConfigurationText: Sendable {
    private let path: String
    private var content: TOMLText

    package var text: String { content.text }

    /// Parses a text; unknown keys and wrong values are accepted.
    /// - Throws: `.configurationSyntax` if it cannot be parsed.
    package init(_ text: String, path: String) throws(AccountError) {
        self.path = path
        content = try Self.parse(text, path: path)
    }

    /// Sets a key: replaces only its value, or adds a line beside similar keys.
    /// - Throws: `.configurationSyntax` if the file has something else under that name.
    package mutating func set(
        _ key: ConfigurationKey, to literal: TOMLLiteral
    ) throws(AccountError) {
        content = try Self.parse(content.setting(key.path, to: literal.text), path: path)
    }

    /// Removes a key with its line; false if there is none.
    /// - Throws: `.configurationSyntax`.
    package mutating func unset(_ key: ConfigurationKey) throws(AccountError) -> Bool {
        guard let entry = content.entry(of: key.path) else { return false }
        content = try Self.parse(content.removing(entry), path: path)
        return true
    }

    private static func parse(
        _ text: String, path: String
    ) throws(AccountError) -> TOMLText {
        do throws(TOMLText.Fault) { return try TOMLText(text) } catch {
            throw AccountError(error, path: path)
        }
    }
}
