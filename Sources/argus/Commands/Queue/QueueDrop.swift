import ArgusKit
import CommandLineKit

enum QueueDrop: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var queue = QueueOptions()
        var assumesYes = false
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "drop", summary: "Remove waiting items", effect: .deletes,
        description: """
            The commands are not run and the changes are not sent; events stay on the server. What
            is running or being sent right now finishes. argus waits for a typed \(code: "yes");
            \(flag: "yes") skips the question.
            """,
        examples: [
            "argus queue drop 8f85eda1": "One event, after a question",
            "argus queue drop 8f85eda1 --dry-run": "Show which one that is",
        ],
        exitStatuses: [0, 1, 2, 3, 11], prints: .lists(QueueView.fields()))

    static let flags: [Flag<Options>] =
        QueueOptions.flags(at: \Options.queue) + [
            .yes(\.assumesYes), .dryRun(\.isDryRun, "dropped"),
        ]

    static let arguments: [Argument<Options>] = [.queueItems(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: context.queueFields(), .rows(options.words.count))
        let queue = Queue(options.queue, in: context)
        var outcome = BatchResult()
        let found = try await queue.items(named: options.words, &outcome)
        let isDryRun = options.isDryRun
        if !found.isEmpty, !options.assumesYes, !isDryRun {
            try context.console.confirm(
                found.count == 1 ? "Drop this for good?" : "Drop these \(found.count) for good?",
                listing: found, otherwise: "nothing was dropped"
            ) { "\($0.id)  \($0.place)  \($0.subject)" }
        }
        try await context.reportEach(
            found, id: \.id, isDryRun: isDryRun, with: printer, after: outcome
        ) { item async throws(Failure) in
            if !isDryRun { try await queue.drop(item) }
            return (item, nil, "\(item.id) is dropped")
        }
    }
}
