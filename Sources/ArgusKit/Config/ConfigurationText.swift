import TOMLKit

/// The text of a config file, edited one key at a time; every other byte stays.
package struct ConfigurationText: Sendable {
    package private(set) var text: String
    private let path: String
    private var outline: TOMLOutline

    /// Parses a text; unknown keys and wrong values are accepted.
    /// - Throws: `.settings` if it is not TOML.
    package init(_ text: String, path: String) throws(ConfigurationFileError) {
        self.text = text
        self.path = path
        outline = TOMLOutline(text)
        _ = try parse(text)
    }

    /// Sets a key: replaces only its value, or adds a line beside similar keys.
    /// - Throws: `.tooComplex` if the edit would change the meaning of anything else.
    package mutating func set(_ key: ConfigurationKey, to literal: TOMLLiteral)
        throws(ConfigurationFileError)
    {
        let insertion = place(for: key)
        let changed =
            if let entry = outline.entry(of: key.path) {
                replacing(entry.value, by: literal.text)
            } else {
                replacing(
                    insertion.offset..<insertion.offset,
                    by: insertion.before + literal.text + insertion.after)
            }
        try accept(changed, changing: key, to: literal)
    }

    /// Removes a key with its line; false if there is none.
    /// - Throws: `.tooComplex` if the edit would change the meaning of anything else.
    package mutating func unset(_ key: ConfigurationKey) throws(ConfigurationFileError) -> Bool {
        guard let entry = outline.entry(of: key.path) else { return false }
        let span = entry.isInline ? memberSpan(entry) : outline.lines(of: entry.span)
        try accept(replacing(span, by: ""), changing: key, to: nil)
        return true
    }

    /// Accepts an edited text if only the key's value differs.
    private mutating func accept(
        _ changed: String, changing key: ConfigurationKey, to literal: TOMLLiteral?
    ) throws(ConfigurationFileError) {
        var expected = try parse(text)
        expected[key.path] = literal?.text
        guard let found = try? parse(changed), found == expected else {
            throw .tooComplex(path: path)
        }
        text = changed
        outline = TOMLOutline(changed)
    }

    /// The values of a text that are not tables, as literals, by their full names.
    private func parse(_ text: String) throws(ConfigurationFileError) -> [[String]: String] {
        let table = try rethrowing(
            try Settings.table(text, TOMLOutline(text), path: path),
            as: ConfigurationFileError.settings)
        var values: [[String]: String] = [:]
        Self.collect(table, below: [], into: &values)
        return values
    }

    private static func collect(
        _ table: TOMLTable, below name: [String], into values: inout [[String]: String]
    ) {
        for key in table.keys {
            guard let value = table[key] else { continue }
            if let table = value.table {
                collect(table, below: name + [key], into: &values)
            } else {
                values[name + [key]] = TOMLLiteral(value)?.text ?? value.debugDescription
            }
        }
    }

    private func replacing(_ span: Range<Int>, by new: String) -> String {
        var bytes = outline.bytes
        bytes.replaceSubrange(span, with: new.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}

// Placement of new keys and extent of old ones.
extension ConfigurationText {
    /// The offset of a new key, and the texts before and after its value.
    private func place(
        for key: ConfigurationKey
    ) -> (offset: Int, before: String, after: String) {
        let table = Array(key.path.dropLast())
        let name = TOMLLiteral.key(key.path[key.path.count - 1])
        if let inline = outline.entry(of: table), inline.isTable {
            let hasMembers = outline.entries.contains {
                $0.isInline && inline.value.contains($0.span.lowerBound)
            }
            var end = inline.value.upperBound - 1
            while end > inline.value.lowerBound, outline.bytes[end - 1] == UInt8(ascii: " ") {
                end -= 1
            }
            return (end, (hasMembers ? ", " : " ") + "\(name) = ", hasMembers ? "" : " ")
        }
        let own = table.isEmpty ? nil : outline.sections.first { $0.name == table }
        let section = own ?? outline.sections[0]
        let full = own == nil ? key.path.map(TOMLLiteral.key).joined(separator: ".") : name
        // If the text holds only comments, they stay above the new key.
        let hasOnlyComments = section.end == section.start && outline.sections.count == 1
        let offset = hasOnlyComments ? outline.bytes.count : section.end
        let lineEnd = text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        let isAfterText = offset > section.start && outline.bytes[offset - 1] != UInt8(ascii: "\n")
        // A blank line separates a first key from the table below it.
        let isAboveTable = section.end == section.start && outline.sections.count > 1
        return (
            offset, (isAfterText ? lineEnd : "") + "\(full) = ",
            lineEnd + (isAboveTable && own == nil ? lineEnd : "")
        )
    }

    /// The member of an inline table, with its comma.
    private func memberSpan(_ entry: TOMLOutline.Entry) -> Range<Int> {
        let bytes = outline.bytes
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var start = entry.span.lowerBound
        while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
        if start > 0, bytes[start - 1] == UInt8(ascii: ",") {
            return (start - 1)..<entry.span.upperBound
        }
        var end = entry.span.upperBound
        while end < bytes.count, isBlank(bytes[end]) { end += 1 }
        let hasComma = end < bytes.count && bytes[end] == UInt8(ascii: ",")
        return start..<(hasComma ? end + 1 : entry.span.upperBound)
    }
}
