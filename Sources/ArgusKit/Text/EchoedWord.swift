extension StringProtocol {
    /// The user's text as an error message quotes it: up to 60 characters, then `…`.
    ///
    /// Control characters stay; the code that prints the message makes them visible.
    package var inBrief: String {
        // A single character may consist of thousands of combining marks.
        let start = prefix(60).unicodeScalars.prefix(90)
        let isWhole = start.endIndex == endIndex
        return String(String.UnicodeScalarView(start)) + (isWhole ? "" : "…")
    }

    /// The first `length` characters, then `…`, by which the mask recognises a cut secret.
    package func cut(to length: Int) -> String {
        let start = prefix(length)
        return start.endIndex == endIndex ? String(self) : String(start) + "…"
    }

    /// `inBrief` in single quotes.
    package var inQuotes: String { "'\(inBrief)'" }
}
