import ArgusKit
import CommandLineKit

enum QueueRetry: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var queue = QueueOptions()
    }

    static let about = CommandInfo(
        name: "retry", summary: "Retry failed items", effect: .changes,
        description: """
            Makes the next try due now and starts counting tries anew, also for what was set
            aside. Commands are run by the watch with that state: at once if it is running, else
            when it starts.

            A change in conflict is sent over the server's state, which \(command: "queue show")
            prints. Changes are sent by \(command: "queue run"), and after the next command that
            reaches their server.
            """,
        examples: [
            "argus queue retry 8f85eda1": "One event",
            "argus queue list --format ndjson | jq -r 'select(.status == \"set_aside\").id' | "
                + "xargs -r argus queue retry": "Everything that was set aside",
        ],
        exitStatuses: [0, 1, 2, 3, 11], prints: .lists(QueueView.fields()))

    static let flags: [Flag<Options>] = QueueOptions.flags(at: \Options.queue)

    static let arguments: [Argument<Options>] = [.queueItems(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: context.queueFields(), .rows(options.words.count))
        let queue = Queue(options.queue, in: context)
        var outcome = BatchResult()
        let found = try await queue.items(named: options.words, &outcome)
        try await context.reportEach(found, id: \.id, with: printer, after: outcome) {
            item async throws(Failure) in
            let now = context.now()
            try await queue.retry(item, at: now)
            var due = item
            (due.tries, due.nextTry) = (0, now)
            due.write?.retry(at: now)
            return (due, nil, "\(item.id) is due now, for \(item.place)")
        }
    }
}
