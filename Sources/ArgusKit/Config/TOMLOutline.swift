/// The positions of keys and values in a TOML text, which the parser does not report.
struct TOMLOutline {
    /// A key with its value, on its own line or in an inline table.
    struct Entry: Equatable {
        /// The full name: the table's, followed by the key's own.
        var key: [String]
        /// From the first byte of the key to the last of the value.
        var span: Range<Int>
        var value: Range<Int>
        var isInline: Bool
        /// True if the value is an inline table, whose members are separate entries.
        var isTable: Bool
    }

    /// The text below a header or before the first one.
    struct Section: Equatable {
        /// The name in the header; empty for the text before the first.
        var name: [String]
        /// The offset of its header, or of the text.
        var start: Int
        /// The offset after the line of its last entry or header.
        var end: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var sections: [Section]
    /// The first fault at which the parser would abort the process.
    private(set) var fault: (offset: Int, words: String)?
    let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        sections = [Section(name: [], start: position, end: position)]
        while position < bytes.count { readLine() }
    }

    func entry(of key: [String]) -> Entry? { entries.first { $0.key == key } }

    /// The first line and column of the key or of anything below it, counted from 1.
    func place(of key: [String]) -> (line: Int, column: Int)? {
        let starts = [
            entries.first { $0.key.starts(with: key) }?.span.lowerBound,
            sections.first { $0.name.starts(with: key) }?.start,
        ]
        return starts.compactMap { $0 }.min().map { place(at: $0) }
    }

    /// The line and the column, in characters, of a byte.
    func place(at offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<offset]
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).count + 1
        return (before.count { $0 == newline } + 1, column)
    }

    /// The whole lines of a span, including the line ends.
    func lines(of span: Range<Int>) -> Range<Int> {
        let start = bytes[..<span.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let end = bytes[span.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
        return start..<end
    }
}

// Lines.
extension TOMLOutline {
    private mutating func readLine() {
        skip { $0.isBlank || $0.isLineEnd }
        guard let first = current else { return }
        let start = position
        if first == UInt8(ascii: "#") { return skipLine() }
        if first == UInt8(ascii: "[") {
            position += bytes[position...].prefix(2).prefix { $0 == UInt8(ascii: "[") }.count
            skip(where: \.isBlank)
            if !(current?.canBeginHeader ?? true) { report("a header has no valid name") }
            let name = readKey()
            skipLine()
            sections.append(Section(name: name, start: start, end: position))
            return
        }
        readEntry(below: sections[sections.count - 1].name, isInline: false)
        skipLine()
        sections[sections.count - 1].end = position
    }

    private mutating func readEntry(below table: [String], isInline: Bool) {
        let start = position
        let key = table + readKey()
        if current == UInt8(ascii: "=") { position += 1 }
        skip(where: \.isBlank)
        let index = entries.count
        let value = position
        let empty = Entry(
            key: key, span: start..<value, value: value..<value, isInline: isInline, isTable: false)
        entries.append(empty)
        entries[index].isTable = current == UInt8(ascii: "{")
        readValue(of: key)
        entries[index].value = value..<position
        entries[index].span = start..<position
    }

    /// Reads the parts of a dotted key and the blanks after it.
    private mutating func readKey() -> [String] {
        var parts: [String] = []
        while true {
            skip(where: \.isBlank)
            guard let byte = current else { return parts }
            let start = position
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                skipString()
                parts.append(Self.unquoted(bytes[start..<position]))
            } else {
                skip { $0.isBareKey }
                parts.append(String(decoding: bytes[start..<position], as: UTF8.self))
            }
            skip(where: \.isBlank)
            guard current == UInt8(ascii: ".") else { return parts }
            position += 1
        }
    }

    /// Decodes a quoted key; the rare numeric escapes stay as written.
    private static func unquoted(_ quoted: ArraySlice<UInt8>) -> String {
        let inner = quoted.dropFirst().dropLast()
        guard quoted.first == UInt8(ascii: "\"") else {
            return String(decoding: inner, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in inner {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            bytes.append(byte)
            isEscaped = false
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// Values.
extension TOMLOutline {
    private mutating func readValue(of key: [String]) {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
        case UInt8(ascii: "["): readItems(until: UInt8(ascii: "]")) { $0.readValue(of: []) }
        case UInt8(ascii: "{"):
            readItems(until: UInt8(ascii: "}")) { $0.readEntry(below: key, isInline: true) }
        default:
            let start = position
            skip { !",]}#".utf8.contains($0) && !$0.isLineEnd }
            // No setting is a time, and the parser aborts at a malformed one.
            if bytes[start..<position].contains(UInt8(ascii: ":")) {
                report("a time must be in quotes", at: start)
            }
            while position > start, bytes[position - 1].isBlank { position -= 1 }
        }
    }

    /// Reads the elements of an array or the members of an inline table, up to its last bracket.
    private mutating func readItems(
        until end: UInt8, _ read: (inout TOMLOutline) -> Void
    ) {
        position += 1
        while let byte = current {
            switch byte {
            case end:
                position += 1
                return
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                report("unexpected '}' in an array")
                position += 1
            case _ where byte.isBlank || byte.isLineEnd: position += 1
            default:
                let start = position
                read(&self)
                if position == start { position += 1 }
            }
        }
    }

    private mutating func skipString() {
        guard let quote = current else { return }
        let isLong = bytes[position...].starts(with: [quote, quote, quote])
        position += isLong ? 3 : 1
        while let byte = current {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position = min(position + 2, bytes.count)
            } else if byte != quote {
                if !isLong, byte == newline { return }
                position += 1
            } else if !isLong {
                position += 1
                return
            } else {
                // Up to two quotes may precede the three that end the string.
                let run = bytes[position...].prefix { $0 == quote }.count
                position += min(run, 5)
                if run >= 3 { return }
            }
        }
    }

    private mutating func report(_ words: String, at offset: Int? = nil) {
        if fault == nil { fault = (offset ?? position, words) }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(where isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    private mutating func skipLine() {
        skip { $0 != newline }
        position = min(position + 1, bytes.count)
    }
}

private let newline = UInt8(ascii: "\n")

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    fileprivate var isLineEnd: Bool { self == newline || self == UInt8(ascii: "\r") }

    /// A letter, digit, `-`, `_` or quote; the parser reports `]` and line ends itself.
    fileprivate var canBeginHeader: Bool {
        isASCIIAlphanumeric || "-_\"']".utf8.contains(self)
    }

    fileprivate var isBareKey: Bool {
        !isBlank && !isLineEnd && !"=.,]}#\"'{[".utf8.contains(self)
    }
}
