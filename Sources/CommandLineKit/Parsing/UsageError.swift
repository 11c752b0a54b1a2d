/// A command line that the parser refuses.
package struct UsageError: Error, Equatable, Sendable {
    /// The fault in lower case, without a full stop; quotes words as typed.
    package var message: String
    /// The remedy, if there is a better one than the command's help.
    package var hint: String?
    /// The path of the recognised command, without the tool's name.
    package var path: [String]
    /// The notices on former names in the line.
    package var notices: [String] = []
    /// A word for the operand that is missing, and its meaning.
    var example: Example?

    package init(_ message: String, hint: String? = nil, path: [String] = []) {
        self.message = message
        self.hint = hint
        self.path = path
    }

    /// The hint, else the command line that prints the command's help.
    package func hint(for tool: String) -> String {
        hint ?? "run '\(([tool] + path + ["-h"]).joined(separator: " "))'"
    }
}

/// A word of the command line in quotes; a long one is cut.
///
/// Control characters stay: the function that prints a message makes them visible, once.
func quoted(_ word: some StringProtocol) -> String {
    // A single character may consist of thousands of combining marks.
    let start = word.prefix(60).unicodeScalars.prefix(90)
    let isWhole = start.endIndex == word.endIndex
    return "'\(String(String.UnicodeScalarView(start)))\(isWhole ? "" : "…")'"
}
