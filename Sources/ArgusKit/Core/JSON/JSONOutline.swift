/// A stored JSON text without the elements of its outermost arrays and the long strings of its
/// outermost object, which are checked only when they are read.
package struct JSONOutline {
    /// A part that was left out; an array that is the whole text has no name.
    package struct Part {
        var name: String?
        /// The range of the bytes between the brackets or quotes.
        var range: Range<Int>
    }

    /// The longest outline, in bytes.
    package static let longestText = 1 << 20

    /// The answer without its longest values.
    package let view: JSONView
    /// The arrays whose elements were left out.
    package let arrays: [Part]
    /// The strings that were left out.
    package let strings: [Part]

    /// Scans the outermost level of a text.
    package init(_ bytes: StoredBytes) throws(StoredJSONError) {
        var scan = OutlineScan(bytes)
        try scan.scan()
        view = try rethrowing(try JSONView.parse(scan.text), as: StoredJSONError.json)
        arrays = scan.arrays
        strings = scan.strings
    }

    /// The range of the part with this name, the last of several.
    package static func part(_ name: String?, of parts: [Part]) -> Range<Int>? {
        parts.last { $0.name == name }?.range
    }
}

/// The reason why a stored JSON text cannot be read.
package enum StoredJSONError: Error {
    case json(JSONError)
    /// An element longer than `StoredRows.longestRow`.
    case rowTooLong
    /// An outline longer than `JSONOutline.longestText`.
    case outlineTooLong
    case file(FileSystemError)
}

/// One pass over the outermost level of a text.
private struct OutlineScan {
    /// The longest string that the outline keeps, in bytes.
    private static let longestString = 4 << 10

    private var steps: StoredJSONSteps
    private(set) var text: [UInt8] = []
    private(set) var arrays: [JSONOutline.Part] = []
    private(set) var strings: [JSONOutline.Part] = []

    init(_ bytes: StoredBytes) { steps = StoredJSONSteps(bytes, 0..<bytes.count) }

    mutating func scan() throws(StoredJSONError) {
        if try steps.starts(with: [0xEF, 0xBB, 0xBF]) { steps.position = 3 }
        try steps.skipBlanks()
        if try steps.next() == UInt8(ascii: "{") {
            try scanMembers()
        } else {
            try scanValue(named: nil)
        }
        try steps.skipBlanks()
        guard steps.isAtEnd else { throw steps.unexpected }
    }

    private mutating func scanMembers() throws(StoredJSONError) {
        steps.position += 1
        text.append(UInt8(ascii: "{"))
        try steps.skipBlanks()
        if try steps.next() != UInt8(ascii: "}") {
            repeat {
                try scanMember()
                try steps.skipBlanks()
            } while try take(UInt8(ascii: ","))
        }
        guard try take(UInt8(ascii: "}")) else { throw steps.unexpected }
    }

    private mutating func scanMember() throws(StoredJSONError) {
        try steps.skipBlanks()
        let start = text.count
        guard try steps.next() == UInt8(ascii: "\"") else { throw steps.unexpected }
        try append(bytesIn: try steps.skipValue())
        let name = JSONStringDecoder.decode(text[(start + 1)..<(text.count - 1)])
        try steps.skipBlanks()
        guard try take(UInt8(ascii: ":")) else { throw steps.unexpected }
        try steps.skipBlanks()
        try scanValue(named: name)
    }

    private mutating func scanValue(named name: String?) throws(StoredJSONError) {
        let first = try steps.next()
        let range = try steps.skipValue()
        let inside = range.dropFirst().dropLast()
        if first == UInt8(ascii: "[") {
            text += [UInt8(ascii: "["), UInt8(ascii: "]")]
            arrays.append(.init(name: name, range: inside))
        } else if first == UInt8(ascii: "\""), range.count > Self.longestString {
            text += [UInt8(ascii: "\""), UInt8(ascii: "\"")]
            strings.append(.init(name: name, range: inside))
        } else {
            try append(bytesIn: range)
        }
    }

    /// Copies the next byte to the outline if it is `byte`.
    private mutating func take(_ byte: UInt8) throws(StoredJSONError) -> Bool {
        guard try steps.next() == byte else { return false }
        steps.position += 1
        text.append(byte)
        return true
    }

    private mutating func append(bytesIn range: Range<Int>) throws(StoredJSONError) {
        guard range.count <= JSONOutline.longestText - text.count else { throw .outlineTooLong }
        text += try steps.bytes(in: range)
    }
}
