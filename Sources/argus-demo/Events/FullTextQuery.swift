/// The part of SQLite's FTS5 query syntax that clients send, which the server passes through.
///
/// Words, `"phrases"` and `prefixes*` must all occur, or those after `OR`. Anything else is a syntax error, for which the
/// server returns a 500.
struct FullTextQuery: Sendable {
    /// Words that follow each other; the last may be the beginning of one.
    private typealias Phrase = (words: [String], isPrefix: Bool)

    /// The phrases on each side of `OR`.
    private var alternatives: [[Phrase]] = [[]]

    /// Parses a query; nil if the database rejects it.
    init?(_ text: String) {
        var rest = text[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let phrase = /("(?:[^"]|"")*"|[A-Za-z0-9_\u{80}-\u{10FFFF}]+)\s*(\*?)\s*/
            guard let match = rest.prefixMatch(of: phrase), !["AND", "NOT"].contains(match.1)
            else { return nil }
            let last = alternatives.count - 1
            if match.1 == "OR" {
                guard !alternatives[last].isEmpty else { return nil }
                alternatives.append([])
            } else {
                alternatives[last].append(
                    (FullTextQuery.words(of: String(match.1)), match.2 == "*"))
            }
            rest = rest[match.range.upperBound...]
        }
        if alternatives.contains(where: \.isEmpty) { return nil }
    }

    func matches(_ text: String) -> Bool {
        let words = FullTextQuery.words(of: text)
        return alternatives.contains { phrases in
            phrases.allSatisfy { phrase, isPrefix in
                words.indices.contains { start in
                    let here = words[start...].prefix(phrase.count)
                    guard here.count == phrase.count else { return false }
                    return here.dropLast() == phrase.dropLast()
                        && (isPrefix
                            ? (here.last ?? "").hasPrefix(phrase.last ?? "")
                            : here.last == phrase.last)
                }
            }
        }
    }

    /// The lower-case runs of letters and digits, as from the tokenizer `unicode61`.
    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
