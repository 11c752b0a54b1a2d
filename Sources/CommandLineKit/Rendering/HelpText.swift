/// Writes the help of a tool's commands and topics as plain text.
package struct HelpText: Sendable {
    /// The most columns of the short help.
    package static let shortWidth = 79

    let tool: ToolDescription
    let width: Int
    let isBold: Bool

    /// Takes the columns of the help, of which it uses at least 40, and the style of headings.
    package init(_ tool: ToolDescription, width: Int = shortWidth, isBold: Bool = false) {
        self.tool = tool
        self.width = max(40, width)
        self.isBold = isBold
    }

    /// The help of `-h`, which fits one screen.
    package func short(_ command: CommandDescription) -> String {
        var layout = TextLayout(width: min(width, Self.shortWidth), isBold: isBold)
        layout.wrapped(command.about.summary)
        usage(of: command, &layout)
        listVerbs(of: command, &layout)
        if !command.arguments.isEmpty {
            layout.heading("Arguments")
            layout.table(command.arguments.map { ($0.synopsis, $0.summary) })
        }
        let labels = command.flags.filter { $0.topic == nil }.map(\.alignedLabel)
        for (section, flags) in command.flags.sections {
            layout.heading(section)
            let own = flags.filter { $0.topic == nil }
            layout.table(own.map { ($0.alignedLabel, $0.shortSummary) }, sharedWith: labels)
            nameExplained(flags, &layout)
        }
        topics(for: command, &layout) { topics, layout in
            layout.wrapped(topics.map(\.name).joined(separator: ", "), indent: 2)
        }
        let fitting = command.about.examples.map(\.line).first {
            $0.count + 2 <= Self.shortWidth && !$0.contains("\n")
        }
        if let example = fitting {
            layout.heading("Example")
            layout.verbatim(example, indent: 2)
        }
        layout.gap()
        layout.wrapped("'\(words(command)) --help' shows the whole page.")
        let topic = reference(to: ToolInfo.optionsTopic)
        layout.wrapped("\(topic) lists the options of every command.")
        return layout.text
    }

    func words(_ command: CommandDescription) -> String {
        ([tool.info.name] + command.path).joined(separator: " ")
    }

    func usage(of command: CommandDescription, _ layout: inout TextLayout) {
        layout.gap()
        for (index, line) in command.synopses(tool: tool.info.name).enumerated() {
            let lead = index == 0 ? "Usage: " : "       "
            layout.wrapped("\(unbreakable(lead))\(line)", hanging: 9)
        }
    }

    /// Names the options that a topic explains, and that topic.
    func nameExplained(_ flags: [FlagInfo], _ layout: inout TextLayout) {
        for topic in flags.compactMap(\.topic).distinct {
            let labels = flags.filter { $0.topic == topic }.map { unbreakable($0.compactLabel) }
            layout.wrapped(labels.joined(separator: ", "), indent: 2)
            layout.wrapped("\(reference(to: topic)) explains them.", indent: 2)
        }
    }

    /// The command line that shows a topic, in quotes.
    func reference(to topic: String) -> String {
        unbreakable("'\(tool.info.name) help \(topic)'")
    }

    func listVerbs(of command: CommandDescription, _ layout: inout TextLayout) {
        let general = command.path.isEmpty ? "Commands" : "Verbs"
        var rows = command.visibleVerbs.map { verb in
            (verb.section ?? general, verb.about.name, verb.about.summary)
        }
        if command.path.isEmpty {
            rows += tool.info.externals.map { ($0.section ?? general, $0.name, $0.summary) }
        }
        for title in rows.map(\.0).distinct {
            layout.heading(title)
            let own = rows.filter { $0.0 == title }
            layout.table(own.map { ($0.1, $0.2) }, sharedWith: rows.map(\.1))
        }
        if let verb = command.defaultVerb {
            layout.gap()
            layout.wrapped("'\(words(command))' alone runs '\(words(command)) \(verb)'.")
        }
    }

    /// Writes the topics by `write`, on the page of the tool.
    func topics(
        for command: CommandDescription, _ layout: inout TextLayout,
        _ write: ([HelpTopic], inout TextLayout) -> Void
    ) {
        let topics = tool.info.allTopics
        guard command.path.isEmpty, !topics.isEmpty else { return }
        layout.heading("Topics of '\(tool.info.name) help TOPIC'")
        write(topics, &layout)
    }
}
