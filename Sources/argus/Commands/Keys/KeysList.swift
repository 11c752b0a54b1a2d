import ArgusKit
import CommandLineKit

/// The command `argus keys list`.
enum KeysList: ArgusCommand {
    struct Options: Sendable, Equatable {
        var includesRevoked = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the API keys of the server",
        paragraphs: ["Today's servers show everybody's keys. A key's secret is never shown again."],
        examples: [
            Example("argus keys", "Those that work"),
            Example("argus keys --revoked", "Those that were revoked too"),
        ],
        exitStatuses: ExitStatus.requests(ExitStatus(12, "A row of the list was no key")),
        fields: KeyView.fields.infos(),
        formats: OutputFormat.lists)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .toggle("revoked", sets: \.includesRevoked, "Include keys that were revoked")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: KeyView.fields, .list)
        let server = try await context.server()
        let keys = try await server.keys(withRevoked: options.includesRevoked)
        for (key, view) in keys {
            try printer.write(key, raw: view)
        }
        try printer.finish(whenEmpty: "there are no API keys on '\(server.name)'")
        try server.expectNoUnreadableRows(keys.unreadableRows, of: ("key", "keys"))
    }
}

extension SignedInServer {
    /// Every API key with the server's own words for it.
    func keys(withRevoked: Bool) async throws(Failure) -> ListedRows<APIKey> {
        try await attempt("list API keys") { () async throws(APIError) in
            try await session.call(APIKeyRoutes.list, withRevoked)
        }
    }
}

/// The command `argus keys revoke`.
enum KeysRevoke: ArgusCommand {
    struct Options: Sendable, Equatable {
        var words: [String] = []
    }

    static let about = CommandInfo(
        name: "revoke", summary: "End API keys",
        paragraphs: ["A key that was revoked is refused from the next request on."],
        examples: [
            Example("argus keys revoke cron", "By its name"),
            Example("argus keys revoke argus_1a2b3c4d...", "By the beginning that the list shows"),
        ],
        exitStatuses: ExitStatus.requests(3, 11), fields: KeyView.fields.infos(),
        formats: OutputFormat.lists)

    static let defaults = Options()

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
                try await server.attempt("revoke the key") { () async throws(APIError) in
                    try await server.session.call(APIKeyRoutes.revoke, key.id)
                }
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

extension [APIKey] {
    /// The key of an id, a name, the beginning of an id, or the prefix that lists show; of several
    /// with one name, those that were revoked do not count.
    fileprivate func named(_ word: String) throws(Failure) -> APIKey {
        if let known = first(where: { $0.prefix == word }) { return known }
        var found = NameLookup.find(word, in: self, id: \.id, name: \.name)
        if case .several = found {
            let active = filter { $0.isActive != false && $0.revokedAt == nil }
            found = NameLookup.find(word, in: active, id: \.id, name: \.name)
        }
        switch found {
        case .one(let key): return key
        case .none:
            throw Failure(
                .notFound, "there is no API key \(word.inQuotes)", hint: "'argus keys' shows them")
        case .several(let keys):
            let candidates = keys.map { "\($0.id) (\($0.prefix ?? ""))" }
            throw Failure(
                .usage,
                "\(word.inQuotes) names several keys: \(candidates.joined(separator: ", "))",
                hint: "give the whole id")
        }
    }
}
