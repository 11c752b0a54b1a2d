import ArgusPush
import CommandLineKit

enum NotifyKeyShow: ArgusCommand {
    static let about = CommandInfo(
        name: "show", summary: "Show the key that receivers of Web Push subscribe with",
        effect: .changes,
        description: """
            Prints the public key with which browsers must subscribe to get pushes from this
            machine (\(code: "applicationServerKey")). The first call creates it.
            \(command: "push key") shows the server's own key.
            """,
        examples: ["argus notify key show --json | jq -r .public_key": "The key alone"],
        exitStatuses: [0, 1, 2], prints: .objects(VAPIDKeyView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: VAPIDKeyView.fields, .operands(1))
        let store = try context.receivers()
        let key = try await attempt(awaiting: await store.vapidKey(at: context.now()))
        try printer.writeOnly(key)
    }
}
