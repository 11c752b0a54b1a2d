/// Text in the man(7) language, with the input escaped.
struct Roff {
    private(set) var lines: [String] = []

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// A macro with arguments, each quoted where needed.
    mutating func macro(_ name: String, _ arguments: String...) {
        let words = arguments.map { argument in
            // Indexers read titles and dates and know only the plain hyphen.
            let escaped = argument.split(separator: "-", omittingEmptySubsequences: false)
                .map(Roff.escape).joined(separator: "-")
            let needsQuotes = escaped.isEmpty || escaped.contains { $0 == " " || $0 == "\"" }
            return needsQuotes ? "\"" + escaped.replacing("\"", with: "\\(dq") + "\"" : escaped
        }
        lines.append(([".\(name)"] + words).joined(separator: " "))
    }

    /// Starts a paragraph, unless a heading has done so.
    mutating func paragraph() {
        if lines.last?.hasPrefix(".S") != true { macro("PP") }
    }

    /// Appends a line of running text that is already in the language.
    mutating func line(_ markup: String) {
        guard !markup.isEmpty else { return }
        lines.append(Roff.protectStart(markup))
    }

    /// Appends a term and its explanation, both already in the language.
    mutating func entry(_ term: String, _ explanation: String) {
        macro("TP")
        line(term)
        line(explanation)
    }

    /// Appends lines verbatim, moved right.
    mutating func verbatim(_ text: String) {
        macro("RS", "4")
        macro("EX")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // An empty line in a manual page is a warning; a zero-width one is not.
            lines.append(line.isEmpty ? "\\&" : Roff.protectStart(Roff.escape(line)))
        }
        macro("EE")
        macro("RE")
    }

    static func bold(_ text: some StringProtocol) -> String { "\\fB\(escape(text))\\fR" }

    static func italic(_ text: some StringProtocol) -> String { "\\fI\(escape(text))\\fR" }

    /// The text with escapes for characters that the language interprets or replaces.
    static func escape(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let padding = String(repeating: "0", count: max(0, 4 - digits.count))
                result += "\\[u\(padding)\(digits)]"
            }
        }
        return result
    }

    /// A dot or an apostrophe at the start of a line would be a macro.
    private static func protectStart(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
