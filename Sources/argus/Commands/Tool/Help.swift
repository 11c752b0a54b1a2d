import ArgusAccount
import ArgusCore
import CommandLineKit

enum Help: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var printsSchema = false
    }

    static let about = CommandInfo(
        name: "help", summary: "Show help on a topic or a command", effect: .reads,
        description: """
            For programs, \(code: "--json") prints all commands, or one, with their arguments,
            options, fields, exit statuses and examples, and their \(code: "effect"): what a run
            can do at most. It \(code: "reads"), \(code: "waits"), \(code: "changes") something,
            \(code: "sends") something to others, or \(code: "deletes") something. What
            \(code: "untrusted") fields contain may be a stranger's words, which a camera saw.
            """,
        examples: [
            "argus help times": "How times are written",
            "argus help events list": "The whole page of a command",
            "argus help": "All commands, and your aliases",
            "argus help --json | jq -r '.command.verbs[].path[]'": "What argus can do",
            "argus help --json events list | jq .options": "One command, for a program",
            "argus help --schema events.list": "The JSON Schema of an event",
        ],
        exitStatuses: [0, 1, 2])

    static let flags: [Flag<Options>] = [
        .toggle(
            "schema", sets: \.printsSchema,
            "Print the JSON Schema of the objects of a command")
    ]

    static let arguments: [Argument<Options>] = [
        .repeated("TOPIC", appends: \.words, "A topic, or the words of a command")
            .completing(.topics)
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let tool = Tool.commandLine.description
        if options.printsSchema {
            let words = options.words.flatMap { $0.split(separator: ".").map(String.init) }
            guard !words.isEmpty else {
                throw Failure(
                    .usage, "no command given", hint: "such as 'argus help --schema events.list'")
            }
            guard case .command(let command) = try attempt(tool.helpSubject(words)) else {
                throw Failure(.usage, "\(words[0].inQuotes) is a topic, and prints no objects")
            }
            return try write(try attempt(tool.schema(of: command)), in: context)
        }
        // A setting or a variable is about results, and help is for the one who asks for it.
        if context.globals.format?.isMachine == true {
            return try write(try document(options.words, of: tool, in: context), in: context)
        }
        let text = context.helpText
        // Help works with a faulty configuration.
        let aliases = (try? context.configuration.read().settings.aliases) ?? [:]
        if options.words.isEmpty {
            return try context.write(text.short(tool.root) + Self.list(aliases))
        }
        if options.words.count == 1, let alias = aliases[options.words[0]],
            !Tool.isCommand(options.words[0])
        {
            let words = Sanitizer.visible(alias.text)
            return try context.write("'\(options.words[0])' is an alias for: argus \(words)\n")
        }
        if options.words.count == 1, Tool.isExternal(options.words[0]) {
            try ExternalCommands.run(
                options.words[0], ["--help"], context.globals, context.system.environment)
        }
        switch try attempt(tool.helpSubject(options.words)) {
        case .topic(let topic): try context.writePaged(text.topic(topic))
        case .command(let command): try context.writePaged(text.long(command))
        }
    }

    /// All commands, a command, or a topic, for programs.
    private static func document(
        _ words: [String], of tool: ToolDescription, in context: Context
    ) throws(Failure) -> FieldValue {
        if words.isEmpty { return tool.document }
        switch try attempt(tool.helpSubject(words)) {
        case .command(let command): return tool.document(of: command)
        case .topic(let topic):
            let text = HelpText(tool).topic(topic)
            return ["name": topic.name, "summary": topic.summary, "text": text]
        }
    }

    private static func write(_ document: FieldValue, in context: Context) throws(Failure) {
        var writer = JSONWriter(layout: .pretty)
        writer.value(document)
        try context.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }

    /// The aliases of the configuration, below the commands.
    private static func list(_ aliases: [String: Settings.Entry]) -> String {
        let names = aliases.keys.filter { !Tool.isCommand($0) }.sorted()
        guard let width = names.map(\.count).max() else { return "" }
        let lines = names.map { name in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return "  \(name)\(gap)\(Sanitizer.visible(aliases[name]?.text ?? ""))\n"
        }
        return "\nYour aliases:\n" + lines.joined()
    }
}
