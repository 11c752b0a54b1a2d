/// The commonly used part of SQLite's FTS5 query syntax, which the server passes through.
///
/// Words are AND-ed; `"a phrase"`, `prefix*`, `OR`, `AND`, `NOT` and parentheses work. Anything
/// else is a syntax error, for which the server returns a 500.
indirect enum FullTextQuery: Sendable {
    case phrase([String], isPrefix: Bool)
    case all(FullTextQuery, FullTextQuery)
    case any(FullTextQuery, FullTextQuery)
    case without(FullTextQuery, FullTextQuery)

    /// The error for a query that the database rejects.
    struct SyntaxError: Error {}

    static func parse(_ text: String) throws(SyntaxError) -> FullTextQuery {
        var parser = try FullTextParser(text)
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

private struct FullTextParser {
    /// Words, signs, and phrases with their quotes.
    private var tokens: ArraySlice<Substring> = []

    init(_ text: String) throws(FullTextQuery.SyntaxError) {
        var rest = text[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let token = /"[^"]*"|[*()]|[A-Za-z0-9_\u{80}-\u{10FFFF}]+/
            guard let match = rest.prefixMatch(of: token) else { throw .init() }
            tokens.append(match.output)
            rest = rest[match.range.upperBound...].drop(while: \.isWhitespace)
        }
    }

    mutating func query() throws(FullTextQuery.SyntaxError) -> FullTextQuery {
        let query = try alternatives()
        guard tokens.isEmpty else { throw .init() }
        return query
    }

    private mutating func skip(_ token: String) -> Bool {
        guard tokens.first == token[...] else { return false }
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
        while let token = tokens.first, token != ")", token != "OR" {
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
        case "(":
            let query = try alternatives()
            guard skip(")") else { throw .init() }
            return query
        case nil, ")", "*", "AND", "OR", "NOT": throw .init()
        case let words?:
            return .phrase(FullTextQuery.words(of: String(words)), isPrefix: skip("*"))
        }
    }
}
