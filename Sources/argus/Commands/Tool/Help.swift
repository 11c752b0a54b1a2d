import ArgusAccount
import ArgusCore
import CommandLineKit

enum Help: ArgusCommand {
    static let about = CommandInfo(
        name: "help", summary: "Show help on a topic or a command", effect: .reads,
        examples: [
            "argus help times": "How times are written",
            "argus help events list": "The whole page of a command",
            "argus help": "All commands, and your aliases",
        ],
        exitStatuses: [0, 1, 2])

    static let arguments: [Argument<Operands>] = [
        .repeated("TOPIC", appends: \.words, "A topic, or the words of a command")
            .completing(.topics)
    ]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let tool = Tool.commandLine.description
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
        switch try attempt(tool.helpSubject(options.words)) {
        case .topic(let topic): try context.writePaged(text.topic(topic))
        case .command(let command): try context.writePaged(text.long(command))
        }
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
