import ArgusPush
import CommandLineKit

enum NotifyReceiversList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the receivers that argus delivers to", effect: .reads,
        description: """
            Lists the receivers of \(command: "notify run") and \(command: "notify send"), oldest
            first. They are sealed on this machine; servers do not know them.
            """,
        examples: [
            "argus notify receivers": "All of them",
            "argus notify receivers list --format ndjson | jq -r 'select(.active | not).id'":
                "The ids of those that failed too often",
        ],
        exitStatuses: [0, 1, 2], prints: .lists(DeliveryTokenView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.fields, .list)
        let tokens = try await attempt(awaiting: await context.receivers().load())
        for token in tokens.tokens { try printer.write(token) }
        try printer.finish(
            whenEmpty: "there are no receivers; 'argus notify receivers add' adds one",
            counting: ListCount(("receiver", "receivers")))
    }
}
