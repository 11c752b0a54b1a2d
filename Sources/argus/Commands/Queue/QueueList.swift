import ArgusCore
import ArgusKit
import CommandLineKit

enum QueueList: ArgusCommand {
    struct Options: VerbOptions {
        var queue = QueueOptions()
    }

    static let about = CommandInfo(
        name: "list", summary: "List items that wait or were set aside", effect: .reads,
        description: """
            Lists what waits: commands of \(command: "events watch") that failed or are running
            (the next watch with that state runs them again), and changes made with
            \(code: "--queue") (\(command: "queue run") sends them).
            """,
        examples: [
            "argus queue": "Everything, oldest first",
            "argus queue list --format ndjson | jq -r 'select(.status == \"set_aside\").id'":
                "The ids of what was set aside",
        ],
        exitStatuses: [0, 1, 2], prints: .lists(QueueView.fields()))

    static let flags: [Flag<Options>] = QueueOptions.flags(at: \Options.queue)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: context.queueFields(), .list)
        let items = Queue(options.queue, in: context).items()
        for item in items { try printer.write(item) }
        try printer.finish(whenEmpty: "nothing waits", counting: ListCount(("item", "items")))
        let due = items.count { $0.isDue(at: context.now()) }
        if due > 0, try context.isForScreen() {
            let (what, them) = due == 1 ? ("1 change is", "it") : ("\(due) changes are", "them")
            context.console.notice(
                "\(what) due; 'argus queue run' sends \(them), as argus-queue.timer does every few "
                    + "minutes")
        }
    }
}

extension QueueItem {
    /// True for a change that waits for nothing but a run.
    fileprivate func isDue(at now: Timestamp) -> Bool {
        kind == .write && nextTry.map { $0 <= now } ?? false
    }
}
