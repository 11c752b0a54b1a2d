/// A word of the user's in quotes, a long one cut.
///
/// Its control characters stay as they are: whoever prints a message makes them visible, once.
func quoted(_ word: some StringProtocol) -> String {
    // A single character may be made of thousands of marks.
    let start = word.prefix(60).unicodeScalars.prefix(90)
    let isWhole = start.endIndex == word.endIndex
    return "'\(String(String.UnicodeScalarView(start)))\(isWhole ? "" : "…")'"
}
