/// The elements of an array in a stored text, read one after the other.
package struct StoredRows {
    /// The longest element, in bytes.
    package static let longestRow = 16 << 20

    private var steps: StoredJSONSteps
    private var isAfterComma = false

    /// Starts at the first byte between the array's brackets.
    package init(_ bytes: StoredBytes, in range: Range<Int>) {
        steps = StoredJSONSteps(bytes, range)
    }

    /// Reads and checks the next element; nil at the end.
    package mutating func next() throws(StoredJSONError) -> (range: Range<Int>, view: JSONView)? {
        try steps.skipBlanks()
        guard !steps.isAtEnd else {
            if isAfterComma { throw steps.unexpected }
            return nil
        }
        let range = try steps.skipValue()
        guard range.count <= Self.longestRow else { throw .rowTooLong }
        let view = try Self.view(try steps.bytes(in: range), at: range.lowerBound)
        try steps.skipBlanks()
        isAfterComma = !steps.isAtEnd
        if isAfterComma {
            guard try steps.next() == UInt8(ascii: ",") else { throw steps.unexpected }
            steps.position += 1
        }
        return (range, view)
    }

    /// Reads again an element whose range `next` returned.
    package static func read(
        _ range: Range<Int>, of bytes: StoredBytes
    ) throws(StoredJSONError) -> JSONView {
        let row = try rethrowing(
            try bytes.read(from: range.lowerBound, count: range.count), as: StoredJSONError.file)
        return try view(row, at: range.lowerBound)
    }

    private static func view(_ bytes: [UInt8], at offset: Int) throws(StoredJSONError) -> JSONView {
        do throws(JSONError) {
            return try JSONView.parse(bytes)
        } catch {
            throw .json(JSONError(reason: error.reason, offset: offset + error.offset))
        }
    }
}

/// Steps through a part of a stored JSON text; a value ends at its closing quote or matching
/// bracket, and `JSONView.parse` checks the bytes in between.
struct StoredJSONSteps {
    private var window: ByteWindow
    private let end: Int
    /// The closing brackets that the value being skipped still needs.
    private var closers: [UInt8] = []
    var position: Int

    init(_ bytes: StoredBytes, _ range: Range<Int>) {
        window = ByteWindow(bytes)
        end = range.upperBound
        position = range.lowerBound
    }

    var isAtEnd: Bool { position >= end }

    /// The error for an unexpected byte or the end of the text at this position.
    var unexpected: StoredJSONError {
        .json(JSONError(reason: isAtEnd ? .truncated : .unexpectedByte, offset: position))
    }

    @inline(__always)
    mutating func next() throws(StoredJSONError) -> UInt8 {
        guard position < end else { throw unexpected }
        return try byte(at: position)
    }

    /// Returns the byte at this position and moves past it; nil at the end.
    mutating func takeByte() throws(FileSystemError) -> UInt8? {
        guard position < end else { return nil }
        defer { position += 1 }
        return try window.byte(at: position)
    }

    mutating func starts(with bytes: [UInt8]) throws(StoredJSONError) -> Bool {
        guard end - position >= bytes.count else { return false }
        for (index, wanted) in bytes.enumerated() where try byte(at: position + index) != wanted {
            return false
        }
        return true
    }

    func bytes(in range: Range<Int>) throws(StoredJSONError) -> [UInt8] {
        try rethrowing(try window.bytes(in: range), as: StoredJSONError.file)
    }

    mutating func skipBlanks() throws(StoredJSONError) {
        while position < end, try byte(at: position).isJSONBlank { position += 1 }
    }

    /// Moves past the value that begins here and returns its range.
    mutating func skipValue() throws(StoredJSONError) -> Range<Int> {
        let start = position
        closers.removeAll(keepingCapacity: true)
        repeat {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                guard closers.count < JSONError.depthLimit else {
                    throw .json(JSONError(reason: .tooDeep, offset: position))
                }
                closers.append(byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}"))
                position += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard closers.popLast() == byte else { throw unexpected }
                position += 1
            default:
                if closers.isEmpty { try skipWord() } else { position += 1 }
            }
        } while !closers.isEmpty
        return start..<position
    }

    private mutating func skipString() throws(StoredJSONError) {
        position += 1
        while true {
            let byte = try next()
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
    }

    /// Skips a number or word, at least one byte; it is checked when it is read.
    private mutating func skipWord() throws(StoredJSONError) {
        let start = position
        while position < end, try !byte(at: position).endsNumber { position += 1 }
        guard position > start else { throw unexpected }
    }

    @inline(__always)
    private mutating func byte(at position: Int) throws(StoredJSONError) -> UInt8 {
        do throws(FileSystemError) {
            return try window.byte(at: position)
        } catch {
            throw .file(error)
        }
    }
}
