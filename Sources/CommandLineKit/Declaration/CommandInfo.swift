/// Everything that help says about a command besides its options and operands.
package struct CommandInfo: Sendable, Equatable {
    /// The word on the command line; no hyphen, so that manual page names cannot collide.
    package var name: String
    /// One line: starts with a capital, no full stop.
    package var summary: String
    package var paragraphs: [Paragraph]
    package var examples: [Example]
    /// The statuses that it can end with, among those of the tool's table.
    package var exitStatuses: [ExitStatus]
    /// The documented keys of what it prints, in order.
    package var fields: [FieldInfo]
    /// The output formats it supports.
    package var formats: [String]
    /// Works, but no help, manual page or completion shows it.
    package var isHidden: Bool
    /// The heading under which its parent's help lists it; nil: the first, unnamed group.
    package var group: String?
    /// Further pages to read.
    package var seeAlso: [Prose]

    package init(
        name: String, summary: String, paragraphs: [Paragraph] = [], examples: [Example] = [],
        exitStatuses: [ExitStatus] = [], fields: [FieldInfo] = [], formats: [String] = [],
        isHidden: Bool = false, group: String? = nil, seeAlso: [Prose] = []
    ) {
        self.name = name
        self.summary = summary
        self.paragraphs = paragraphs
        self.examples = examples
        self.exitStatuses = exitStatuses
        self.fields = fields
        self.formats = formats
        self.isHidden = isHidden
        self.group = group
        self.seeAlso = seeAlso
    }
}

/// A line to try, and what it does.
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
    /// What it means for this command; nil: what the table says.
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

    package init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }
}
