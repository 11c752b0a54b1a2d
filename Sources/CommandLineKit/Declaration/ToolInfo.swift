/// The facts about a tool that belong to no command.
package struct ToolInfo: Sendable {
    package var name: String
    package var version: String
    /// The date of the release, `YYYY-MM-DD`: a constant, never the clock.
    package var date: String
    /// One line: starts with a capital, no full stop.
    package var summary: String
    package var paragraphs: [Paragraph]
    package var examples: [Example]
    /// The table of exit statuses, by code.
    package var exitStatuses: [ExitStatusInfo]
    // Only help needs them, and they are the longest texts of all.
    private var makeTopics: @Sendable () -> [HelpTopic]
    /// Separate programs known to run as commands (`TOOL NAME` runs `TOOL-NAME`).
    package var externals: [ExternalCommand]
    /// The completions of the first word besides the commands.
    package var moreCommands: Completion

    package init(
        name: String, version: String, date: String, summary: String,
        paragraphs: [Paragraph] = [], examples: [Example] = [],
        exitStatuses: [ExitStatusInfo] = [],
        topics: @autoclosure @escaping @Sendable () -> [HelpTopic] = [],
        externals: [ExternalCommand] = [], moreCommands: Completion = .none
    ) {
        self.name = name
        self.version = version
        self.date = date
        self.summary = summary
        self.paragraphs = paragraphs
        self.examples = examples
        self.exitStatuses = exitStatuses
        makeTopics = topics
        self.externals = externals
        self.moreCommands = moreCommands
    }
}

/// One row of the table of exit statuses.
package struct ExitStatusInfo: Sendable, Equatable {
    package var code: Int
    /// The word for it in machine-readable errors; nil for success.
    package var name: String?
    package var meaning: String
    /// The prospect of a retry in a few words (`yes`, `no`, `after a while`); nil if unknown.
    package var retry: String?

    package init(_ code: Int, name: String? = nil, _ meaning: String, retry: String? = nil) {
        self.code = code
        self.name = name
        self.meaning = meaning
        self.retry = retry
    }
}

/// A page of help that belongs to no command, and the manual page `TOOL-NAME(7)`.
package struct HelpTopic: Sendable, Equatable {
    package var name: String
    /// One line: starts with a capital, no full stop.
    package var summary: String
    package var paragraphs: [Paragraph]
    /// Command lines that follow the paragraphs.
    package var examples: [Example]

    package init(
        _ name: String, _ summary: String, paragraphs: [Paragraph], examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.paragraphs = paragraphs
        self.examples = examples
    }
}

/// A separate program that the tool runs as if it were a command.
package struct ExternalCommand: Sendable, Equatable {
    package var name: String
    /// One line: starts with a capital, no full stop.
    package var summary: String
    /// The heading under which the help of the tool lists it; nil for the general one.
    package var section: String?

    package init(_ name: String, _ summary: String, section: String? = nil) {
        self.name = name
        self.summary = summary
        self.section = section
    }
}

extension ToolInfo {
    /// The name of the topic that is made from the table of exit statuses.
    package static let exitStatusTopic = "exit-status"
    /// The name of the topic that lists the global options.
    package static let optionsTopic = "options"

    /// The pages of help that belong to no command, made when they are asked for.
    package var topics: [HelpTopic] {
        get { makeTopics() }
        set { makeTopics = { newValue } }
    }

    /// Adds a topic, made when it is asked for.
    mutating func addTopic(_ topic: @escaping @Sendable () -> HelpTopic) {
        makeTopics = { [makeTopics] in makeTopics() + [topic()] }
    }

    /// All topics; the generated one on exit statuses is last, unless the tool has its own.
    package var allTopics: [HelpTopic] {
        let topics = topics
        guard !exitStatuses.isEmpty, !topics.contains(where: { $0.name == Self.exitStatusTopic })
        else { return topics }
        return topics + [makeExitStatusTopic()]
    }

    /// The topic of that name, if there is one.
    package func topic(_ name: String) -> HelpTopic? {
        allTopics.first { $0.name == name }
    }

    private func makeExitStatusTopic() -> HelpTopic {
        let items = exitStatuses.map { status in
            let name = status.name.map { " (\($0))" } ?? ""
            let retry = status.retry.map { " Retry: \($0)." } ?? ""
            return Paragraph.Item(
                term: "\(code: String(status.code))\(name)",
                explanation: "\(status.meaning).\(retry)")
        }
        return HelpTopic(
            Self.exitStatusTopic, "The exit statuses and their meaning",
            paragraphs: [
                """
                The exit status tells a script what happened. Treat a code that is not listed here \
                as a failure.
                """, .list(items),
            ])
    }
}
