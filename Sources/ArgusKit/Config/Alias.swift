/// An abbreviation for arguments of a command line, from `alias.NAME` in the config file.
package enum Alias {
    /// True for a valid alias name: `[a-z][a-z0-9-]*`.
    package static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || $0 == UInt8(ascii: "-")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }

    /// Splits the value of an alias as a shell would, without expanding or running anything.
    ///
    /// - Returns: The words without quotes and backslashes; nil if a quote is not closed or nothing
    ///   follows a backslash.
    package static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open {
                    quote = nil
                } else if character == "\\", open == "\"", let next = rest.first,
                    "\"\\$`".contains(next)
                {
                    word?.append(rest.removeFirst())
                } else {
                    word?.append(character)
                }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == "\\" {
                guard let next = rest.popFirst() else { return nil }
                word = (word ?? "") + String(next)
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [$0] } ?? [])
    }

    /// The fault of an alias value, as the end of a sentence; nil if it is valid.
    package static func fault(in text: String) -> String? {
        guard let words = words(text) else { return "has a quote that is not closed" }
        return words.isEmpty ? "must be text" : nil
    }
}
