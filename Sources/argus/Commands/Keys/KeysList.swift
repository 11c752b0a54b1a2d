import ArgusAccount
import ArgusCore
import ArgusKit
import ArgusTransport
import CommandLineKit

enum KeysList: ArgusCommand {
    struct Options: VerbOptions {
        var includesRevoked = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the API keys of the server", effect: .reads,
        description: """
            Today's servers list the keys of all users. The secret part of a key is never shown.
            """,
        examples: [
            "argus keys": "Those that work",
            "argus keys --revoked": "Those that were revoked too",
        ],
        exitStatuses: .requests(.malformedRow), prints: .lists(KeyView.fields))

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

extension SignedInServer {
    func keys(withRevoked: Bool) async throws(Failure) -> ListedRows<APIKey> {
        try await attempt("list API keys", await session.call(APIKeyRoutes.list, withRevoked))
    }
}

extension ListedRows<APIKey> {
    /// The key with an id, a name, a prefix of an id, or the prefix that lists show; revoked keys
    /// do not make a name ambiguous.
    func named(_ word: String) throws(Failure) -> Element {
        if let known = first(where: { $0.value.prefix == word }) { return known }
        var found = NameLookup.find(word, in: Array(self), id: \.value.id, name: \.value.name)
        if found.count > 1 {
            let active = filter { $0.value.isActive != false && $0.value.revokedAt == nil }
            found = NameLookup.find(word, in: active, id: \.value.id, name: \.value.name)
        }
        let key = NamedThing(one: "API key", several: "keys", listHint: "'argus keys' lists them")
        return try found.expectOne(word, key) { "\($0.value.id) (\($0.value.prefix ?? ""))" }
    }
}
