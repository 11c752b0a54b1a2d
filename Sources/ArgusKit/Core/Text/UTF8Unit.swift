/// One character of supposed UTF-8, or one byte that is not part of any.
struct UTF8Unit {
    /// The scalar value; nil for invalid bytes.
    var scalar: Unicode.Scalar?
    /// The length in bytes: 1 to 4.
    var length: Int

    /// Decodes the unit at `index`, which must lie inside `bytes` (Unicode 16, table 3-7).
    ///
    /// Overlong forms, surrogates, values above U+10FFFF and truncated sequences have no scalar.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = bytes[index]
        if lead < 0x80 {
            self.init(scalar: Unicode.Scalar(lead), length: 1)
        } else {
            self.init(multibyte: bytes, at: index)
        }
    }

    private init(scalar: Unicode.Scalar?, length: Int) {
        self.scalar = scalar
        self.length = length
    }

    private init(multibyte bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = bytes[index]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        let smallest: UInt32 = lead >= 0xF0 ? 0x10000 : lead >= 0xE0 ? 0x800 : 0x80
        guard lead >= 0xC2, lead <= 0xF4, index + length <= bytes.count else {
            self.init(scalar: nil, length: 1)
            return
        }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[index + offset]
            guard byte & 0xC0 == 0x80 else {
                self.init(scalar: nil, length: 1)
                return
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= smallest, let scalar = Unicode.Scalar(value) else {
            self.init(scalar: nil, length: 1)
            return
        }
        self.init(scalar: scalar, length: length)
    }
}

extension Unicode.Scalar {
    /// True for C0, DEL, C1, bidi controls, U+2028 and U+2029.
    @inline(__always)
    var isControlOrBidi: Bool { value < 0x20 || (value >= 0x7F && isControlOrBidiPastASCII) }

    private var isControlOrBidiPastASCII: Bool {
        switch value {
        case 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
