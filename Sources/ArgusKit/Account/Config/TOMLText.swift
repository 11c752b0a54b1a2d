import ArgusCore

/// A text in the subset of TOML (https://toml.io) that the config file uses: one setting a line.
///
/// ```toml
/// # a comment
/// server = "home"     # "…" takes the escapes of TOML, '…' none
/// retries = 2
/// [alias]
/// last = 'events list -n 1'
/// ```
///
/// Keys may be quoted and dotted. No setting is an array, a table in braces, a time or a text of
/// several lines, so these are refused.
struct TOMLText: Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        case flag(Bool)
        /// A whole number, or one with a fraction.
        case number(String)
    }

    /// The place and the reason of a fault; line and column are counted from 1, columns in characters.
    struct Fault: Error {
        var line: Int
        var column: Int
        var words: String
    }

    struct Entry: Sendable {
        /// The full name: the table's, followed by the key's own.
        var key: [String]
        var value: Value
        /// The index of its line.
        var line: Int
        var column: Int
        /// The bytes of the value in its line.
        var span: Range<Int>
    }

    struct Header: Sendable {
        var name: [String]
        var line: Int
    }

    /// The lines with their ends.
    private(set) var lines: [[UInt8]]
    private(set) var entries: [Entry] = []
    private(set) var headers: [Header] = []

    /// - Throws: `Fault` for the first fault of the text.
    init(_ text: String) throws(Fault) {
        lines = text.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { $0 + [UInt8(ascii: "\n")] }
        // What follows the last line end is a line without one.
        lines[lines.count - 1].removeLast()
        if lines.last == [] { lines.removeLast() }
        for index in lines.indices {
            var line = TOMLLine(lines[index], number: index + 1)
            if index == 0 { line.skipByteOrderMark() }
            switch try line.read() {
            case .nothing: break
            case .header(let name):
                try add(name, at: line)
                headers.append(Header(name: name, line: index))
            case .entry(let key, let value, let column, let span):
                let name = (headers.last?.name ?? []) + key
                try add(name, at: line)
                entries.append(
                    Entry(key: name, value: value, line: index, column: column, span: span))
            }
        }
    }

    /// Checks that a new key or header does not contradict those above it.
    private func add(_ name: [String], at line: TOMLLine) throws(Fault) {
        let shown = "'\(name.joined(separator: "."))'"
        guard !entries.contains(where: { $0.key == name }),
            !headers.contains(where: { $0.name == name })
        else { throw line.fault("\(shown) is set twice", at: 0) }
        let isBelowValue = entries.contains { name.starts(with: $0.key) }
        let isAboveKey = entries.contains { $0.key.starts(with: name) } && line.isEntry
        guard !isBelowValue, !isAboveKey else {
            throw line.fault("\(shown) is a value and a table", at: 0)
        }
    }
}

// Changes.
extension TOMLText {
    var text: String { String(decoding: lines.joined(), as: UTF8.self) }

    func entry(of key: [String]) -> Entry? { entries.first { $0.key == key } }

    /// The lines with a value replaced, or with a new line beside similar keys.
    func setting(_ key: [String], to literal: String) -> String {
        var lines = lines
        if let entry = entry(of: key) {
            lines[entry.line].replaceSubrange(entry.span, with: literal.utf8)
            return String(decoding: lines.joined(), as: UTF8.self)
        }
        let lineEnd = lines.contains { $0.suffix(2) == [13, 10] } ? "\r\n" : "\n"
        let table = Array(key.dropLast())
        let own = headers.first { !table.isEmpty && $0.name == table }
        let name = (own == nil ? key : [key[key.count - 1]]).map(TOMLLiteral.key)
        var new = "\(name.joined(separator: ".")) = \(literal)\(lineEnd)"
        let next = headers.first { $0.line > own?.line ?? -1 }?.line ?? lines.count
        let last = entries.last { $0.line < next && $0.line > own?.line ?? -1 }?.line ?? own?.line
        // If there is nothing above the first table, its comments stay with it.
        let line = last.map { $0 + 1 } ?? (headers.isEmpty ? lines.count : 0)
        if last == nil, !headers.isEmpty { new += lineEnd }
        if line > 0, lines[line - 1].last != UInt8(ascii: "\n") { lines[line - 1] += lineEnd.utf8 }
        lines.insert(Array(new.utf8), at: line)
        return String(decoding: lines.joined(), as: UTF8.self)
    }

    /// The lines without that of a key.
    func removing(_ entry: Entry) -> String {
        var lines = lines
        lines.remove(at: entry.line)
        return String(decoding: lines.joined(), as: UTF8.self)
    }
}

/// One line of the text, and how far it has been read.
private struct TOMLLine {
    enum Content {
        /// Blank, or a comment.
        case nothing
        case header([String])
        case entry(key: [String], value: TOMLText.Value, column: Int, span: Range<Int>)
    }

    private let bytes: [UInt8]
    private let number: Int
    private var position = 0
    /// False for a header.
    private(set) var isEntry = false

    init(_ bytes: [UInt8], number: Int) {
        let end = bytes.reversed().prefix { $0 == 10 || $0 == 13 }.count
        self.bytes = bytes.dropLast(end)
        self.number = number
    }

    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    func fault(_ words: String, at offset: Int? = nil) -> TOMLText.Fault {
        let before = bytes[..<min(offset ?? position, bytes.count)]
        // The mark before a text takes no column.
        let column = String(decoding: before, as: UTF8.self).count { $0 != "\u{FEFF}" } + 1
        return TOMLText.Fault(line: number, column: column, words: words)
    }

    mutating func read() throws(TOMLText.Fault) -> Content {
        skipBlanks()
        guard let first = current, first != UInt8(ascii: "#") else { return .nothing }
        if first == UInt8(ascii: "[") {
            position += 1
            guard current != UInt8(ascii: "[") else {
                throw fault("lists of tables are not supported")
            }
            let name = try readKey(else: "a header has no valid name")
            guard current == UInt8(ascii: "]") else { throw fault("a header needs a ']'") }
            position += 1
            try expectEnd()
            return .header(name)
        }
        isEntry = true
        let start = position
        let key = try readKey(else: "a line must be NAME = VALUE")
        guard current == UInt8(ascii: "=") else { throw fault("expected '=' after the name") }
        position += 1
        skipBlanks()
        let valueStart = position
        let value = try readValue()
        let span = valueStart..<position
        try expectEnd()
        return .entry(key: key, value: value, column: fault("", at: start).column, span: span)
    }

    /// Reads the parts of a dotted key and the blanks after it.
    private mutating func readKey(else words: String) throws(TOMLText.Fault) -> [String] {
        var parts: [String] = []
        while true {
            skipBlanks()
            if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                parts.append(try readText(quote))
            } else {
                let start = position
                while let byte = current, byte.isASCIIAlphanumeric || "-_".utf8.contains(byte) {
                    position += 1
                }
                guard position > start else { throw fault(words) }
                parts.append(String(decoding: bytes[start..<position], as: UTF8.self))
            }
            skipBlanks()
            guard current == UInt8(ascii: ".") else { return parts }
            position += 1
        }
    }

    private mutating func readValue() throws(TOMLText.Fault) -> TOMLText.Value {
        switch current {
        case nil, UInt8(ascii: "#"): throw fault("a value is missing")
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            throw fault("lists and tables in braces are not supported")
        case let quote? where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
            guard !bytes[position...].starts(with: [quote, quote, quote]) else {
                throw fault("text of several lines is not supported")
            }
            return .text(try readText(quote))
        default: break
        }
        let start = position
        while let byte = current, byte != UInt8(ascii: "#"), !byte.isBlank { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if word == "true" || word == "false" { return .flag(word == "true") }
        if let number = Self.number(word) { return .number(number) }
        let isTime = word.contains(":") && word.utf8.first?.isASCIIDigit == true
        throw fault(isTime ? "a time must be in quotes" : "text needs quotes", at: start)
    }

    /// A number without the signs and underscores that mean nothing.
    private static func number(_ word: String) -> String? {
        var digits = word[...]
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits.removeFirst() }
        let parts = digits.replacing("_", with: "").split(
            separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        guard parts.count <= 2, isNumber else { return nil }
        return (isNegative ? "-" : "") + parts.joined(separator: ".")
    }

    private mutating func readText(_ quote: UInt8) throws(TOMLText.Fault) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                text += try readEscape()
            } else {
                text.append(byte)
            }
        }
        throw fault("a quote is not closed", at: start)
    }

    /// Reads what follows a backslash (TOML 1.0, section "String").
    private mutating func readEscape() throws(TOMLText.Fault) -> [UInt8] {
        let start = position - 1
        defer { position += 1 }
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[position]]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = current == UInt8(ascii: "u") ? 4 : 8
            let digits = String(decoding: bytes[(position + 1)...].prefix(count), as: UTF8.self)
            guard digits.utf8.count == count, digits.allSatisfy(\.isHexDigit),
                let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
            else { throw fault("'\\u' needs the number of a character", at: start) }
            position += count
            return Array(String(scalar).utf8)
        default: throw fault("unknown escape; a backslash is written '\\\\'", at: start)
        }
    }

    private mutating func expectEnd() throws(TOMLText.Fault) {
        skipBlanks()
        guard current == nil || current == UInt8(ascii: "#") else {
            throw fault("more than one value in the line, or text without quotes")
        }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while current?.isBlank ?? false { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
