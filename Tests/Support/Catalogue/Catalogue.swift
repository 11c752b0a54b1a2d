package import CommandLineKit

/// The rules that a tool's declarations keep.
package enum Catalogue {
    /// Lists the faults of a tool's declarations, one sentence each.
    ///
    /// Meant for a test over the whole tree; hidden commands need neither examples nor statuses.
    package static func faults<Globals, Invocation>(
        in tool: CommandLineTool<Globals, Invocation>
    ) -> [String] {
        let description = tool.description
        let commands = allCommands(description.root)
        var faults = toolFaults(description)
        for topic in description.info.allTopics {
            faults += exampleFaults(topic.examples, tool).map { "topic '\(topic.name)': \($0)" }
        }
        for command in commands {
            let place = ([description.info.name] + command.path).joined(separator: " ")
            let found =
                nameFaults(command, description) + textFaults(command, description)
                + referenceFaults(command, description) + coverageFaults(command, description)
                + exampleFaults(command.about.examples, tool) + helpFaults(command, tool)
            faults += found.map { "\(place): \($0)" }
        }
        return faults
    }

    private static func allCommands(_ command: CommandDescription) -> [CommandDescription] {
        [command] + command.verbs.flatMap(allCommands)
    }

    /// Checks that every line of the short help fits, and that `-h` after the command's words shows it,
    /// or that of its successor.
    private static func helpFaults<Globals, Invocation>(
        _ command: CommandDescription, _ tool: CommandLineTool<Globals, Invocation>
    ) -> [String] {
        let help = HelpText(tool.description)
        let lines = help.short(command).split(separator: "\n")
        var faults = lines.filter { $0.count > HelpText.shortWidth }
            .map { "a line of -h is wider than \(HelpText.shortWidth) columns: '\($0)'" }
        faults += summaries(shownFor: command).filter { summary in
            !lines.contains { $0.hasSuffix(summary.text) }
        }.map { "the summary\($0.owner) takes more than one line of -h" }
        if help.long(command).isEmpty { faults.append("--help is empty") }
        let successor = tool.description.aliases.first { $0.isFormer && $0.path == command.path }
        for (word, isLong) in [("-h", false), ("--help", true)] {
            guard case .help(let shown, isLong)? = try? tool.parse(command.path + [word]),
                shown.path == successor?.command ?? command.path
            else {
                faults.append("\(word) does not show its help")
                continue
            }
        }
        return faults
    }
}

extension Catalogue {
    /// The summaries in a command's short help, each with a phrase for its owner.
    private static func summaries(
        shownFor command: CommandDescription
    ) -> [(owner: String, text: String)] {
        let own = [("", command.about.summary)]
        let verbs = command.visibleVerbs.map { (" of '\($0.about.name)'", $0.about.summary) }
        let operands = command.arguments.map { (" of \($0.name)", $0.summary) }
        let flags = command.flags.filter { $0.topic == nil }
            .map { (" of --\($0.long)", $0.shortSummary) }
        return own + verbs + operands + flags
    }
}

// The parts that a leaf must have.
extension Catalogue {
    fileprivate static func coverageFaults(
        _ command: CommandDescription, _ tool: ToolDescription
    ) -> [String] {
        let about = command.about
        var faults: [String] = []
        let known = Set(tool.info.exitStatuses.map(\.code))
        for status in about.exitStatuses where !known.contains(status.code) {
            faults.append("exit status \(status.code) is not in the tool's table")
        }
        faults += repeated(about.exitStatuses.map(\.code)).map { "exit status \($0) twice" }
        faults += repeated(about.fields.map(\.name)).map { "field '\($0)' twice" }
        let runsItself = command.runsItself
        guard runsItself, !about.isHidden else { return faults }
        if about.examples.isEmpty { faults.append("no example") }
        if about.exitStatuses.isEmpty { faults.append("no exit statuses") }
        if !about.formats.isEmpty, about.fields.isEmpty { faults.append("formats but no fields") }
        return faults
    }

    /// The values that occur more than once.
    static func repeated<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { !seen.insert($0).inserted }
    }
}
