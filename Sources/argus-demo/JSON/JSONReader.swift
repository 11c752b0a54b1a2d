/// Reads the JSON of request bodies (RFC 8259).
struct JSONReader {
    /// What is wrong with a text, and at which byte.
    struct Failure: Error, Equatable {
        var message: String
        var offset: Int
    }

    private let bytes: [UInt8]
    private var offset = 0
    /// Deeper nesting is refused, so that a body cannot exhaust the stack.
    private let maximumDepth = 64

    /// Reads the one value that `bytes` hold.
    static func read(_ bytes: [UInt8]) throws(Failure) -> JSON {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.offset == bytes.count else { throw reader.failure("Extra data") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ message: String) -> Failure {
        Failure(message: message, offset: offset)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSON {
        guard depth < maximumDepth else { throw failure("Nested too deeply") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(Failure) -> JSON {
        guard bytes[offset...].starts(with: word.utf8) else { throw failure("Expecting value") }
        offset += word.utf8.count
        return value
    }

    private mutating func number() throws(Failure) -> JSON {
        let start = offset
        while let byte = next,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        {
            offset += 1
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if let integer = Int(text) { return .integer(integer) }
        if let number = Double(text) { return .number(number) }
        offset = start
        throw failure("Expecting value")
    }

    private mutating func list(depth: Int) throws(Failure) -> JSON {
        offset += 1
        var elements: [JSON] = []
        skipBlanks()
        if next == UInt8(ascii: "]") {
            offset += 1
            return .list(elements)
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try closes(with: UInt8(ascii: "]")) { return .list(elements) }
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> JSON {
        offset += 1
        var members: [JSON.Member] = []
        skipBlanks()
        if next == UInt8(ascii: "}") {
            offset += 1
            return .object(members)
        }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else {
                throw failure("Expecting property name enclosed in double quotes")
            }
            let name = try string()
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw failure("Expecting ':' delimiter") }
            offset += 1
            members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
            if try closes(with: UInt8(ascii: "}")) { return .object(members) }
        }
    }

    private mutating func closes(with end: UInt8) throws(Failure) -> Bool {
        skipBlanks()
        guard let byte = next, byte == end || byte == UInt8(ascii: ",") else {
            throw failure("Expecting ',' delimiter")
        }
        offset += 1
        return byte == end
    }

    private mutating func string() throws(Failure) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("Invalid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            case 0..<0x20: throw failure("Invalid control character at")
            default: text.append(byte)
            }
        }
        throw failure("Unterminated string starting at")
    }

    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        guard let byte = next else { throw failure("Unterminated string starting at") }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            let unit = try hexUnit()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard UTF16.isLeadSurrogate(unit), bytes[offset...].starts(with: "\\u".utf8) else {
                return "\u{FFFD}"
            }
            offset += 2
            let trail = try hexUnit()
            guard UTF16.isTrailSurrogate(trail) else { return "\u{FFFD}" }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        default: return Unicode.Scalar(byte)
        }
    }

    private mutating func hexUnit() throws(Failure) -> UInt16 {
        let end = offset + 4
        guard end <= bytes.count,
            let unit = UInt16(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16)
        else { throw failure("Invalid \\uXXXX escape") }
        offset = end
        return unit
    }
}
