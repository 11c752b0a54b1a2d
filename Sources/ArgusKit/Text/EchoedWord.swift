extension StringProtocol {
    /// The text as an error line repeats what a person wrote: whole up to 60 characters, else its
    /// beginning and `…`.
    ///
    /// Controls stay as they are: whoever prints a message makes them visible.
    package var inBrief: String {
        // A single character may be made of thousands of marks.
        let start = prefix(60).unicodeScalars.prefix(90)
        let isWhole = start.endIndex == endIndex
        return String(String.UnicodeScalarView(start)) + (isWhole ? "" : "…")
    }

    /// The text up to so many characters; what is cut off leaves `…`, by which a secret that was cut
    /// is recognised and masked.
    package func cut(to length: Int) -> String {
        let start = prefix(length)
        return start.endIndex == endIndex ? String(self) : String(start) + "…"
    }

    /// The same in single quotes.
    package var inQuotes: String { "'\(inBrief)'" }
}
