extension UInt8 {
    /// True for `0` to `9` in ASCII.
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    /// True for `a` to `z` in ASCII.
    package var isASCIILowercase: Bool { (0x61...0x7A).contains(self) }
    /// True for a letter or digit of ASCII.
    package var isASCIIAlphanumeric: Bool {
        isASCIIDigit || isASCIILowercase || (0x41...0x5A).contains(self)
    }
}

extension StringProtocol {
    /// The user's text as an error message quotes it: up to 60 characters, then `…`.
    ///
    /// Control characters stay; the code that prints the message makes them visible.
    package var inBrief: String {
        let text = cut(to: 60)
        // A single character may consist of thousands of combining marks.
        let scalars = text.unicodeScalars.prefix(90)
        guard text.unicodeScalars.dropFirst(91).first != nil else { return text }
        return String(String.UnicodeScalarView(scalars)) + "…"
    }

    /// The first `length` characters for a message, then `…` in place of the rest.
    package func cut(to length: Int) -> String {
        guard prefix(length).endIndex != endIndex else { return String(self) }
        // Before the cut, since half a secret is not recognised.
        let text = String(self).masked
        let start = text.prefix(length)
        return start.endIndex == text.endIndex ? text : start + "…"
    }

    /// `inBrief` in single quotes.
    package var inQuotes: String { "'\(inBrief)'" }

    /// True for the text form of a UUID, in either case (RFC 9562, section 4).
    package var isUUID: Bool {
        let groups = split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}

extension String {
    /// The characters at the start that fit into `count` bytes of UTF-8.
    ///
    /// If the first one alone is longer, it is cut: a hostile one has thousands of combining marks.
    package func beginning(atMost count: Int) -> String {
        guard utf8.count > count else { return self }
        var size = 0
        var start = String(
            unicodeScalars.prefix { scalar in
                size += UTF8.width(scalar)
                return size <= count
            })
        // The cut may have split the last character.
        if start.count > 1 { start.removeLast() }
        return start
    }
}

extension BinaryInteger {
    /// The number in decimal with zeros before it, as in `07`.
    package func padded(to width: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
    }
}

extension StringProtocol {
    /// The text without blanks and tabs at its ends (RFC 9110, section 5.6.3).
    package var trimmingBlanks: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = drop(while: isBlank)
        return String(start.reversed().drop(while: isBlank).reversed())
    }
}

extension Span<UInt8> {
    /// True if all bytes are parts of characters.
    var isValidUTF8: Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }
}
