/// Words that users try instead of a command or an option.
package struct Guess: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The words of a command line without the tool's name, or the name of an option without dashes.
    package let words: String
    /// The text after the right name; `{}` stands for the value that was typed.
    ///
    /// Nil: nothing after a command, and after an option the value that was typed.
    let ending: String?

    package init(_ words: String, as ending: String) {
        (self.words, self.ending) = (words, ending)
    }

    package init(stringLiteral words: String) {
        (self.words, ending) = (words, nil)
    }
}
