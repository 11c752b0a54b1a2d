/// Quotes text so that neither a JSON reader nor a terminal is misled.
///
/// Escapes C0, DEL, C1, bidi controls, U+2028, U+2029, the quote and the backslash (RFC 8259,
/// section 7), and nothing else.
package enum JSONEscaping {
    /// Appends a text as a JSON string, with its quotes.
    package static func appendQuoted(_ text: String, to output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { append($0, to: &output, keepingEscapes: false) }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends the contents of a string, or JSON with `keepingEscapes`; repairs invalid UTF-8.
    static func append(
        _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], keepingEscapes: Bool
    ) {
        var clean = 0
        var index = firstSuspect(bytes, from: 0)
        while index < bytes.count {
            let unit = UTF8Unit(bytes, at: index)
            let isSafe =
                unit.scalar.map { scalar in
                    !scalar.isControlOrBidi
                        && (keepingEscapes || (scalar != "\"" && scalar != "\\"))
                } ?? false
            if !isSafe {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean..<index]))
                appendEscape(of: unit.scalar, to: &output)
                clean = index + unit.length
            }
            index = firstSuspect(bytes, from: index + unit.length)
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean...]))
    }

    /// The index of the next byte that is not plain ASCII text, or the count of bytes.
    @inline(__always)
    private static func firstSuspect(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        var index = start
        while index &+ 8 <= bytes.count {
            let word = ByteWord(at: base + index)
            let marks =
                word.below(0x20) | word.equal(to: UInt8(ascii: "\""))
                | word.equal(to: UInt8(ascii: "\\")) | word.equal(to: 0x7F) | word.nonASCII
            if !marks.isEmpty { return index + marks.firstIndex }
            index += 8
        }
        while index < bytes.count {
            let byte = base[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\")
            {
                return index
            }
            index += 1
        }
        return index
    }

    private static func appendEscape(of scalar: Unicode.Scalar?, to output: inout [UInt8]) {
        switch scalar {
        case nil: output.append(literal: "\u{FFFD}")
        case "\"": output.append(literal: "\\\"")
        case "\\": output.append(literal: "\\\\")
        case "\n": output.append(literal: "\\n")
        case "\r": output.append(literal: "\\r")
        case "\t": output.append(literal: "\\t")
        case let scalar?:
            output.append(literal: "\\u")
            for shift in [12, 8, 4, 0] {
                output.append(UInt8(scalar.value >> UInt32(shift) & 0xF).hexDigit)
            }
        }
    }
}
