import ArgusKit
import CommandLineKit

/// The command `argus keys revoke`.
enum KeysRevoke: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End API keys",
        description: "A key that was revoked is refused from the next request on.",
        examples: [
            "argus keys revoke cron": "By its name",
            "argus keys revoke argus_1a2b3c4d...": "By the beginning that the list shows",
        ],
        exitStatuses: .requests(3, 11), prints: .lists(KeyView.fields))

    static let arguments: [Argument<Options>] = [
        .repeated(
            "KEY", atLeast: 1, appends: \.words,
            "A key's name, id, start of an id, or the prefix that the list shows")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: KeyView.fields, .rows(options.words.count))
        let server = try await context.server()
        let rows = try await server.keys(withRevoked: true)
        var outcome = BatchResult()
        for word in options.words {
            try await outcome.collect(word) { () async throws(Failure) in
                let key = try rows.values.named(word)
                try await server.attempt(
                    "revoke the key", await server.session.call(APIKeyRoutes.revoke, key.id))
                guard try context.isForMachines() else {
                    return context.notice("the key '\(key.name ?? key.id)' is revoked")
                }
                var revoked = key
                revoked.isActive = false
                revoked.revokedAt = key.revokedAt ?? context.now()
                try printer.write(revoked, raw: rows.first { $0.value.id == key.id }?.view)
            }
        }
        if try context.isForMachines() { try printer.finish() }
        try outcome.finish()
    }
}
