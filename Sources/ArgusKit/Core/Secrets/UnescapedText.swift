internal import Glibc

/// Text with one level of escapes undone, and the source offset of each byte.
struct UnescapedText {
    /// Kinds of escapes, each recognised by its first byte.
    struct Kinds: OptionSet {
        let rawValue: Int

        /// `%41`, as in URLs.
        static let percent = Kinds(rawValue: 1)
        /// `\u0041`, `\u{41}`, `\x41`, `\n` and the like, as in JSON and in the output of argus.
        static let backslash = Kinds(rawValue: 2)
        /// `&amp;`, `&#65;`, `&#x41;`, as in HTML.
        static let entity = Kinds(rawValue: 4)
        static let all: Kinds = [percent, backslash, entity]
    }

    private(set) var bytes: [UInt8] = []
    /// The offset of each byte in the source text, followed by the source's end.
    private(set) var places: [Int32] = []

    /// Undoes escapes of some kinds; nil for text without any.
    ///
    /// The text must be shorter than 2^31 bytes.
    init?(_ kinds: Kinds, in text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.firstIndex(where: { Self.begins(kinds, $0) }) else { return nil }
        bytes.reserveCapacity(text.count)
        places.reserveCapacity(text.count + 1)
        for index in 0..<first { append(text[index], from: index) }
        var index = first
        while index < text.count {
            var length = 0
            if Self.begins(kinds, text[index]) {
                length = appendEscape(UnsafeBufferPointer(rebasing: text[index...]), from: index)
            }
            if length == 0 {
                append(text[index], from: index)
                length = 1
            }
            index += length
        }
        places.append(Int32(text.count))
        guard bytes.count < text.count else { return nil }
    }

    /// Maps a range of the bytes to a range of the source text.
    func range(of range: Range<Int>) -> Range<Int> {
        let start = Int(places[range.lowerBound])
        return start..<max(Int(places[range.upperBound]), start + 1)
    }

    /// The kinds of escapes that a text may contain; most texts contain none.
    static func kinds(in text: UnsafeBufferPointer<UInt8>) -> Kinds {
        guard let start = text.baseAddress else { return [] }
        // memchr(3) finds a byte faster than any loop.
        func has(_ byte: Unicode.Scalar) -> Bool {
            memchr(start, Int32(byte.value), text.count) != nil
        }
        var kinds: Kinds = []
        if has("%") { kinds.insert(.percent) }
        if has("\\") { kinds.insert(.backslash) }
        if has("&") { kinds.insert(.entity) }
        return kinds
    }

    private static func begins(_ kinds: Kinds, _ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"): kinds.contains(.percent)
        case UInt8(ascii: "\\"): kinds.contains(.backslash)
        case UInt8(ascii: "&"): kinds.contains(.entity)
        default: false
        }
    }

    private mutating func append(_ byte: UInt8, from place: Int) {
        bytes.append(byte)
        places.append(Int32(place))
    }

    /// Decodes the escape at the beginning of `text` and appends the result.
    ///
    /// - Returns: The length of the escape; 0 if there is none.
    private mutating func appendEscape(
        _ text: UnsafeBufferPointer<UInt8>, from place: Int
    ) -> Int {
        switch text[0] {
        case UInt8(ascii: "%"):
            guard let value = Self.number(text, from: 1, count: 2) else { return 0 }
            append(UInt8(value), from: place)
            return 3
        case UInt8(ascii: "&"): return appendEntity(text, from: place)
        default: return appendBackslash(text, from: place)
        }
    }

    private mutating func appendBackslash(
        _ text: UnsafeBufferPointer<UInt8>, from place: Int
    ) -> Int {
        guard text.count > 1 else { return 0 }
        switch text[1] {
        case UInt8(ascii: "x"):
            guard let value = Self.number(text, from: 2, count: 2) else { return 0 }
            append(UInt8(value), from: place)
            return 4
        case UInt8(ascii: "u"): return appendCodePoint(text, from: place)
        case UInt8(ascii: "n"): append(0x0A, from: place)
        case UInt8(ascii: "r"): append(0x0D, from: place)
        case UInt8(ascii: "t"): append(0x09, from: place)
        case UInt8(ascii: "b"): append(0x08, from: place)
        case UInt8(ascii: "f"): append(0x0C, from: place)
        default: append(text[1], from: place)
        }
        return 2
    }

    /// Decodes `\u0041`, a surrogate pair of them, or `\u{41}`.
    private mutating func appendCodePoint(
        _ text: UnsafeBufferPointer<UInt8>, from place: Int
    ) -> Int {
        if text.count > 2, text[2] == UInt8(ascii: "{") {
            guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: "}")),
                let value = Self.number(text, from: 3, count: end - 3)
            else { return 0 }
            return appendUTF8(value, from: place) ? end + 1 : 0
        }
        guard let unit = Self.number(text, from: 2, count: 4) else { return 0 }
        if (0xD800...0xDBFF).contains(unit), text.count >= 12, text[6] == UInt8(ascii: "\\"),
            text[7] == UInt8(ascii: "u"), let second = Self.number(text, from: 8, count: 4),
            (0xDC00...0xDFFF).contains(second)
        {
            let value = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
            return appendUTF8(value, from: place) ? 12 : 0
        }
        return appendUTF8(unit, from: place) ? 6 : 0
    }

    private static let names: [(name: StaticString, byte: UInt8)] = [
        ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
        ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")),
    ]

    /// Decodes `&amp;` and similar names, `&#65;` or `&#x41;`.
    private mutating func appendEntity(
        _ text: UnsafeBufferPointer<UInt8>, from place: Int
    ) -> Int {
        for (name, byte) in Self.names where text.count > name.utf8CodeUnitCount {
            let isName = name.withUTF8Buffer { text[1...].starts(with: $0) }
            if isName {
                append(byte, from: place)
                return name.utf8CodeUnitCount + 1
            }
        }
        guard text.count > 3, text[1] == UInt8(ascii: "#"),
            let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";"))
        else { return 0 }
        let isHexadecimal = text[2] | 0x20 == UInt8(ascii: "x")
        let start = isHexadecimal ? 3 : 2
        let value = Self.number(
            text, from: start, count: end - start, base: isHexadecimal ? 16 : 10)
        guard let value else { return 0 }
        return appendUTF8(value, from: place) ? end + 1 : 0
    }

    private mutating func appendUTF8(_ value: UInt32, from place: Int) -> Bool {
        guard let scalar = Unicode.Scalar(value), let units = UTF8.encode(scalar) else {
            return false
        }
        for byte in units { append(byte, from: place) }
        return true
    }

    /// A number of at most eight digits, hexadecimal by default.
    private static func number(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, count: Int, base: UInt32 = 16
    ) -> UInt32? {
        guard (1...8).contains(count), text.count >= start + count else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + count) {
            guard let digit = text[index].hexDigitValue, digit < base else { return nil }
            value = value &* base &+ UInt32(digit)
        }
        return value
    }
}
