import ArgusPush
import CommandLineKit

enum PushTokensList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the receivers that argus delivers to",
        description: """
            Lists the receivers to which \(code: "argus push send") and
            \(code: "argus push dispatch") deliver, in the order in which they were added. They are
            sealed on this machine. Servers do not know them, and never reveal their own.
            """,
        examples: [
            "argus push tokens": "All of them",
            "argus push tokens list --format ndjson | jq -r 'select(.active | not).id'":
                "The ids of those that failed too often",
        ],
        exitStatuses: [0, 1, 2], prints: .lists(DeliveryTokenView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.fields, .list)
        let tokens = try await attempt(awaiting: await context.receivers().load())
        for token in tokens.tokens { try printer.write(token) }
        try printer.finish(
            whenEmpty: "there are no receivers; 'argus push tokens add' adds one",
            counting: ListCount(("receiver", "receivers")))
    }
}
