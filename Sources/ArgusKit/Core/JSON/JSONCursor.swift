internal import Glibc

/// Steps through the contents of one container of a checked text.
struct JSONCursor {
    private let buffer: JSONBuffer
    private let end: Int
    private var position: Int
    /// The entry of the next container that opens at or after `position`.
    private var container: Int

    init(inside view: JSONView) {
        buffer = view.buffer
        end = view.end - 1
        position = view.start + 1
        container = view.container + 1
    }

    mutating func nextElement() -> JSONView? {
        buffer.bytes.withUnsafeBufferPointer { bytes in
            skipSeparators(bytes)
            return position < end ? JSONView(buffer, takeValue(bytes)) : nil
        }
    }

    /// Returns the next member of an object whose text is `bytes`.
    @inline(__always)
    mutating func nextMember(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (key: JSONKey, value: JSONValueSpan)? {
        skipSeparators(bytes)
        guard position < end else { return nil }
        let start = position + 1
        let string = takeString(bytes)
        let name = UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
        skipSeparators(bytes)
        return (JSONKey(name: name, hasEscapes: string.hasEscapes), takeValue(bytes))
    }

    /// Skips blanks, commas and colons, which a checked text has in the right places.
    @inline(__always)
    private mutating func skipSeparators(_ bytes: UnsafeBufferPointer<UInt8>) {
        while position < end {
            let byte = bytes[position]
            guard byte.isJSONBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
            else { return }
            position += 1
        }
    }

    @inline(__always)
    private mutating func takeValue(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONValueSpan {
        let start = position
        let entry = container
        switch bytes[position] {
        case UInt8(ascii: "\""): _ = takeString(bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            position = Int(buffer.containers[entry].end)
            container = Int(buffer.containers[entry].next)
        case UInt8(ascii: "n"), UInt8(ascii: "t"): position += 4
        case UInt8(ascii: "f"): position += 5
        default:
            while position < end, !bytes[position].endsNumber { position += 1 }
        }
        return JSONValueSpan(start: start, end: position, container: entry)
    }

    /// Returns the next string and moves past its closing quote.
    @inline(__always)
    private mutating func takeString(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONStringSpan {
        let string = JSONStringSpan(bytes, at: position)
        position = string.end
        return string
    }
}

/// The place of a value in a checked text; see `JSONView`.
struct JSONValueSpan {
    let start: Int
    let end: Int
    let container: Int
}

extension JSONView {
    @inline(__always)
    init(_ buffer: JSONBuffer, _ span: JSONValueSpan) {
        self.init(buffer: buffer, start: span.start, end: span.end, container: span.container)
    }
}

/// The end of a string in a checked text.
struct JSONStringSpan {
    /// The offset just after the closing quote.
    let end: Int
    /// True if the string contains a backslash.
    let hasEscapes: Bool

    /// Finds the end of the string whose opening quote is at `start`.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        var position = start + 1
        var hasEscapes = false
        while position < bytes.count, let base = bytes.baseAddress {
            while position &+ 8 <= bytes.count {
                let word = ByteWord(at: base + position)
                let marks =
                    word.equal(to: UInt8(ascii: "\"")) | word.equal(to: UInt8(ascii: "\\"))
                position += marks.firstIndex
                if !marks.isEmpty { break }
            }
            guard position < bytes.count, base[position] != UInt8(ascii: "\"") else { break }
            if base[position] == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
            }
            position += 1
        }
        end = min(position + 1, bytes.count)
        self.hasEscapes = hasEscapes
    }
}

extension UInt8 {
    /// True for a byte that ends the number or word before it.
    var endsNumber: Bool {
        isJSONBlank || self == UInt8(ascii: ",") || self == UInt8(ascii: "]")
            || self == UInt8(ascii: "}")
    }
}

/// The name of a member, compared in place as bytes; valid only inside the callback that receives it.
///
/// The comparison is inlined into other modules: an event has thirty members, and most of their names
/// differ in length already.
package struct JSONKey {
    /// The bytes between the quotes; a pointer, because retaining the text takes longer than
    /// comparing a name.
    @usableFromInline let name: UnsafeBufferPointer<UInt8>
    @usableFromInline let hasEscapes: Bool

    init(name: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        (self.name, self.hasEscapes) = (name, hasEscapes)
    }

    /// The decoded name.
    package var text: String { JSONStringDecoder.decode(Array(name)[...]) }

    /// True if the decoded name is `name`, byte for byte.
    package func matches(_ name: String) -> Bool {
        if hasEscapes { return text == name }
        var name = name
        return name.withUTF8 { $0.count == self.name.count && hasBytes($0.baseAddress) }
    }

    /// True if the decoded name is `name`, byte for byte.
    @inlinable
    package static func == (key: JSONKey, name: StaticString) -> Bool {
        if key.hasEscapes { return key.matches(name.description) }
        return key.name.count == name.utf8CodeUnitCount && key.hasBytes(name.utf8Start)
    }

    /// Lets a `switch` over a key name its cases as literals.
    @inlinable
    package static func ~= (name: StaticString, key: JSONKey) -> Bool { key == name }

    /// True if the bytes of the name are those at `other`, which has as many.
    @usableFromInline
    func hasBytes(_ other: UnsafePointer<UInt8>?) -> Bool {
        guard !name.isEmpty, let other, let base = name.baseAddress else { return name.isEmpty }
        return memcmp(base, other, name.count) == 0
    }
}
