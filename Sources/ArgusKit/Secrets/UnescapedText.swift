/// Text with the escapes of one kind undone, and where each of its bytes came from.
struct UnescapedText {
    /// A way to write any byte as several others, by the byte that begins it.
    enum Kind: UInt8, CaseIterable {
        /// `%41`, as in URLs.
        case percent = 0x25
        /// `\u0041`, `\u{41}`, `\x41`, `\n` and the like, as in JSON and in what argus prints.
        case backslash = 0x5C
        /// `&amp;`, `&#65;`, `&#x41;`, as in HTML.
        case entity = 0x26
    }

    private(set) var bytes: [UInt8] = []
    /// The place of each byte in the text it came from, and the text's end.
    private(set) var places: [Int] = []

    /// Undoes the escapes of a kind; nil for text without any.
    init?(_ kind: Kind, in text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.firstIndex(of: kind.rawValue) else { return nil }
        bytes.reserveCapacity(text.count)
        places.reserveCapacity(text.count + 1)
        append(text[..<first])
        var index = first
        while index < text.count {
            let rest = UnsafeBufferPointer(rebasing: text[index...])
            guard rest[0] == kind.rawValue, let escape = Self.escape(kind, rest) else {
                append(text[index..<(index + 1)])
                index += 1
                continue
            }
            bytes += escape.bytes
            places += escape.bytes.map { _ in index }
            index += escape.length
        }
        places.append(text.count)
        guard bytes.count < text.count else { return nil }
    }

    private mutating func append(_ plain: Slice<UnsafeBufferPointer<UInt8>>) {
        bytes += plain
        places += plain.indices
    }

    /// A range of the bytes as a range of the text they came from.
    func range(of range: Range<Int>) -> Range<Int> {
        places[range.lowerBound]..<max(places[range.upperBound], places[range.lowerBound] + 1)
    }

    private typealias Escape = (bytes: [UInt8], length: Int)

    /// What the escape at the beginning of `text` stands for; nil where it is none.
    private static func escape(_ kind: Kind, _ text: UnsafeBufferPointer<UInt8>) -> Escape? {
        switch kind {
        case .percent: hexadecimal(text, from: 1, count: 2).map { ([UInt8($0)], 3) }
        case .entity: entity(text)
        case .backslash: backslash(text)
        }
    }

    private static func backslash(_ text: UnsafeBufferPointer<UInt8>) -> Escape? {
        guard text.count > 1 else { return nil }
        switch text[1] {
        case UInt8(ascii: "x"): return hexadecimal(text, from: 2, count: 2).map { ([UInt8($0)], 4) }
        case UInt8(ascii: "u"): return codePoint(text)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        default: return ([text[1]], 2)
        }
    }

    /// `\u0041`, a surrogate pair of them, or `\u{41}`.
    private static func codePoint(_ text: UnsafeBufferPointer<UInt8>) -> Escape? {
        if text.count > 2, text[2] == UInt8(ascii: "{") {
            guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: "}")),
                let value = hexadecimal(text, from: 3, count: end - 3)
            else { return nil }
            return utf8(value, length: end + 1)
        }
        guard let unit = hexadecimal(text, from: 2, count: 4) else { return nil }
        let isLead = (0xD800...0xDBFF).contains(unit)
        guard isLead, text.count >= 12, text[6] == UInt8(ascii: "\\"),
            text[7] == UInt8(ascii: "u"), let second = hexadecimal(text, from: 8, count: 4),
            (0xDC00...0xDFFF).contains(second)
        else { return utf8(unit, length: 6) }
        return utf8(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00), length: 12)
    }

    /// `&amp;` and its kin, `&#65;` or `&#x41;`.
    private static func entity(_ text: UnsafeBufferPointer<UInt8>) -> Escape? {
        guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: text[1..<end], as: UTF8.self)
        switch name {
        case "amp": return ([UInt8(ascii: "&")], end + 1)
        case "lt": return ([UInt8(ascii: "<")], end + 1)
        case "gt": return ([UInt8(ascii: ">")], end + 1)
        case "quot": return ([UInt8(ascii: "\"")], end + 1)
        case "apos": return ([UInt8(ascii: "'")], end + 1)
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let value =
                digits.first == "x" || digits.first == "X"
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { utf8($0, length: end + 1) }
        }
    }

    private static func utf8(_ value: UInt32, length: Int) -> Escape? {
        Unicode.Scalar(value).map { (Array(String($0).utf8), length) }
    }

    private static func hexadecimal(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, count: Int
    ) -> UInt32? {
        guard count > 0, text.count >= start + count else { return nil }
        var value: UInt32 = 0
        for byte in text[start..<(start + count)] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
            default: return nil
            }
        }
        return value
    }
}
