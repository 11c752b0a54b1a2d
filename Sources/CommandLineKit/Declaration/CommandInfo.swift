/// The description of a command, without its options and operands.
package struct CommandInfo: Sendable {
    /// The parts of a description that only help, manual pages, completions and hints read.
    package struct Details: Sendable {
        package var paragraphs: [Paragraph]
        package var examples: [Example]
        /// The command's exit statuses, from the tool's table.
        package var exitStatuses: [ExitStatus]
        /// The documented keys of its output, in order.
        package var fields: [FieldInfo]
        /// The output formats it supports.
        package var formats: [String]
        /// The lines that users try instead of the command, such as `watch` and `server add`.
        package var guesses: [Guess]
        /// The option, with dashes, for what users try as an operand of a command that takes none.
        package var operandOption: String?

        package init(
            paragraphs: [Paragraph] = [], examples: [Example] = [],
            exitStatuses: [ExitStatus] = [], fields: [FieldInfo] = [], formats: [String] = [],
            guesses: [Guess] = [], operandOption: String? = nil
        ) {
            self.paragraphs = paragraphs
            self.examples = examples
            self.exitStatuses = exitStatuses
            self.fields = fields
            self.formats = formats
            self.guesses = guesses
            self.operandOption = operandOption
        }
    }

    /// The word on the command line; no hyphen, so that manual page names cannot collide.
    package var name: String
    /// One line: starts with a capital, no full stop.
    package var summary: String
    /// The strongest effect that it can have; nil for a command that only groups others.
    package var effect: Effect?
    /// True if the command works, but no help, manual page or completion lists it.
    package var isHidden: Bool
    private let makeDetails: @Sendable () -> Details

    /// Makes a description; `details` makes the parts that only help reads.
    package init(
        name: String, summary: String, effect: Effect? = nil, isHidden: Bool = false,
        details: @escaping @Sendable () -> Details = { Details() }
    ) {
        self.name = name
        self.summary = summary
        self.effect = effect
        self.isHidden = isHidden
        makeDetails = details
    }

    package var details: Details { makeDetails() }
    package var paragraphs: [Paragraph] { details.paragraphs }
    package var examples: [Example] { details.examples }
    package var exitStatuses: [ExitStatus] { details.exitStatuses }
    package var fields: [FieldInfo] { details.fields }
    package var formats: [String] { details.formats }
}

/// What running a command can do, from the weakest to the strongest.
package enum Effect: String, Sendable, CaseIterable {
    /// Changes nothing, except files that it is told to write, and what the tool remembers.
    case reads
    /// Reads until something happens, or until it is stopped.
    case waits
    /// Changes something that another run can change back, here or on a server.
    case changes
    /// Sends something to others, which cannot be taken back.
    case sends
    /// Deletes something, or ends an access.
    case deletes
}

/// A command line to try, and what it does.
package struct Example: Sendable, Equatable {
    /// Shell input, the tool's name included.
    package var line: String
    package var explanation: String

    package init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}

/// A status that a command can end with, by its code in the tool's table.
package struct ExitStatus: Sendable, Equatable, ExpressibleByIntegerLiteral {
    package var code: Int
    /// The meaning for this command; nil: the meaning in the table.
    package var meaning: String?

    package init(_ code: Int, _ meaning: String? = nil) {
        self.code = code
        self.meaning = meaning
    }

    package init(integerLiteral code: Int) {
        self.init(code)
    }
}

/// A documented key of a command's output.
package struct FieldInfo: Sendable, Equatable {
    package var name: String
    package var summary: String
    /// The word for the type of its values.
    package var type: String
    /// True if its text may be a stranger's.
    package var isUntrusted: Bool
    /// True if the output leaves it out where it would say nothing.
    package var isConditional: Bool

    package init(
        _ name: String, _ summary: String, type: String, isUntrusted: Bool = false,
        isConditional: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.type = type
        self.isUntrusted = isUntrusted
        self.isConditional = isConditional
    }
}
