import ArgusKit
import CommandLineKit

/// The command `argus server set`.
enum ServerSet: ArgusCommand {
    struct Options: Sendable, Equatable {
        var name = ""
        var relay: String?
        var local: String?
        var fingerprint: Fingerprint?
        var store: StoreArgument?
        var readsRelayHeaders = false
    }

    static let about = CommandInfo(
        name: "set", summary: "Set the addresses of a server, and where its secrets are kept",
        paragraphs: [
            """
            A server may have two: one in the home network and one of a relay that leads there \
            from elsewhere; \(flag: "via") chooses, and the first is used otherwise. An address \
            takes the place of the earlier one of its kind. Credentials go to both, so each has \
            its own proof: the public certificate of its host, or the key of the certificate with \
            \(flag: "fingerprint"). A relay is reached over https only.
            """,
            """
            \(flag: "store") moves the sign-in, and a remembered password, to another place: \
            \(code: "file"), \(code: "secret-service") or \(code: "helper:NAME"). The old place is \
            emptied only when the new one has given everything back. See \(topic: "credentials").
            """,
        ],
        examples: [
            Example(
                "argus server set home --relay https://relay.example/home",
                "Add the way through a relay"),
            Example("argus events list --via relay", "Use it and nothing else"),
            Example(
                "argus server set home --relay-header-stdin < fields",
                "What the gateway before the relay wants to see"),
            Example("argus server set home --store secret-service", "Use the desktop's keyring"),
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .option("local", value: "URL", sets: \.local, "Its address in the home network"),
        .option("relay", value: "URL", sets: \.relay, "Its address behind a relay"),
        .fingerprint(\.fingerprint),
        .option("store", sets: \.store, "Use file, secret-service or helper:NAME"),
        .toggle(
            "relay-header-stdin", sets: \.readsRelayHeaders,
            "Read the relay's header fields from stdin"),
    ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.name, "A server's name or id").completing(.dynamic("servers"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        let hasAddress = options.local != nil || options.relay != nil
        guard hasAddress || options.store != nil || options.readsRelayHeaders else {
            throw UsageError("give --local, --relay or --store")
        }
        if options.fingerprint != nil, !hasAddress {
            throw UsageError("--fingerprint needs --local or --relay")
        }
        if options.fingerprint != nil, options.local != nil, options.relay != nil {
            throw UsageError("a fingerprint belongs to one address; set them one by one")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(options.name, in: known)
        var ways: [ServerWay] = []
        for (kind, text) in [(ServerWay.Kind.local, options.local), (.relay, options.relay)] {
            guard let text else { continue }
            ways.append(
                try await context.proved(kind, text, options.fingerprint, of: record))
        }
        let set = ways
        var changed = try await context.changeServers { list throws(ServerListError) in
            try list.change(record.id) { record in
                for way in set { record.set(way) }
            }
            return list[record.id] ?? record
        }
        if let store = options.store {
            changed = try await context.moveSecrets(of: changed, to: store.kind)
        }
        if options.readsRelayHeaders { try await context.keepRelayHeaders(of: changed) }
        let addresses = set.map { "\($0.kind.rawValue) \($0.address)" }.joined(separator: ", ")
        let facts =
            (set.isEmpty ? [] : ["is reached by \(addresses)"])
            + (options.readsRelayHeaders ? ["sends these header fields to its relay"] : [])
            + (options.store.map { ["has its secrets in the \($0.kind.name)"] } ?? [])
        try context.report(
            ServerRow(record: changed, isDefault: record.id == known.defaultServer?.id),
            with: printer, "'\(record.name)' \(facts.joined(separator: " and "))")
    }
}

extension Context {
    /// Keeps the header fields on stdin for a server's relay.
    fileprivate func keepRelayHeaders(of record: ServerRecord) async throws(Failure) {
        guard record.ways.contains(where: { $0.kind == .relay }) else {
            throw Failure(.usage, "'\(record.name)' has no relay; give --relay too")
        }
        let text = try secretFromStdin(.lines)
        guard RelayHeaderText.parse(text.reveal()) != nil else {
            throw Failure(
                .usage, "standard input does not hold header fields that may be set",
                hint: "a line each, such as 'CF-Access-Client-Id: …'")
        }
        do throws(CredentialStoreError) {
            try await presentStore(of: record).keep(relayHeaders: text, of: record.id)
        } catch {
            throw Failure(error)
        }
    }

    /// A new way with its proof; only a fingerprint makes argus connect.
    fileprivate func proved(
        _ kind: ServerWay.Kind, _ text: String, _ fingerprint: Fingerprint?,
        of record: ServerRecord
    ) async throws(Failure) -> ServerWay {
        let address = try parse(text)
        guard kind == .local || address.origin.scheme == .https else {
            throw Failure(
                .identity, "a relay is reached over https only, not by \(address)",
                reason: "plain_http")
        }
        try check(address, record.plainHTTPAllowances)
        var way = newWay(kind, address)
        if way.proof != .plain { rememberFiles(for: &way) }
        guard let fingerprint else { return way }
        guard way.proof != .plain else {
            throw Failure(.usage, "--fingerprint needs an address with https")
        }
        let newcomer = Newcomer(
            name: record.name, client: try client(for: address, by: way), way: way)
        let seen = try await certificate(of: newcomer, showing: fingerprint.certificate)
        return trusting(seen, newcomer).way
    }
}

/// A place for secrets on the command line.
struct StoreArgument: ArgumentValue, Equatable {
    static var placeholder: String { "STORE" }
    static var completion: Completion { .dynamic("stores") }

    var kind: CredentialStoreKind

    init(argument: String) throws(ValueError) {
        guard let kind = CredentialStoreKind(argument) else {
            throw ValueError("is not file, secret-service or helper:NAME")
        }
        self.kind = kind
    }
}
