import ArgusKit
import CommandLineKit

/// The command `argus server set`.
enum ServerSet: ArgusCommand {
    struct Options: Sendable, Equatable {
        var name = ""
        var relay: String?
        var local: String?
        var fingerprint: Fingerprint?
    }

    static let about = CommandInfo(
        name: "set", summary: "Set the addresses by which a server is reached",
        paragraphs: [
            """
            A server may have two: one in the home network and one of a relay that leads there \
            from elsewhere; \(flag: "via") chooses, and the first is used otherwise. An address \
            takes the place of the earlier one of its kind. Credentials go to both, so each has \
            its own proof: the public certificate of its host, or the key of the certificate with \
            \(flag: "fingerprint"). A relay is reached over https only.
            """
        ],
        examples: [
            Example(
                "argus server set home --relay https://relay.example/home",
                "Add the way through a relay"),
            Example("argus events list --via relay", "Use it"),
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], fields: ServerView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .option("local", value: "URL", sets: \.local, "Its address in the home network"),
        .option("relay", value: "URL", sets: \.relay, "Its address behind a relay"),
        .fingerprint(\.fingerprint),
    ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.name, "A server's name or id").completing(.dynamic("servers"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        guard options.local != nil || options.relay != nil else {
            throw UsageError("give --local or --relay")
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
        let changed = try await context.changeServers { list throws(ServerListError) in
            try list.change(record.id) { record in
                for way in set { record.set(way) }
            }
            return list[record.id] ?? record
        }
        let words = set.map { "\($0.kind.rawValue) \($0.address)" }.joined(separator: ", ")
        try context.report(
            ServerRow(record: changed, isDefault: record.id == known.defaultServer?.id),
            with: printer, "'\(record.name)' is reached by \(words)")
    }
}

extension Context {
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
        if way.proof != .plain { way.authorities = authoritiesToKeep }
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
