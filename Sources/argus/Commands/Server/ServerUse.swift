import ArgusAccount
import CommandLineKit

enum ServerUse: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
    }

    static let about = CommandInfo(
        name: "use", summary: "Make a server the default", effect: .changes,
        examples: ["argus server use home": "Commands without --server go to 'home'"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(ServerView.fields))

    static let arguments: [Argument<Options>] = [.server(\.$name)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        try await attempt(
            awaiting: await context.directory.update { list throws(AccountError) in
                try list.use(record.id)
            })
        try context.report(
            ServerRow(record: record, isDefault: true), with: printer,
            "'\(record.name)' is now the default server")
    }
}
