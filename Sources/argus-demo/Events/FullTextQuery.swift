/// The commonly used part of SQLite's FTS5 query syntax, which the server passes through.
///
/// Words are AND-ed; `"a phrase"`, `prefix*`, `OR`, `AND`, `NOT` and parentheses work. Anything
/// else is a syntax error, for which the server returns a 500 (backend-facts 5.1).
indirect enum FullTextQuery: Sendable {
    case phrase([String], isPrefix: Bool)
    case all(FullTextQuery, FullTextQuery)
    case any(FullTextQuery, FullTextQuery)
    case without(FullTextQuery, FullTextQuery)

    /// The error for a query that the database rejects.
    struct SyntaxError: Error {}

    static func parse(_ text: String) throws(SyntaxError) -> FullTextQuery {
        var parser = FullTextParser(tokens: try FullTextToken.split(text))
        return try parser.query()
    }

    func matches(_ text: String) -> Bool {
        matches(words: FullTextQuery.words(of: text))
    }

    private func matches(words: [String]) -> Bool {
        switch self {
        case .all(let left, let right): left.matches(words: words) && right.matches(words: words)
        case .any(let left, let right): left.matches(words: words) || right.matches(words: words)
        case .without(let left, let right):
            left.matches(words: words) && !right.matches(words: words)
        case .phrase(let phrase, let isPrefix):
            words.indices.contains { start in
                let here = words[start...].prefix(phrase.count)
                guard here.count == phrase.count else { return false }
                return zip(here, phrase).enumerated().allSatisfy { place, pair in
                    isPrefix && place == phrase.count - 1
                        ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
                }
            }
        }
    }

    /// The lower-case runs of letters and digits, as from the tokenizer `unicode61`.
    fileprivate static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

private enum FullTextToken: Equatable {
    case word(String)
    case quoted(String)
    case star, open, close

    static func split(_ text: String) throws(FullTextQuery.SyntaxError) -> [FullTextToken] {
        var tokens: [FullTextToken] = []
        var rest = Substring(text)
        while let character = rest.first {
            switch character {
            case _ where character.isWhitespace: rest.removeFirst()
            case "*", "(", ")":
                tokens.append(character == "*" ? .star : character == "(" ? .open : .close)
                rest.removeFirst()
            case "\"":
                rest.removeFirst()
                guard let end = rest.firstIndex(of: "\"") else { throw .init() }
                tokens.append(.quoted(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            default:
                let word = rest.prefix { character in
                    character == "_" || !character.isASCII || character.isLetter
                        || character.isNumber
                }
                guard !word.isEmpty else { throw .init() }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return tokens
    }
}

private struct FullTextParser {
    private var tokens: ArraySlice<FullTextToken>

    init(tokens: [FullTextToken]) { self.tokens = tokens[...] }

    mutating func query() throws(FullTextQuery.SyntaxError) -> FullTextQuery {
        let query = try alternatives()
        guard tokens.isEmpty else { throw .init() }
        return query
    }

    private mutating func skip(_ word: String) -> Bool {
        guard tokens.first == .word(word) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func alternatives() throws(FullTextQuery.SyntaxError) -> FullTextQuery {
        var query = try conjunction()
        while skip("OR") { query = .any(query, try conjunction()) }
        return query
    }

    private mutating func conjunction() throws(FullTextQuery.SyntaxError) -> FullTextQuery {
        var query = try term()
        while let token = tokens.first, token != .close, token != .word("OR") {
            if skip("NOT") {
                query = .without(query, try term())
            } else {
                _ = skip("AND")
                query = .all(query, try term())
            }
        }
        return query
    }

    private mutating func term() throws(FullTextQuery.SyntaxError) -> FullTextQuery {
        switch tokens.popFirst() {
        case .open:
            let query = try alternatives()
            guard tokens.popFirst() == .close else { throw .init() }
            return query
        case .word(let word) where !["AND", "OR", "NOT"].contains(word): return phrase(word)
        case .quoted(let text): return phrase(text)
        default: throw .init()
        }
    }

    private mutating func phrase(_ text: String) -> FullTextQuery {
        let isPrefix = tokens.first == .star
        if isPrefix { tokens.removeFirst() }
        return .phrase(FullTextQuery.words(of: text), isPrefix: isPrefix)
    }
}
