extension JSONView {
    /// The decoded text of a string; lone surrogates and invalid UTF-8 become U+FFFD.
    package var string: String? {
        guard kind == .string else { return nil }
        return JSONStringDecoder.decode(buffer.bytes[(start + 1)..<(end - 1)])
    }

    /// A whole number, even if written as `3.0` or `3e2`; nil if it does not fit.
    package var int: Int? {
        guard kind == .number else { return nil }
        let isNegative = buffer.bytes[start] == UInt8(ascii: "-")
        var value = 0
        for byte in buffer.bytes[(isNegative ? start + 1 : start)..<end] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return double.flatMap(Int.init(exactly:)) }
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            // Downwards, because Int.min has no positive counterpart.
            let (next, overflowedAgain) = tens.subtractingReportingOverflow(Int(digit))
            if overflowed || overflowedAgain { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// A number of things: a whole one from 0 to 2⁵³, as JSON has them everywhere (RFC 8259, section
    /// 6), of which thousands can be added.
    package var count: Int? { int.flatMap { (0...1 << 53).contains($0) ? $0 : nil } }

    /// A point in time: Unix seconds, or a string as `Timestamp.init(serverText:)` reads it.
    package var timestamp: Timestamp? {
        let margin = kind == .string ? 1 : 0
        guard margin == 1 || kind == .number else { return nil }
        return buffer.bytes.withUnsafeBufferPointer { bytes in
            Timestamp(
                serverBytes: UnsafeBufferPointer(
                    rebasing: bytes[(start + margin)..<(end - margin)]))
        }
    }

    /// A number as the nearest Double; nil if it is too large for one.
    package var double: Double? {
        guard kind == .number,
            let value = Double(String(decoding: rawBytes, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }
}

/// Decodes the bytes between a string's quotes (RFC 8259, section 7).
enum JSONStringDecoder {
    static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        // Both branches below leave it to String to replace invalid UTF-8 with U+FFFD.
        guard let firstEscape = bytes.firstIndex(of: UInt8(ascii: "\\")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        // An escape is never shorter than the text that it stands for, so this capacity suffices.
        return String(unsafeUninitializedCapacity: bytes.count) { target in
            var count = 0
            func put(_ byte: UInt8) {
                target[count] = byte
                count += 1
            }
            bytes[..<firstEscape].forEach(put)
            var source = bytes[firstEscape...]
            while let byte = source.popFirst() {
                guard byte == UInt8(ascii: "\\"), let escape = source.popFirst() else {
                    put(byte)
                    continue
                }
                switch escape {
                case UInt8(ascii: "b"): put(0x08)
                case UInt8(ascii: "f"): put(0x0C)
                case UInt8(ascii: "n"): put(0x0A)
                case UInt8(ascii: "r"): put(0x0D)
                case UInt8(ascii: "t"): put(0x09)
                case UInt8(ascii: "u"): UTF8.encode(takeScalar(&source))?.forEach(put)
                default: put(escape)
                }
            }
            return count
        }
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair if there is one.
    private static func takeScalar(_ source: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let unit = hexValue(source.prefix(4))
        source = source.dropFirst(4)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let second = hexValue(source.dropFirst(2).prefix(4))
        guard UTF16.isLeadSurrogate(UInt16(truncatingIfNeeded: unit)),
            source.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
            UTF16.isTrailSurrogate(UInt16(truncatingIfNeeded: second)),
            let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF)
        else { return "\u{FFFD}" }
        source = source.dropFirst(6)
        return scalar
    }

    private static func hexValue(_ digits: ArraySlice<UInt8>) -> UInt32 {
        digits.reduce(0) { $0 << 4 | UInt32($1.hexDigitValue ?? 0) }
    }
}
