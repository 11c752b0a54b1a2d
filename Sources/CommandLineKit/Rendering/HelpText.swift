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
        let labels = command.flags.map(\.alignedLabel)
        for (section, flags) in command.flags.sections {
            layout.heading(section)
            layout.table(flags.map { ($0.alignedLabel, $0.summary) }, sharedWith: labels)
        }
        layout.heading("Global options")
        let globals = tool.globalFlags.map { unbreakable($0.compactLabel) }
        layout.wrapped(globals.joined(separator: ", "), indent: 2)
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
        layout.wrapped("'\(words(command)) --help' shows more.")
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

    func listVerbs(of command: CommandDescription, _ layout: inout TextLayout) {
        var rows = command.visibleVerbs.map { ($0.about.name, $0.about.summary) }
        if command.path.isEmpty { rows += tool.info.externals.map { ($0.name, $0.summary) } }
        if !rows.isEmpty {
            layout.heading(command.path.isEmpty ? "Commands" : "Verbs")
            layout.table(rows)
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
