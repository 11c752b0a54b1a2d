import ArgusAccount
import ArgusKit
import CommandLineKit

enum Complete: ArgusCommand {
    static let about = CommandInfo(
        name: "__complete", summary: "Answer a completion script", effect: .reads,
        description:
            "Prints what may complete the last word of a line, from what earlier runs saw.",
        examples: ["argus __complete -- cameras show Fro": "Cameras whose names begin with Fro"],
        exitStatuses: [0], isHidden: true)

    static let arguments: [Argument<Operands>] = [
        .repeated("WORD", appends: \.words, "The words after argus, the last as far as typed")
    ]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let system = context.system
        // Completion expands an alias to its words.
        let line = CommandLineReading(Array(options.words.dropLast())) {
            system.paths.configurationFile
        }
        let reply = Tool.commandLine.completions(of: line.words + options.words.suffix(1)) {
            query in
            let isOfArchive = query.path.first == "archive"
            let folder = query.options.last { $0.name == "--archive" }?.value
            return CompletionService(
                system.environment, system.paths, server: query.globals.server,
                from: isOfArchive ? .archive(folder) : .cache
            )
            .candidates(of: query.kind, beginning: query.value, after: query.operands)
            .map { CompletionCandidate(text: $0.text, description: $0.description) }
        }
        try context.write(reply)
    }
}
