import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum ServerRemove: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "remove", summary: "Forget a server and its credentials", effect: .deletes,
        description: """
            Does not contact the server: run \(command: "logout") first to end the session there.
            Changes that wait for the server are dropped, with a warning.
            """,
        examples: [
            "argus server remove cottage": "Forget 'cottage'",
            "argus server remove cottage --dry-run": "Show what would be forgotten",
        ],
        exitStatuses: [0, 1, 2, 3], prints: .objects(ServerView.fields))

    static let needsPassphrase = false
    static let flags: [Flag<Options>] = [.dryRun(\.isDryRun, "forgotten")]
    static let arguments: [Argument<Options>] = [.server(\.$name)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let context = context.withoutPassphrase
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        let row = ServerRow(record: record, isDefault: false)
        if options.isDryRun { return try context.preview([row], with: printer) }
        try attempt(context.directory.expectWritable())
        let secretsLeft = try await attempt(awaiting: await context.secrets.remove(record))
        if record.credentialStore == .file, let problem = context.secrets.stores.ignoredProblem {
            context.console.warn("\(problem); it was not needed")
        }
        CompletionCache(context.system.paths.cache, server: record.id)?.erase()
        context.system.connections.cache(of: record)?.erase()
        CameraProblems.forget(record.id.text, in: context.system.paths.state)
        CheckMemory.forget(record.id.text, in: context.system.paths.state)
        try await record.dropWaitingWrites(in: context)
        if let secretsLeft {
            throw Failure(
                secretsLeft: secretsLeft,
                "'\(record.name)' is forgotten, but its secrets are still in the "
                    + "\(record.credentialStore.name): \(secretsLeft)",
                hint: "remove there what names the server's id, \(record.id.text)")
        }
        try context.report(row, with: printer, "forgot '\(record.name)' and its credentials")
    }
}
