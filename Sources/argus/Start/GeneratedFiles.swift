import ArgusCore
import CommandLineKit

/// The committed files that are generated from the table of commands; a test compares them.
enum GeneratedFiles {
    static var manualPages: [GeneratedFile] { ManualPages(Tool.commandLine.description).files }

    static var completions: [GeneratedFile] {
        CompletionShell.allCases.map { $0.script(for: Tool.name) }
    }
}

extension ToolDescription {
    /// The whole tool as JSON for other programs, with a line end.
    ///
    /// Releases add keys and remove none; keys without a value stay. Hidden commands are left out.
    var json: String {
        var writer = JSONWriter(layout: .pretty)
        writer.value([
            "schema": 1, "name": info.name, "version": info.version, "date": info.date,
            "summary": info.summary, "homepage": FieldValue.null,
            "exit_statuses": info.exitStatuses.map(describe),
            "topics": info.allTopics.map { named($0.name, $0.summary) },
            "external_commands": info.externals.map { named($0.name, $0.summary) },
            "global_options": globalFlags.map(describe), "command": describe(root),
        ])
        return String(decoding: writer.bytes + [UInt8(ascii: "\n")], as: UTF8.self)
    }

    private func named(_ name: String, _ summary: String) -> FieldValue {
        ["name": name, "summary": summary]
    }

    private func describe(_ status: ExitStatusInfo) -> FieldValue {
        [
            "code": status.code, "name": status.name, "meaning": status.meaning,
            "retry": status.retry,
        ]
    }

    private func describe(_ command: CommandDescription) -> FieldValue {
        let about = command.about
        let statuses = info.meanings(of: about.exitStatuses).map { status -> FieldValue in
            ["code": status.code, "meaning": status.meaning]
        }
        let examples = about.examples.map { example -> FieldValue in
            ["line": example.line, "explanation": example.explanation]
        }
        return [
            "path": command.path, "summary": about.summary,
            "synopses": command.synopses(tool: info.name), "default_verb": command.defaultVerb,
            "arguments": command.arguments.map(describe), "options": command.flags.map(describe),
            "formats": about.formats, "fields": about.fields.map { named($0.name, $0.summary) },
            "exit_statuses": statuses, "examples": examples,
            "verbs": command.visibleVerbs.map(describe),
        ]
    }

    private func describe(_ argument: ArgumentInfo) -> FieldValue {
        [
            "name": argument.name, "minimum": argument.minimum, "repeated": argument.isRepeated,
            "summary": argument.summary, "values": describe(argument.completion),
        ]
    }

    private func describe(_ flag: FlagInfo) -> FieldValue {
        [
            "long": flag.long, "short": flag.short.map(String.init), "negation": FieldValue.null,
            "kind": flag.kind.rawValue, "value": flag.valueName, "section": flag.section,
            "summary": flag.summary, "default": flag.defaultValue,
            "values": describe(flag.completion),
        ]
    }

    /// The words of a closed choice, else the kind of value as a word; null for free text.
    private func describe(_ completion: Completion) -> FieldValue {
        switch completion {
        case .none: .null
        case .choices(let words): FieldValue(words)
        case .list(let words, let alone): FieldValue(words + alone)
        case .file: .text("file")
        case .directory: .text("directory")
        case .command: .text("command")
        case .formats: .text("formats")
        case .fields: .text("fields")
        case .topics: .text("topics")
        case .dynamic(let kind), .dynamicList(let kind): .text("dynamic:" + kind)
        }
    }
}
