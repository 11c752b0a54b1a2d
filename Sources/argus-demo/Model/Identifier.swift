/// A UUID in the server's form: lower-case text, version 4 (RFC 9562).
struct Identifier: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// Makes an id from 128 random bits; version and variant overwrite six of them.
    init(_ generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Parses the canonical spelling only: the server compares ids as case-sensitive text.
    init?(_ text: String) {
        let digits = text.filter { $0 != "-" }
        guard let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
        guard self.text == text else { return nil }
    }

    static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier(&generator)
    }

    var text: String {
        String(unsafeUninitializedCapacity: 36) { space in
            var place = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    space[place] = UInt8(ascii: "-")
                    place += 1
                }
                let half = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: half &>> UInt64(60 - index % 16 * 4)) & 15
                space[place] = (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + digit
                place += 1
            }
            return place
        }
    }
}

/// A small deterministic generator (SplitMix64, Steele and others, 2014).
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
