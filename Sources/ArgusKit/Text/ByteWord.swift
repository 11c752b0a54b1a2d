/// Eight bytes looked at together: finds the first byte of interest without a branch a byte.
///
/// The tests are the classic "has zero byte" ones (Hacker's Delight, section 6-1). Bits above the
/// first match may be false, the lowest set bit is always right, and only that one is used.
struct ByteWord {
    private let bits: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Reads the eight bytes at an address that need not be aligned.
    @inline(__always)
    init(at address: UnsafePointer<UInt8>) {
        bits = UInt64(
            littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
    }

    /// A mark in each byte that equals `byte`.
    @inline(__always)
    func equal(to byte: UInt8) -> Marks {
        let difference = bits ^ (Self.ones &* UInt64(byte))
        return Marks(bits: (difference &- Self.ones) & ~difference & Self.highs)
    }

    /// A mark in each byte below `limit`, which is at most 128.
    @inline(__always)
    func below(_ limit: UInt8) -> Marks {
        Marks(bits: (bits &- (Self.ones &* UInt64(limit))) & ~bits & Self.highs)
    }

    /// A mark in each byte outside ASCII.
    @inline(__always)
    var nonASCII: Marks { Marks(bits: bits & Self.highs) }

    /// Which of the eight bytes matched.
    struct Marks {
        fileprivate let bits: UInt64

        @inline(__always)
        var isEmpty: Bool { bits == 0 }

        /// How many bytes precede the first match: 0 to 7, 8 when nothing matched.
        @inline(__always)
        var firstIndex: Int { bits.trailingZeroBitCount >> 3 }

        @inline(__always)
        static func | (left: Marks, right: Marks) -> Marks {
            Marks(bits: left.bits | right.bits)
        }
    }
}
