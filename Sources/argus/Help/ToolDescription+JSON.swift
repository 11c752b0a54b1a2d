import ArgusCore
import CommandLineKit

extension ToolDescription {
    /// The whole tool for other programs (docs/help.schema.json).
    ///
    /// Releases add keys and remove none; keys without a value stay. Hidden commands are left out.
    var document: FieldValue {
        [
            "schema": 1, "name": info.name, "version": info.version, "date": info.date,
            "summary": info.summary, "homepage": FieldValue.null,
            "exit_statuses": info.exitStatuses.map(describe),
            "topics": info.allTopics.map { named($0.name, $0.summary) },
            "external_commands": info.externals.map { named($0.name, $0.summary) },
            "global_options": globalFlags.map(describe), "command": document(of: root),
        ]
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

    /// A command and its verbs for other programs (docs/help.schema.json).
    func document(of command: CommandDescription) -> FieldValue {
        let about = command.about
        let statuses = info.meanings(of: about.exitStatuses).map { status -> FieldValue in
            ["code": status.code, "meaning": status.meaning]
        }
        let examples = about.examples.map { example -> FieldValue in
            ["line": example.line, "explanation": example.explanation]
        }
        return [
            "path": command.path, "summary": about.summary, "effect": about.effect?.rawValue,
            "synopses": command.synopses(tool: info.name), "default_verb": command.defaultVerb,
            "arguments": command.arguments.map(describe), "options": command.flags.map(describe),
            "formats": about.formats, "fields": about.fields.map(describe),
            "exit_statuses": statuses, "examples": examples,
            "verbs": command.visibleVerbs.map(document),
        ]
    }

    private func describe(_ field: FieldInfo) -> FieldValue {
        [
            "name": field.name, "summary": field.summary, "type": field.type,
            "untrusted": field.isUntrusted, "conditional": field.isConditional,
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
            "summary": flag.summary, "default": flag.defaultValue, "required": flag.isRequired,
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

    /// The words of a command as one, such as `events list` of `argus events list`.
    private func line(of command: CommandDescription) -> String {
        ([info.name] + command.path).joined(separator: " ")
    }

    /// The JSON Schema of the objects that a command prints with `--format json`.
    ///
    /// - Throws: `UsageError` if it prints none.
    func schema(of command: CommandDescription) throws(UsageError) -> FieldValue {
        var command = command
        if let verb = command.defaultVerb.flatMap(command.verb) { command = verb }
        let fields = command.about.fields
        guard !fields.isEmpty else {
            throw UsageError("'\(line(of: command))' prints no objects")
        }
        let properties = fields.map { field -> FieldValue.Member in
            guard case .object(var members)? = FieldType(field.type)?.schema else {
                return .init(field.name, [:])
            }
            members.append(.init("description", .text(field.summary)))
            if field.isUntrusted { members.append(.init("x-untrusted", .bool(true))) }
            return .init(field.name, .object(members))
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": line(of: command), "description": command.about.summary, "type": "object",
            "properties": FieldValue.object(properties),
            "required": fields.filter { !$0.isConditional }.map(\.name),
        ]
    }
}
