/// A short name for words of a command line, from `alias.NAME` of the configuration.
package enum Alias {
    /// Whether a name can stand for a command: `[a-z][a-z0-9-]*`.
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

    /// The words of an alias, split as a shell would: quotes and backslashes are taken off, and
    /// nothing is expanded or run.
    ///
    /// - Returns: nil when a quote is not closed, or nothing follows a backslash.
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

    /// What is wrong with the words of an alias, as the end of a sentence; nil when they are right.
    package static func fault(in text: String) -> String? {
        guard let words = words(text) else { return "has a quote that is not closed" }
        return words.isEmpty ? "must be text" : nil
    }
}
