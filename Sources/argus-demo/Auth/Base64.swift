/// Base64 in its two alphabets (RFC 4648, sections 4 and 5).
enum Base64 {
    enum Alphabet {
        /// With padding.
        case standard
        /// Without padding.
        case url

        fileprivate var digits: [UInt8] {
            let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            return Array((common + (self == .standard ? "+/" : "-_")).utf8)
        }
    }

    static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        let digits = alphabet.digits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | UInt32(left > 1 ? bytes[index + 1] : 0) << 8
                | UInt32(left > 2 ? bytes[index + 2] : 0)
            for place in 0..<4 {
                if place <= left {
                    text.append(digits[Int(group >> UInt32(18 - 6 * place)) & 63])
                } else if alphabet == .standard {
                    text.append(UInt8(ascii: "="))
                }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text, or nil where it holds anything outside the alphabet.
    static func decode(_ text: some StringProtocol, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        let digits = alphabet.digits
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var bits = 0
        for character in text.utf8 where character != UInt8(ascii: "=") {
            guard let value = digits.firstIndex(of: character) else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return bytes
    }
}
