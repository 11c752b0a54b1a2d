// The sections of a command's page that are lists.
extension ManualPages {
    func verbs(of command: CommandDescription, _ roff: inout Roff) {
        let verbs = command.visibleVerbs
        guard !verbs.isEmpty else { return }
        roff.macro("SH", command.path.isEmpty ? "COMMANDS" : "VERBS")
        let externals = command.path.isEmpty ? tool.info.externals : []
        for title in (verbs.map(\.section) + externals.map(\.section)).distinct {
            if let title { roff.macro("SS", title) }
            for verb in verbs where verb.section == title {
                roff.entry(reference(to: verb.path), Roff.escape(verb.about.summary) + ".")
            }
            for external in externals where external.section == title {
                roff.entry(
                    Roff.bold("\(tool.info.name) \(external.name)"),
                    Roff.escape(external.summary) + ".")
            }
        }
    }

    func operands(of command: CommandDescription, _ roff: inout Roff) {
        guard !command.arguments.isEmpty else { return }
        roff.macro("SH", "ARGUMENTS")
        for argument in command.arguments {
            roff.entry(Roff.italic(argument.synopsis), Roff.escape(argument.summary) + ".")
        }
    }

    func write(_ flag: FlagInfo, _ roff: inout Roff) {
        roff.entry(label(of: flag), Roff.escape(flag.wholeSummary) + ".")
        guard !flag.details.isEmpty else { return }
        roff.macro("RS", "7")
        write(flag.details, &roff)
        roff.macro("RE")
    }

    /// Names the options that a topic explains, and that topic.
    func nameExplained(_ flags: [FlagInfo], _ roff: inout Roff) {
        for topic in flags.compactMap(\.topic).distinct {
            let labels = flags.filter { $0.topic == topic }.map { Roff.escape($0.compactLabel) }
            roff.paragraph()
            roff.line(labels.joined(separator: ", ") + ".")
            roff.line("\(reference(toTopic: topic)) explains them.")
        }
    }

    /// Writes the global options in full on the page of the tool; elsewhere refers to the topic.
    func globalOptions(of command: CommandDescription, _ roff: inout Roff) {
        roff.macro("SH", "GLOBAL OPTIONS")
        guard command.path.isEmpty else {
            return roff.line("\(reference(toTopic: ToolInfo.optionsTopic)) lists them.")
        }
        tool.globalFlags.forEach { write($0, &roff) }
    }

    func output(of about: CommandInfo, _ roff: inout Roff) {
        guard !about.formats.isEmpty || !about.fields.isEmpty else { return }
        roff.macro("SH", "OUTPUT")
        if !about.formats.isEmpty {
            roff.line("Formats: " + Roff.escape(about.formats.joined(separator: ", ")) + ".")
        }
        for field in about.fields {
            roff.entry(Roff.bold(field.name), Roff.escape(field.summary))
        }
    }

    func examples(_ examples: [Example], _ roff: inout Roff) {
        guard !examples.isEmpty else { return }
        roff.macro("SH", "EXAMPLES")
        for example in examples { write(example, &roff) }
    }

    func write(_ example: Example, _ roff: inout Roff) {
        roff.paragraph()
        roff.line(Roff.escape(example.explanation) + ":")
        roff.paragraph()
        roff.verbatim(example.line)
    }

    func statuses(of about: CommandInfo, _ roff: inout Roff) {
        guard !about.exitStatuses.isEmpty else { return }
        roff.macro("SH", "EXIT STATUS")
        for row in about.ownStatuses {
            roff.entry(Roff.bold(String(row.code)), Roff.escape(row.meaning) + ".")
        }
        if !about.ownStatuses.isEmpty { roff.paragraph() }
        let topic = reference(toTopic: ToolInfo.exitStatusTopic)
        roff.line("\(about.statusLead)\(topic) lists the others.")
    }

    func seeAlso(_ command: CommandDescription, _ roff: inout Roff) {
        var pages =
            command.path.isEmpty
            ? tool.info.allTopics.map { reference(toTopic: $0.name) }
            : [reference(to: Array(command.path.dropLast()))]
        if !command.about.exitStatuses.isEmpty, tool.info.topic(ToolInfo.exitStatusTopic) != nil {
            pages.append(reference(toTopic: ToolInfo.exitStatusTopic))
        }
        guard !pages.isEmpty else { return }
        roff.macro("SH", "SEE ALSO")
        roff.line(pages.joined(separator: ", "))
    }

    private func label(of flag: FlagInfo) -> String {
        let spellings = flag.spellings.map { Roff.bold($0) }.joined(separator: ", ")
        guard let value = flag.valueName else { return spellings }
        return flag.kind == .optionalValue
            ? "\(spellings)[=\(Roff.italic(value))]" : "\(spellings) \(Roff.italic(value))"
    }
}
