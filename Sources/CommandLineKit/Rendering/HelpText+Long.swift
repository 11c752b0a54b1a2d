// The help of `--help` and of `help TOPIC`: everything, wrapped to the width.
extension HelpText {
    /// The whole page of a command.
    package func long(_ command: CommandDescription) -> String {
        var layout = TextLayout(width: width, isBold: isBold)
        layout.wrapped("\(words(command)) - \(command.about.summary)")
        usage(of: command, &layout)
        write(command.about.paragraphs, indent: 0, &layout)
        listVerbs(of: command, &layout)
        if !command.arguments.isEmpty {
            layout.heading("Arguments")
            for argument in command.arguments {
                entry(argument.synopsis, argument.summary, [], &layout)
            }
        }
        for (section, flags) in command.flags.sections {
            layout.heading(section)
            write(flags.filter { $0.topic == nil }, &layout)
            nameExplained(flags, &layout)
        }
        globalOptions(of: command, &layout)
        output(of: command.about, &layout)
        examples(command.about.examples, &layout)
        statuses(of: command.about, &layout)
        topics(for: command, &layout) { topics, layout in
            layout.table(topics.map { ($0.name, $0.summary) })
        }
        return layout.text
    }

    /// The page of a topic.
    package func topic(_ topic: HelpTopic) -> String {
        var layout = TextLayout(width: width, isBold: isBold)
        layout.wrapped(topic.summary)
        write(topic.paragraphs, indent: 0, &layout)
        for example in topic.examples {
            layout.gap()
            layout.wrapped(example.explanation + ":")
            layout.verbatim(example.line, indent: 4)
        }
        return layout.text
    }

    /// Running text with its references spelled out.
    func plain(_ prose: Prose) -> String {
        prose.parts.map { part in
            switch part {
            case .text(let text), .value(let text): text
            case .code(let text): unbreakable(text)
            case .flag(let name, of: _): "--" + name
            case .command(let path): unbreakable("'\(tool.info.name) \(path)'")
            case .topic(let name): reference(to: name)
            }
        }.joined()
    }

    private func write(_ paragraphs: [Paragraph], indent: Int, _ layout: inout TextLayout) {
        for paragraph in paragraphs {
            layout.gap()
            switch paragraph {
            case .text(let prose): layout.wrapped(plain(prose), indent: indent)
            case .code(let code): layout.verbatim(code, indent: indent + 4)
            case .list(let items):
                for item in items {
                    layout.wrapped(plain(item.term), indent: indent + 2)
                    layout.wrapped(plain(item.explanation), indent: indent + 6)
                }
            case .options(let flags):
                let sections = flags.sections
                for (title, flags) in sections {
                    if sections.count > 1 { layout.heading(title) }
                    write(flags, &layout)
                }
            }
        }
    }

    private func write(_ flags: [FlagInfo], _ layout: inout TextLayout) {
        for flag in flags { entry(flag.alignedLabel, flag.wholeSummary, flag.details, &layout) }
    }

    private func entry(
        _ name: String, _ summary: String, _ details: [Paragraph], _ layout: inout TextLayout
    ) {
        layout.wrapped(unbreakable(name), indent: 2)
        layout.wrapped(summary + ".", indent: 10)
        write(details, indent: 10, &layout)
        if !details.isEmpty { layout.gap() }
    }

    /// Writes the global options in full on the page of the tool; elsewhere refers to the topic.
    private func globalOptions(of command: CommandDescription, _ layout: inout TextLayout) {
        layout.heading("Global options")
        if command.path.isEmpty {
            write(tool.globalFlags, &layout)
        } else {
            layout.wrapped("\(reference(to: ToolInfo.optionsTopic)) lists them.", indent: 2)
        }
    }

    private func output(of about: CommandInfo, _ layout: inout TextLayout) {
        if !about.formats.isEmpty {
            layout.heading("Formats")
            layout.wrapped(about.formats.joined(separator: ", "), indent: 2)
        }
        if !about.fields.isEmpty {
            layout.heading("Fields")
            layout.table(about.fields.map { ($0.name, $0.summary) })
        }
    }

    private func examples(_ examples: [Example], _ layout: inout TextLayout) {
        guard !examples.isEmpty else { return }
        layout.heading("Examples")
        for example in examples {
            layout.wrapped(example.explanation + ":", indent: 2)
            layout.verbatim(example.line, indent: 6)
        }
    }

    private func statuses(of about: CommandInfo, _ layout: inout TextLayout) {
        guard !about.exitStatuses.isEmpty else { return }
        layout.heading("Exit status")
        layout.table(about.ownStatuses.map { (String($0.code), $0.meaning) })
        layout.wrapped(
            "\(about.statusLead)\(reference(to: ToolInfo.exitStatusTopic)) lists the others.",
            indent: 2)
    }
}

extension CommandInfo {
    /// The statuses that mean something of their own to the command.
    var ownStatuses: [(code: Int, meaning: String)] {
        exitStatuses.compactMap { status in status.meaning.map { (status.code, $0) } }
    }

    /// The words before the reference to the other statuses.
    var statusLead: String {
        ownStatuses.contains { $0.code == 0 } ? "" : "0 is success; "
    }
}

extension ToolInfo {
    /// The statuses with the command's meanings, else those of the table.
    package func meanings(of statuses: [ExitStatus]) -> [(code: Int, meaning: String)] {
        statuses.map { status in
            let general = exitStatuses.first { $0.code == status.code }?.meaning
            return (status.code, status.meaning ?? general ?? "")
        }
    }
}
