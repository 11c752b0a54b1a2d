/// The description of an option, without its effect.
package struct FlagInfo: Sendable, Equatable {
    /// The kind of an option: its value and its repetition; the raw value is its word in JSON.
    package enum Kind: String, Sendable {
        case toggle = "switch"
        case counter
        /// One value; the last of several wins.
        case single
        /// One value each time; all are kept.
        case repeated
        /// A switch that may carry a value, only after `=`.
        case optionalValue = "optional_value"
    }

    /// The name without dashes.
    package var long: String
    package var short: Character?
    /// Names without dashes that are accepted with a notice and listed nowhere.
    package var formerNames: [String] = []
    /// Names that are not accepted, but answered with this one.
    package var guesses: [Guess] = []
    package var kind: Kind
    /// The name of the value in help, such as `NUM`; nil for switches.
    package var valueName: String?
    /// The heading under which help groups it.
    package var section = "Options"
    /// The topic that explains it; the pages of commands only name it and refer there.
    package var topic: String?
    /// One line: starts with a capital, no full stop.
    package var summary: String
    /// The value that counts if the option is left out, as it is typed; help adds it to the summary.
    package var defaultValue: String?
    /// Paragraphs that only `--help` and the manual page print.
    package var details: [Paragraph] = []
    package var completion = Completion.none
    /// True if the command does not run without it.
    package var isRequired = false
    /// True if a second one on the same line is a mistake, not a correction.
    package var isUnique = false
    /// True if no error may repeat the value.
    package var isSensitive = false
    /// True if blanks are usual in its values, such as names.
    package var hasBlanks = false
}

extension FlagInfo {
    /// True if the next word is the value when none is attached.
    package var takesNextWord: Bool { kind == .single || kind == .repeated }

    /// True if it can have a value.
    package var hasValue: Bool { takesNextWord || kind == .optionalValue }

    /// True if its value is a list with commas.
    var isList: Bool {
        switch completion {
        case .list, .dynamicList, .fields: true
        default: false
        }
    }

    /// False for an option about fields or formats that a command does not print.
    func isUsed(by command: CommandInfo) -> Bool {
        switch completion {
        case .fields: !command.fields.isEmpty
        case .formats: !command.formats.isEmpty
        default: true
        }
    }

    /// All spellings with dashes, the short one first.
    package var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(long)"] }
}
