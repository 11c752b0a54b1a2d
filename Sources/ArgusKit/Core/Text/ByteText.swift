extension Array<UInt8> {
    @inline(__always)
    mutating func append(literal text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value.magnitude
            var first = 20
            repeat {
                first -= 1
                digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }
}

extension UInt8 {
    /// The lower-case hexadecimal digit of a number below 16.
    var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") - 10 + self }
}

/// Eight bytes examined at once, to find the first byte of interest without a branch a byte.
///
/// The tests are the classic "has zero byte" ones (Hacker's Delight, section 6-1). Bits above the
/// first match may be wrong; the lowest set bit never is, and only that one is used.
struct ByteWord {
    private let bits: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Loads eight bytes from an address of any alignment.
    @inline(__always)
    init(at address: UnsafePointer<UInt8>) {
        bits = UInt64(
            littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func equal(to byte: UInt8) -> Marks {
        let difference = bits ^ (Self.ones &* UInt64(byte))
        return Marks(bits: (difference &- Self.ones) & ~difference & Self.highs)
    }

    /// Marks each byte below `limit`, which is at most 128.
    @inline(__always)
    func below(_ limit: UInt8) -> Marks {
        Marks(bits: (bits &- (Self.ones &* UInt64(limit))) & ~bits & Self.highs)
    }

    @inline(__always)
    var nonASCII: Marks { Marks(bits: bits & Self.highs) }

    /// The bytes of the eight that matched.
    struct Marks {
        fileprivate let bits: UInt64

        @inline(__always)
        var isEmpty: Bool { bits == 0 }

        /// The number of bytes before the first match: 0 to 7, or 8 if nothing matched.
        @inline(__always)
        var firstIndex: Int { bits.trailingZeroBitCount >> 3 }

        @inline(__always)
        static func | (left: Marks, right: Marks) -> Marks {
            Marks(bits: left.bits | right.bits)
        }
    }
}
