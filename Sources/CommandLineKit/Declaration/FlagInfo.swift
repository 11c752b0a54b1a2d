/// A heading under which help groups options.
package struct FlagSection: Sendable, Hashable, ExpressibleByStringLiteral {
    package var title: String

    package init(stringLiteral title: String) {
        self.title = title
    }

    /// Where an option goes when its declaration names no section.
    package static let options: Self = "Options"
}

/// The describable half of an option: all that a generator prints, nothing that it could run.
package struct FlagInfo: Sendable, Equatable {
    /// How often an option may be given and whether it has a value.
    package enum Kind: Sendable, Equatable {
        /// A switch; the last of several wins.
        case toggle
        /// A switch that is counted.
        case counter
        /// One value; the last of several wins.
        case single
        /// One value each time; all are kept.
        case repeated
        /// A switch that may carry a value, only after `=`.
        case optionalValue
    }

    /// The name without dashes.
    package var long: String
    package var short: Character?
    /// The long name of the opposite, without dashes, for switches that have one.
    package var negation: String?
    package var kind: Kind
    /// What help calls the value, such as `NUM`; nil for switches.
    package var valueName: String?
    package var section: FlagSection
    /// One line: starts with a capital, no full stop.
    package var summary: String
    /// What `--help` and the manual page add.
    package var details: [Paragraph]
    package var completion: Completion
    /// The value is never repeated in an error.
    package var isSensitive = false
    /// Works, but no help, manual page or completion shows it.
    package var isHidden = false

    package init(
        long: String, short: Character? = nil, negation: String? = nil, kind: Kind,
        valueName: String? = nil, section: FlagSection = .options, summary: String,
        details: [Paragraph] = [], completion: Completion = .none
    ) {
        self.long = long
        self.short = short
        self.negation = negation
        self.kind = kind
        self.valueName = valueName
        self.section = section
        self.summary = summary
        self.details = details
        self.completion = completion
    }
}

extension FlagInfo {
    /// Whether the next word is its value when none is attached.
    package var takesNextWord: Bool { kind == .single || kind == .repeated }

    /// Whether it can have a value at all.
    package var hasValue: Bool { takesNextWord || kind == .optionalValue }

    /// All long spellings without dashes: the name, then its negation.
    package var longNames: [String] { [long] + (negation.map { [$0] } ?? []) }

    /// All spellings with dashes, the short one first.
    package var spellings: [String] {
        (short.map { ["-\($0)"] } ?? []) + longNames.map { "--" + $0 }
    }
}
