import CommandLineKit

/// The command `argus help`.
enum Help: ArgusCommand {
    struct Options: Sendable, Equatable {
        var words: [String] = []
    }

    static let asksServer = false
    static let about = CommandInfo(
        name: "help", summary: "Show help on a topic or a command",
        examples: [
            Example("argus help times", "How times are written"),
            Example("argus help events list", "The whole page of a command"),
        ],
        exitStatuses: [0, 1, 2])

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [
        .repeated("TOPIC", appends: \.words, "A topic, or the words of a command")
            .completing(.topics)
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let tool = Tool.commandLine.description
        let text = context.helpText
        if options.words.isEmpty { return try context.write(text.short(tool.root)) }
        if options.words.count == 1, let topic = tool.info.topic(options.words[0]) {
            return try context.write(text.topic(topic))
        }
        guard let command = tool.command(options.words) else {
            let topics = tool.info.allTopics.map(\.name).joined(separator: ", ")
            throw Failure(
                .usage, "there is no help on '\(options.words.joined(separator: " "))'",
                hint: "topics: \(topics)")
        }
        try context.write(text.long(command))
    }
}
