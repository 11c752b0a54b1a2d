import ArgusAccount
import CommandLineKit

enum ServerRename: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        @Required var newName: String
    }

    static let about = CommandInfo(
        name: "rename", summary: "Rename a server", effect: .changes,
        examples: ["argus server rename home cottage": "Call 'home' 'cottage'"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(ServerView.fields))

    static let arguments: [Argument<Options>] = [
        .server(\.$name),
        .required("NEW", sets: \.$newName, "Letters, digits, '.', '_' and '-'"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        let isDefault = try await attempt(
            awaiting: await context.directory.update { list throws(AccountError) in
                try list.change(record.id) { $0.name = options.newName }
                return list.defaultServer?.id == record.id
            })
        var renamed = record
        renamed.name = options.newName
        try context.report(
            ServerRow(record: renamed, isDefault: isDefault), with: printer,
            "'\(record.name)' is now called '\(renamed.name)'")
    }
}
