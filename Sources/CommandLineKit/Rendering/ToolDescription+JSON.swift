extension ToolDescription {
    /// The whole tool as JSON for other programs, with a line end.
    ///
    /// Releases add keys and remove none; keys without a value stay. Hidden commands are left out.
    package var json: String {
        let document: JSONText = .object([
            ("schema", .number(1)), ("name", .string(info.name)),
            ("version", .string(info.version)), ("date", .string(info.date)),
            ("summary", .string(info.summary)), ("homepage", .null),
            ("exit_statuses", .array(info.exitStatuses.map(describe))),
            ("topics", .array(info.allTopics.map { named($0.name, $0.summary) })),
            ("external_commands", .array(info.externals.map { named($0.name, $0.summary) })),
            ("global_options", .array(globalFlags.map(describe))),
            ("command", describe(root)),
        ])
        return document.text + "\n"
    }

    private func named(_ name: String, _ summary: String) -> JSONText {
        .object([("name", .string(name)), ("summary", .string(summary))])
    }

    private func describe(_ status: ExitStatusInfo) -> JSONText {
        .object([
            ("code", .number(status.code)), ("name", JSONText(status.name)),
            ("meaning", .string(status.meaning)), ("retry", JSONText(status.retry)),
        ])
    }

    private func describe(_ command: CommandDescription) -> JSONText {
        let about = command.about
        let statuses = info.meanings(of: about.exitStatuses).map { status in
            JSONText.object([("code", .number(status.code)), ("meaning", .string(status.meaning))])
        }
        let examples = about.examples.map { example in
            JSONText.object([
                ("line", .string(example.line)), ("explanation", .string(example.explanation)),
            ])
        }
        return .object([
            ("path", JSONText(command.path)), ("summary", .string(about.summary)),
            ("synopses", JSONText(command.synopses(tool: info.name))),
            ("default_verb", JSONText(command.defaultVerb)),
            ("arguments", .array(command.arguments.map(describe))),
            ("options", .array(command.flags.map(describe))),
            ("formats", JSONText(about.formats)),
            ("fields", .array(about.fields.map { named($0.name, $0.summary) })),
            ("exit_statuses", .array(statuses)), ("examples", .array(examples)),
            ("verbs", .array(command.visibleVerbs.map(describe))),
        ])
    }

    private func describe(_ argument: ArgumentInfo) -> JSONText {
        .object([
            ("name", .string(argument.name)), ("minimum", .number(argument.minimum)),
            ("repeated", .bool(argument.isRepeated)), ("summary", .string(argument.summary)),
            ("values", describe(argument.completion)),
        ])
    }

    private func describe(_ flag: FlagInfo) -> JSONText {
        .object([
            ("long", .string(flag.long)), ("short", JSONText(flag.short.map(String.init))),
            ("negation", .null), ("kind", .string(flag.kind.rawValue)),
            ("value", JSONText(flag.valueName)), ("section", .string(flag.section)),
            ("summary", .string(flag.summary)), ("values", describe(flag.completion)),
        ])
    }

    /// The words of a closed choice as an array, else the kind of value as a word; null for free
    /// text.
    private func describe(_ completion: Completion) -> JSONText {
        switch completion {
        case .none: .null
        case .choices(let words): JSONText(words)
        case .list(let words, let alone): JSONText(words + alone)
        case .file: .string("file")
        case .directory: .string("directory")
        case .formats: .string("formats")
        case .fields: .string("fields")
        case .topics: .string("topics")
        case .dynamic(let kind), .dynamicList(let kind): .string("dynamic:" + kind)
        }
    }
}
