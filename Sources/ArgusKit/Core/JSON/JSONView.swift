/// A value inside a checked JSON text, read in place.
///
/// Reading never fails on structure and never traps: an accessor of another type returns nil. Of
/// members with the same name the last one counts, as in Python and jq.
package struct JSONView: Sendable {
    /// The text that all views of an answer share.
    package let buffer: JSONBuffer
    /// The offset of the value's first byte.
    let start: Int
    /// The offset just after its last byte.
    let end: Int
    /// The entry in `buffer.containers`; undefined for a scalar.
    let container: Int

    /// The six types of value (RFC 8259, section 3).
    package enum Kind: Sendable { case object, array, string, number, bool, null }

    /// The value `null`.
    package static let null = JSONView(
        buffer: JSONBuffer(bytes: Array("null".utf8), containers: [], hasBlanks: false),
        start: 0, end: 4, container: 0)

    /// Checks in linear time that the text is one well-formed value, and returns a view of it.
    /// - Throws: `JSONError` with the reason and the offset.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONView {
        let (start, containers, hasBlanks) = try bytes.withUnsafeBufferPointer {
            (bytes) throws(JSONError) -> (Int, [JSONContainer], Bool) in
            guard let base = bytes.baseAddress else {
                throw JSONError(reason: .truncated, offset: 0)
            }
            var scanner = JSONScanner(base: base, count: bytes.count)
            return (try scanner.scanText(), scanner.containers, scanner.hasBlanks)
        }
        var end = bytes.count
        while end > start, bytes[end - 1].isJSONBlank { end -= 1 }
        let buffer = JSONBuffer(bytes: bytes, containers: containers, hasBlanks: hasBlanks)
        return JSONView(buffer: buffer, start: start, end: end, container: 0)
    }

    package var kind: Kind {
        switch buffer.bytes[start] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// True if the value is `null`.
    package var isNull: Bool { buffer.bytes[start] == UInt8(ascii: "n") }

    /// The Boolean value; nil for another type.
    package var bool: Bool? {
        switch buffer.bytes[start] {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The value's bytes as received, with the blanks between tokens; a slice, not a copy.
    package var rawBytes: ArraySlice<UInt8> { buffer.bytes[start..<end] }

    /// The last member of an object with this name; nil if there is none.
    package subscript(name: String) -> JSONView? {
        var found: JSONView?
        forEachMember { key, value in
            if key.matches(name) { found = value }
        }
        return found
    }

    /// Calls `body` for each member of an object, in the order of the text.
    package func forEachMember(_ body: (_ key: JSONKey, _ value: JSONView) -> Void) {
        scanMembers { key, value in
            body(key, value)
            return true
        }
    }

    /// Calls `body` for each member of an object in the order of the text, until it returns false.
    package func scanMembers(_ body: (_ key: JSONKey, _ value: JSONView) -> Bool) {
        guard kind == .object else { return }
        var cursor = JSONCursor(inside: self)
        buffer.bytes.withUnsafeBufferPointer { bytes in
            while let (key, value) = cursor.nextMember(bytes), body(key, JSONView(buffer, value)) {}
        }
    }

    /// The elements of an array; empty for another type.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The elements that are strings; nil if the value is not an array.
    package var strings: [String]? { kind == .array ? elements.compactMap(\.string) : nil }
}

/// The elements of an array, found one after the other.
package struct JSONElements: Sequence, IteratorProtocol {
    private var cursor: JSONCursor?

    fileprivate init(of view: JSONView) {
        cursor = view.kind == .array ? JSONCursor(inside: view) : nil
    }

    /// The next element; nil at the end.
    package mutating func next() -> JSONView? { cursor?.nextElement() }
}
