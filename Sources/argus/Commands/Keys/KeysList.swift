import ArgusKit
import CommandLineKit

enum KeysList: ArgusCommand {
    struct Options: VerbOptions {
        var includesRevoked = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the API keys of the server",
        description: """
            Today's servers list the keys of all users. The list never shows the secret part of a
            key.
            """,
        examples: [
            "argus keys": "Those that work",
            "argus keys --revoked": "Those that were revoked too",
        ],
        exitStatuses: .requests(ExitStatus(12, "A row of the list was malformed")),
        prints: .lists(KeyView.fields))

    static let flags: [Flag<Options>] = [
        .toggle("revoked", sets: \.includesRevoked, "Include keys that were revoked")
    ]

    static let takesSeveralServers = true

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: KeyView.fields, .list)
        let keys = try await server.keys(withRevoked: options.includesRevoked)
        context.cache(for: server)?.remember(keys: keys.values)
        try printer.writeList(
            keys, of: ("key", "keys"), on: server,
            whenEmpty: "there are no API keys on '\(server.name)'")
    }
}
