import ArgusKit
import CommandLineKit

enum KeysRevoke: ArgusCommand {
    static let about = CommandInfo(
        name: "revoke", summary: "End API keys",
        description: "A key that was revoked is refused from the next request on.",
        examples: [
            "argus keys revoke cron": "By its name",
            "argus keys revoke argus_1a2b3c4d...": "By the beginning that the list shows",
        ],
        exitStatuses: .requests(3, 11), prints: .lists(KeyView.fields))

    static let arguments: [Argument<Operands>] = [
        .repeated(
            "KEY", atLeast: 1, appends: \.words,
            "A key's name, id, start of an id, or the prefix that the list shows"
        )
        .completing(.dynamic("api-keys"))
    ]

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: KeyView.fields, .rows(options.words.count))
        let server = try await context.server()
        let rows = try await server.keys(withRevoked: true)
        context.cache(for: server)?.remember(keys: rows.values)
        try await context.reportEach(options.words, id: { $0 }, with: printer) {
            word async throws(Failure) in
            var key = try rows.values.named(word)
            try await server.attempt(
                "revoke the key", await server.session.call(APIKeyRoutes.revoke, key.id))
            key.isActive = false
            key.revokedAt = key.revokedAt ?? context.now()
            let view = rows.first { $0.value.id == key.id }?.view
            return (key, view, "the key '\(key.name ?? key.id)' is revoked")
        }
    }
}
