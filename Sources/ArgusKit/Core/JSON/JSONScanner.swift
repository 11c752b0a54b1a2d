/// Checks a whole JSON text in one pass and records where its containers end (RFC 8259).
///
/// Invalid UTF-8 inside strings passes and becomes U+FFFD when the string is read. A byte order
/// mark at the start is skipped (RFC 8259, section 8.1, permits that).
struct JSONScanner {
    private let base: UnsafePointer<UInt8>
    private let count: Int
    private(set) var position = 0
    private(set) var containers: [JSONContainer] = []
    /// The text has blanks between tokens.
    private(set) var hasBlanks = false
    private var depth = 0
    private var valuesLeft = JSONError.valueLimit
    /// The entry of the innermost open container; undefined while `depth` is 0.
    private var open: UInt32 = 0
    private var isInObject = false

    init(base: UnsafePointer<UInt8>, count: Int) {
        self.base = base
        self.count = count
    }

    /// Scans the text from the first byte to the last and returns the offset of its value.
    mutating func scanText() throws(JSONError) -> Int {
        guard count <= Int32.max else { throw JSONError(reason: .tooLarge, offset: 0) }
        if count >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { position = 3 }
        skipBlanks()
        let start = position
        while true {
            if try scanValueStart() { continue }
            if try scanValueEnd() { return start }
        }
    }

    /// Scans a scalar or an opening bracket; true if another value must follow at once.
    @inline(__always)
    private mutating func scanValueStart() throws(JSONError) -> Bool {
        valuesLeft &-= 1
        guard valuesLeft >= 0 else { throw failure(.tooLarge) }
        switch try current() {
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "{"):
            try openContainer(isObject: true)
            if try closesAtOnce(UInt8(ascii: "}")) { return false }
            try scanKey()
            return true
        case UInt8(ascii: "["):
            try openContainer(isObject: false)
            return try !closesAtOnce(UInt8(ascii: "]"))
        case UInt8(ascii: "n"): try scanWord("null")
        case UInt8(ascii: "t"): try scanWord("true")
        case UInt8(ascii: "f"): try scanWord("false")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        default: throw failure(.unexpectedByte)
        }
        return false
    }

    /// Scans the bytes after a value; true at the end of the text, false if a value must follow.
    @inline(__always)
    private mutating func scanValueEnd() throws(JSONError) -> Bool {
        while true {
            skipBlanks()
            if depth == 0 {
                guard position == count else { throw failure(.unexpectedByte) }
                return true
            }
            let byte = try current()
            if byte == UInt8(ascii: ",") {
                position += 1
                skipBlanks()
                if isInObject { try scanKey() }
                return false
            }
            guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw failure(.unexpectedByte)
            }
            closeContainer()
        }
    }

    private mutating func openContainer(isObject: Bool) throws(JSONError) {
        guard depth < JSONError.depthLimit else { throw failure(.tooDeep) }
        let entry = UInt32(containers.count)
        containers.append(JSONContainer(end: UInt32(position), next: open))
        open = entry
        depth += 1
        isInObject = isObject
        position += 1
        skipBlanks()
    }

    /// Closes the container that was just opened if it is empty.
    private mutating func closesAtOnce(_ bracket: UInt8) throws(JSONError) -> Bool {
        guard try current() == bracket else { return false }
        closeContainer()
        return true
    }

    private mutating func closeContainer() {
        position += 1
        let parent = containers[Int(open)].next
        containers[Int(open)] = JSONContainer(
            end: UInt32(position), next: UInt32(containers.count))
        open = parent
        depth -= 1
        if depth > 0 {
            isInObject = base[Int(containers[Int(open)].end)] == UInt8(ascii: "{")
        }
    }

    /// Scans a member's name and colon, up to its value.
    @inline(__always)
    private mutating func scanKey() throws(JSONError) {
        guard try current() == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
        try scanString()
        skipBlanks()
        guard try current() == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
        position += 1
        skipBlanks()
    }

    @inline(__always)
    private mutating func scanString() throws(JSONError) {
        position += 1
        while true {
            while position &+ 8 <= count {
                let word = ByteWord(at: base + position)
                let marks =
                    word.equal(to: UInt8(ascii: "\"")) | word.equal(to: UInt8(ascii: "\\"))
                    | word.below(0x20)
                position += marks.firstIndex
                if !marks.isEmpty { break }
            }
            switch try current() {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try scanEscape()
            case 0..<0x20: throw failure(.unexpectedByte)
            default: position += 1
            }
        }
    }

    private mutating func scanEscape() throws(JSONError) {
        position += 1
        switch try current() {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard try current().hexDigitValue != nil else { throw failure(.unexpectedByte) }
                position += 1
            }
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func scanNumber() throws(JSONError) {
        if base[position] == UInt8(ascii: "-") { position += 1 }
        if try current() == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
        if position < count, base[position] == UInt8(ascii: ".") {
            position += 1
            try scanDigits()
        }
        guard position < count, base[position] | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        let sign = try current()
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
        try scanDigits()
    }

    private mutating func scanDigits() throws(JSONError) {
        guard try current() &- UInt8(ascii: "0") < 10 else { throw failure(.unexpectedByte) }
        repeat {
            position += 1
        } while position < count
            && base[position] &- UInt8(ascii: "0") < 10
    }

    private mutating func scanWord(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard try current() == word.utf8Start[index] else { throw failure(.unexpectedByte) }
            position += 1
        }
    }

    @inline(__always)
    private mutating func skipBlanks() {
        guard position < count, base[position].isJSONBlank else { return }
        hasBlanks = true
        repeat { position += 1 } while position < count && base[position].isJSONBlank
    }

    @inline(__always)
    private func current() throws(JSONError) -> UInt8 {
        guard position < count else { throw failure(.truncated) }
        return base[position]
    }

    private func failure(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: position)
    }
}

extension UInt8 {
    /// True for whitespace between JSON tokens (RFC 8259, section 2).
    @inline(__always)
    var isJSONBlank: Bool {
        self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09)
    }

    /// The value of an ASCII hexadecimal digit in either case.
    @inline(__always)
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
