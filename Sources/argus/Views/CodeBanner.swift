import ArgusKit

/// A pairing code in large letters.
enum CodeBanner {
    /// Five rows for each digit, three pixels in a row, the left one first.
    private static let digits: [[UInt8]] = [
        [0b111, 0b101, 0b101, 0b101, 0b111], [0b010, 0b110, 0b010, 0b010, 0b111],
        [0b111, 0b001, 0b111, 0b100, 0b111], [0b111, 0b001, 0b111, 0b001, 0b111],
        [0b101, 0b101, 0b111, 0b001, 0b001], [0b111, 0b100, 0b111, 0b001, 0b111],
        [0b111, 0b100, 0b111, 0b101, 0b111], [0b111, 0b001, 0b001, 0b001, 0b001],
        [0b111, 0b101, 0b111, 0b101, 0b111], [0b111, 0b101, 0b111, 0b001, 0b111],
    ]

    /// The code in rows of blocks; plain if they do not fit or if the code is not numeric.
    static func lines(_ code: PairingCode, width: Int) -> [String] {
        let text = code.text.reveal()
        let glyphs = text.compactMap { letter -> [UInt8]? in
            guard let value = letter.wholeNumberValue, digits.indices.contains(value) else {
                return nil
            }
            return digits[value]
        }
        guard glyphs.count == text.count, let big = rows(glyphs, width) else {
            return ["  " + code.grouped.reveal().map(String.init).joined(separator: " ")]
        }
        return big
    }

    private static func rows(_ glyphs: [[UInt8]], _ width: Int) -> [String]? {
        let rows = (0..<5).map { row in
            var line = "  "
            for (index, glyph) in glyphs.enumerated() {
                if index > 0 { line += index % 3 == 0 ? "    " : "  " }
                for pixel in [0b100, 0b010, 0b001] as [UInt8] {
                    line += glyph[row] & pixel == 0 ? "  " : "██"
                }
            }
            return line
        }
        return rows.allSatisfy { DisplayWidth.of($0) < width } ? rows : nil
    }
}
