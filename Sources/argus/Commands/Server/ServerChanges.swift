import ArgusKit
import CommandLineKit

/// The command `argus server use`.
enum ServerUse: ArgusCommand {
    static let about = CommandInfo(
        name: "use", summary: "Use a server when none is named",
        examples: [Example("argus server use home", "Commands without --server go to 'home'")],
        exitStatuses: [0, 1, 2, 3], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = ServerNameOptions()
    static let arguments = ServerNameOptions.arguments

    static func run(_ options: ServerNameOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        try await context.changeServers { list throws(ServerListError) in try list.use(record.id) }
        try context.report(
            ServerRow(record: record, isDefault: true), with: printer,
            "'\(record.name)' is used when no server is named")
    }
}

/// The command `argus server rename`.
enum ServerRename: ArgusCommand {
    struct Options: Sendable, Equatable {
        @Required var name: String
        @Required var newName: String
    }

    static let about = CommandInfo(
        name: "rename", summary: "Give a server another name",
        examples: [Example("argus server rename home cottage", "Call 'home' 'cottage'")],
        exitStatuses: [0, 1, 2, 3], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "A server's name or id").completing(.dynamic("servers")),
        .required("NEW", sets: \.$newName, "Letters, digits, '.', '_' and '-'"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        let isDefault = try await context.changeServers { list throws(ServerListError) in
            try list.rename(record.id, to: options.newName)
            return list.defaultServer?.id == record.id
        }
        var renamed = record
        renamed.name = options.newName
        try context.report(
            ServerRow(record: renamed, isDefault: isDefault), with: printer,
            "'\(record.name)' is called '\(renamed.name)' now")
    }
}

/// The command `argus server remove`.
enum ServerRemove: ArgusCommand {
    static let about = CommandInfo(
        name: "remove", summary: "Forget a server and its credentials",
        paragraphs: [
            """
            Nothing is told to the server: \(command: "logout") ends the session there first.
            """
        ],
        examples: [Example("argus server remove cottage", "Forget 'cottage'")],
        exitStatuses: [0, 1, 2, 3], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let needsPassphrase = false
    static let defaults = ServerNameOptions()
    static let arguments = ServerNameOptions.arguments

    static func run(_ options: ServerNameOptions, in context: Context) async throws(Failure) {
        let context = context.forgetting
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let record = try context.knownServer(options.name, in: try context.knownServers())
        try context.expectWritableState()
        let secretsLeft: CredentialStoreError?
        do throws(ServerDirectoryError) {
            secretsLeft = try await context.secrets.remove(record)
        } catch {
            throw Failure(error)
        }
        if record.credentialStore == .file, let problem = context.secrets.stores.ignoredProblem {
            context.warn("\(problem); it was not needed")
        }
        context.forgetCache(of: record)
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

/// The operand of commands about one known server.
struct ServerNameOptions: Sendable, Equatable {
    @Required var name: String

    static let arguments: [Argument<ServerNameOptions>] = [
        .required("NAME", sets: \.$name, "A server's name or id").completing(.dynamic("servers"))
    ]
}
