/// Finding the line of a key in a TOML text, for messages; the parser does not tell it.
struct TOMLLines {
    /// The full name of the key that each line sets, nil for lines that set none.
    private let keys: [[String]?]

    init(_ text: String) {
        var table: [String] = []
        // CRLF is one Character, which `isNewline` knows.
        keys = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line in
                let words = line.drop { $0 == " " || $0 == "\t" }
                if words.hasPrefix("[") {
                    table = Self.names(words.drop { $0 == "[" }.prefix { $0 != "]" })
                    return table
                }
                guard !words.hasPrefix("#"), let equals = words.firstIndex(of: "=") else {
                    return nil
                }
                return table + Self.names(words[..<equals])
            }
    }

    /// The first line that sets the key or something below it, counted from 1.
    func line(of key: [String]) -> Int? {
        keys.firstIndex { $0?.starts(with: key) == true }.map { $0 + 1 }
    }

    private static func names(_ dotted: Substring) -> [String] {
        dotted.split(separator: ".").map { part in
            String(part.drop { " \t\"'".contains($0) }.prefix { !" \t\"'".contains($0) })
        }
    }
}
