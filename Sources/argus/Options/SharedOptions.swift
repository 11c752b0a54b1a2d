import CommandLineKit

/// The options of a verb that has operands only.
struct Operands: VerbOptions {
    var words: [String] = []
}

/// Options that several verbs share, each at a key path in its own.
protocol OptionGroup: Sendable {
    static var own: [Flag<Self>] { get }
}

extension OptionGroup {
    /// The flags of a verb that stores the group at this key path.
    static func flags<Options: Sendable>(
        at path: any WritableKeyPath<Options, Self> & Sendable
    ) -> [Flag<Options>] {
        own.map { $0.at(path) }
    }
}

extension Flag {
    /// The same flag for a command that keeps these options at a path among its own.
    func at<Outer: Sendable>(
        _ path: any WritableKeyPath<Outer, Options> & Sendable
    ) -> Flag<Outer> {
        let update = update
        return Flag<Outer>(info: info) { value, options throws(ValueError) in
            try update(value, &options[keyPath: path])
        }
    }
}

/// A name of 1 to `limit` characters, as servers require.
struct LimitedName<let limit: Int>: ArgumentValue, Equatable {
    static var placeholder: String { "NAME" }

    var text: String

    init(argument: String) throws(ValueError) {
        guard (1...limit).contains(argument.unicodeScalars.count) else {
            throw ValueError("does not have 1 to \(limit) characters")
        }
        text = argument
    }
}

extension Flag {
    /// The option `--yes` of verbs that prompt before a change.
    static func yes(_ path: OptionPath<Bool>, _ summary: String = "Do not prompt") -> Flag {
        .toggle("yes", short: "y", sets: path, summary).guessed("force", "f")
    }

    /// The option `-n` of verbs that end after a number of things.
    static func limit(_ path: OptionPath<Int?>, _ summary: String) -> Flag {
        .count("limit", short: "n", sets: path, summary).formerly("max", "count").guessed(
            Guess("last", as: "{#}"), "number", "head", "tail")
    }

    /// The option `--show` of verbs that have pictures.
    static func show(_ path: OptionPath<Bool>, _ summary: String, details: [Paragraph] = [])
        -> Flag
    {
        .toggle("show", sets: path, summary, details: details).guessed("display", "preview")
    }

    /// The same of verbs that save them.
    static func showInsteadOfSaving(_ path: OptionPath<Bool>) -> Flag {
        .show(
            path, "Show pictures in the terminal",
            details: ["With \(flag: "output") they are saved, too."])
    }

    /// The option `--dry-run` of verbs that delete.
    static func dryRun(_ path: OptionPath<Bool>, _ done: String = "deleted") -> Flag {
        .toggle("dry-run", sets: path, "Print what would be \(done), and change nothing")
    }
}

extension UsageError {
    /// - Throws: `UsageError` if both of two operands or options were given.
    static func rejectBoth(
        _ first: String, _ isFirstGiven: Bool, _ second: String, _ isSecondGiven: Bool
    ) throws(UsageError) {
        guard isFirstGiven, isSecondGiven else { return }
        throw UsageError("give \(first) or \(second), not both")
    }
}
