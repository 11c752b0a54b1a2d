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

    /// The same in single quotes.
    package var inQuotes: String { "'\(inBrief)'" }
}
