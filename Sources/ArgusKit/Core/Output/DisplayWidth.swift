/// The number of terminal cells of a text (Unicode Standard Annexes 11 and 29).
///
/// A character is a grapheme cluster: a letter with its marks, a flag, an emoji family.
package enum DisplayWidth {
    /// The cells of a sanitised text; controls count 0.
    package static func of(_ text: String) -> Int {
        var text = text
        let ascii = text.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil
        }
        return ascii ?? text.reduce(0) { $0 + of($1) }
    }

    /// The cells of one character: 0, 1, 2, or more in scripts with spacing marks.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count > 1 {
            let isEmoji =
                first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
            if isEmoji { return 2 }
        }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The longest prefix of a text that fits `width` cells, ending in `…` if truncated.
    package static func truncate(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var used = 0
        let kept = text.prefix { character in
            used += of(character)
            return used <= width - 1
        }
        return kept + "…"
    }

    /// The text in lines of at most `width` cells, broken at blanks.
    ///
    /// A longer word has a line of its own. A width below 20 breaks nothing.
    package static func lines(of text: String, width: Int) -> [String] {
        guard width >= 20, of(text) > width else { return [text] }
        var lines: [String] = []
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let cells = of(String(word))
            if let last = lines.indices.last, used + 1 + cells <= width {
                lines[last] += " " + word
                used += 1 + cells
            } else {
                lines.append(String(word))
                used = cells
            }
        }
        return lines
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 {
            return scalar.isControlOrBidi || scalar.value == 0xAD ? 0 : 1
        }
        if isWide(scalar.value) { return 2 }
        // Vowels and finals that join a Hangul syllable.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
            return 0
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        let index = wideRanges.partitioningIndex { $0.upperBound >= value }
        return index < wideRanges.count && wideRanges[index].contains(value)
    }

    /// Classes W and F of EastAsianWidth.txt, Unicode 16, with gaps inside blocks closed.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653,
        0x267F...0x267F, 0x268A...0x268F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB,
        0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705,
        0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C,
        0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
        0x1D300...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
        0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
        0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
        0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
        0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
        0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
        0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
