/// A file generated from the table: its path and its content.
package struct GeneratedFile: Sendable, Equatable {
    package var name: String
    package var contents: String
}

/// Writes the manual pages of a tool in the man(7) language.
package struct ManualPages: Sendable {
    let tool: ToolDescription

    package init(_ tool: ToolDescription) {
        self.tool = tool
    }

    /// All pages: the tool, every visible command, and the topics that are pages.
    package var files: [GeneratedFile] {
        tool.root.visibleTree.map { command in
            GeneratedFile(name: pageName(command.path) + ".1", contents: page(of: command))
        }
            + tool.info.allTopics.map { topic in
                GeneratedFile(name: pageName([topic.name]) + ".7", contents: page(of: topic))
            }
    }

    /// The page of a command, section 1.
    package func page(of command: CommandDescription) -> String {
        var roff = head(pageName(command.path), section: 1, summary: command.about.summary)
        roff.macro("SH", "SYNOPSIS")
        for (index, line) in command.synopses(tool: tool.info.name).enumerated() {
            if index > 0 { roff.macro("br") }
            roff.line(synopsis(line, words: command.path.count + 1))
        }
        if !command.about.paragraphs.isEmpty || command.defaultVerb != nil {
            roff.macro("SH", "DESCRIPTION")
            write(command.about.paragraphs, &roff)
            if let verb = command.defaultVerb {
                roff.paragraph()
                roff.line("Alone it runs \(reference(to: command.path + [verb])).")
            }
        }
        verbs(of: command, &roff)
        operands(of: command, &roff)
        for (section, flags) in command.flags.sections {
            roff.macro("SH", section.uppercased())
            flags.filter { $0.topic == nil }.forEach { write($0, &roff) }
            nameExplained(flags, &roff)
        }
        globalOptions(of: command, &roff)
        output(of: command.about, &roff)
        examples(command.about.examples, &roff)
        statuses(of: command.about, &roff)
        seeAlso(command, &roff)
        return roff.text
    }

    /// The page of a topic, section 7.
    package func page(of topic: HelpTopic) -> String {
        var roff = head(pageName([topic.name]), section: 7, summary: topic.summary)
        roff.macro("SH", "DESCRIPTION")
        write(topic.paragraphs, &roff)
        for example in topic.examples { write(example, &roff) }
        roff.macro("SH", "SEE ALSO")
        roff.line(reference(to: []))
        return roff.text
    }

    func pageName(_ path: [String]) -> String {
        ([tool.info.name] + path).joined(separator: "-")
    }

    /// The name of a command's page with its section.
    func reference(to path: [String]) -> String { "\(Roff.bold(pageName(path)))(1)" }

    func reference(toTopic name: String) -> String { "\(Roff.bold(pageName([name])))(7)" }

    private func head(_ name: String, section: Int, summary: String) -> Roff {
        var roff = Roff()
        roff.macro(
            "TH", name.uppercased(), String(section), tool.info.date,
            "\(tool.info.name) \(tool.info.version)", "\(tool.info.name) manual")
        roff.macro("SH", "NAME")
        roff.line("\(Roff.escape(name)) \\- \(Roff.escape(lowercasedFirst(summary)))")
        return roff
    }

    /// The synopsis with the typed words in bold.
    private func synopsis(_ line: String, words count: Int) -> String {
        let words = line.split(separator: " ")
        let typed = words.prefix(count).joined(separator: " ")
        let rest = words.dropFirst(count).map { Roff.italic($0) }
        return ([Roff.bold(typed)] + rest).joined(separator: " ")
    }
}

// Running text.
extension ManualPages {
    func write(_ paragraphs: [Paragraph], _ roff: inout Roff) {
        for paragraph in paragraphs {
            switch paragraph {
            case .text(let prose):
                roff.paragraph()
                roff.line(markup(prose))
            case .code(let code):
                roff.paragraph()
                roff.verbatim(code)
            case .list(let items):
                for item in items { roff.entry(markup(item.term), markup(item.explanation)) }
            case .options(let flags):
                let sections = flags.sections
                for (title, flags) in sections {
                    if sections.count > 1 { roff.macro("SS", title) }
                    flags.forEach { write($0, &roff) }
                }
            }
        }
    }

    func markup(_ prose: Prose) -> String {
        prose.parts.map { part in
            switch part {
            case .text(let text): Roff.escape(text.split(separator: "\n").joined(separator: " "))
            case .flag(let name, of: _): Roff.bold("--" + name)
            case .command(let path): reference(to: path.split(separator: " ").map(String.init))
            case .topic(let name): reference(toTopic: name)
            case .code(let text): Roff.bold(text)
            case .value(let text): Roff.italic(text)
            }
        }.joined()
    }

    private func lowercasedFirst(_ summary: String) -> String {
        guard let first = summary.first, summary.dropFirst().first?.isLowercase == true else {
            return summary
        }
        return first.lowercased() + summary.dropFirst()
    }
}
