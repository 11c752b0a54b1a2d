/// A UUID as the server makes them: lower-case text, version 4 (RFC 9562).
struct Identifier: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// Makes one from 128 random bits; version and variant overwrite six of them.
    init(_ generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Reads the one canonical spelling: the server compares ids as case-sensitive text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var halves: [UInt64] = [0, 0]
        var digits = 0
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = Identifier.digits.firstIndex(of: byte) else { return nil }
            halves[digits / 16] = halves[digits / 16] << 4 | UInt64(value)
            digits += 1
        }
        high = halves[0]
        low = halves[1]
    }

    /// A fresh one from the system's randomness.
    static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier(&generator)
    }

    var text: String {
        String(unsafeUninitializedCapacity: 36) { write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Writes the 36 characters to the front of `space` and returns their number.
    func write(to space: UnsafeMutableRawBufferPointer) -> Int {
        var place = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                space[place] = UInt8(ascii: "-")
                place += 1
            }
            let half = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 15
            space[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            place += 1
        }
        return place
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// A small generator whose stream follows from its seed (SplitMix64, Steele and others, 2014).
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
