/// Words that users try instead of a command or an option.
package struct Guess: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The words of a command line without the tool's name, or the name of an option without dashes.
    package let words: String
    /// The text after the right name; `{}` stands for the value that was typed.
    ///
    /// `{#}` stands for a whole number and `{#x}` for a number with a unit; the guess does not hold for
    /// other values. Nil: nothing after a command, and after an option the value that was typed.
    let ending: String?

    package init(_ words: String, as ending: String) {
        (self.words, self.ending) = (words, ending)
    }

    package init(stringLiteral words: String) {
        (self.words, ending) = (words, nil)
    }

    /// True if the guess may hold for a value that was typed.
    func fits(_ value: String?) -> Bool {
        guard let value, let ending else { return true }
        let isNumber = !value.isEmpty && value.allSatisfy { $0.isASCII && $0.isNumber }
        if ending.contains("{#}") { return isNumber }
        return !ending.contains("{#x}") || !isNumber && value.first?.isNumber == true
    }

    /// The text after the right name for a value that was typed; nil if the value is missing.
    func ending(for value: String?) -> String? {
        guard let ending else { return value }
        let mark = ["{}", "{#}", "{#x}"].first(where: ending.contains)
        guard let mark else { return ending }
        return value.map { ending.replacing(mark, with: $0) }
    }
}
