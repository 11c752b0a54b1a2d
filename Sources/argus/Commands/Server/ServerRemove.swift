import ArgusKit
import CommandLineKit

enum ServerRemove: ArgusCommand {
    static let about = CommandInfo(
        name: "remove", summary: "Forget a server and its credentials",
        description: """
            Sends nothing to the server: \(command: "logout") ends the session there first.
            """,
        examples: ["argus server remove cottage": "Forget 'cottage'"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(ServerView.fields))

    static let needsPassphrase = false
    static let arguments = ServerNameOptions.arguments

    static func run(_ options: ServerNameOptions, in context: Context) async throws(Failure) {
        let context = context.forgetting
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        try attempt(context.directory.expectWritable())
        let secretsLeft = try await attempt(awaiting: await context.secrets.remove(record))
        if record.credentialStore == .file, let problem = context.secrets.stores.ignoredProblem {
            context.console.warn("\(problem); it was not needed")
        }
        CompletionCache(context.system.paths.cache, server: record.id)?.erase()
        context.system.connections.cache(of: record)?.erase()
        if let secretsLeft {
            throw Failure(
                secretsLeft: secretsLeft,
                "'\(record.name)' is forgotten, but its secrets are still in the "
                    + "\(record.credentialStore.name): \(secretsLeft)",
                hint: "remove there what names the server's id, \(record.id.text)")
        }
        try context.report(
            ServerRow(record: record, isDefault: false), with: printer,
            "'\(record.name)' and its credentials are forgotten")
    }
}
