import ArgusAccount
import ArgusKit
import ArgusTransport
import CommandLineKit

enum KeysRevoke: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var isDryRun = false
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End API keys", effect: .deletes,
        description: """
            The server refuses a revoked key at once.
            """,
        examples: [
            "argus keys revoke cron": "By its name",
            "argus keys revoke cron --dry-run": "Show which key that is",
            "argus keys revoke argus_1a2b3c4d...": "By the beginning that the list shows",
        ],
        exitStatuses: .requests(3, 11), prints: .lists(KeyView.fields))

    static let flags: [Flag<Options>] = [.dryRun(\.isDryRun, "revoked")]

    static let arguments: [Argument<Options>] = [
        .repeated(
            "KEY", atLeast: 1, appends: \.words,
            "A key's name, id, start of an id, or the prefix that the list shows"
        )
        .completing(.dynamic("api-keys"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: KeyView.fields, .rows(options.words.count))
        let server = try await context.server()
        let rows = try await server.keys(withRevoked: true)
        context.cache(for: server)?.remember(keys: rows.values)
        let isDryRun = options.isDryRun
        try await context.reportEach(
            options.words, id: { $0 }, isDryRun: isDryRun, with: printer
        ) { word async throws(Failure) in
            let (found, view) = try rows.named(word)
            var key = found
            if !isDryRun {
                try await server.attempt(
                    "revoke the key", await server.session.call(APIKeyRoutes.revoke, key.id))
                key.isActive = false
                key.revokedAt = key.revokedAt ?? context.now()
            }
            return (key, view, "the key '\(key.name ?? key.id)' is revoked")
        }
    }
}
