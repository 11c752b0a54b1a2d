import ArgusKit
import CommandLineKit

/// The command `argus server set`.
enum ServerSet: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var relays: [String] = []
        var locals: [String] = []
        var fingerprint: Fingerprint?
        var store: StoreArgument?
        var readsRelayHeaders = false
    }

    static let about = CommandInfo(
        name: "set", summary: "Set the addresses of a server, and where its secrets are kept",
        description: """
            A server may have several: in the home network, and of relays that lead there from
            elsewhere; the first that proves itself is used, a local one by preference, and
            \(flag: "via") insists on a kind. Credentials go to all of them, so each has its own
            proof: the public certificate of its host, or the key of the certificate with
            \(flag: "fingerprint"). A relay is reached over https only.

            The addresses that are given take the place of all earlier ones of their kind, and an
            empty one (\(code: "--relay ''")) takes them away. Those that the server has already
            keep what they must prove and their files; \(flag: "fingerprint"), \(flag: "cacert"),
            \(flag: "cert") and \(flag: "key") are for the new ones. Where none is new, they are for
            those that are named, if the server has no other of their kind; a fingerprint is for the
            addresses that must show it already, if there are such.

            \(flag: "relay-header-stdin") reads lines of \(code: "Name: value") for the gateway
            before a relay, and no other address is sent them. Where there are several relays, a
            line such as \(code: "[https://relay.example]") before the fields says for which they
            are; the fields of a relay that is not named stay.

            \(flag: "store") moves the sign-in, and a remembered password, to another place:
            \(code: "file"), \(code: "secret-service") or \(code: "helper:NAME"). The old place is
            emptied only when the new one has given everything back. See \(topic: "credentials").
            """,
        examples: [
            "argus server set home --relay https://relay.example/home":
                "Add the way through a relay",
            "argus server set home --relay https://relay.example --relay https://r2.example":
                "Have two relays: whichever works is used",
            "argus server set home --relay ''": "Have none any more",
            "argus events list --via relay": "Use it and nothing else",
            "argus server set home --relay-header-stdin < fields":
                "What the gateway before the relay wants to see",
            "argus server set home --store secret-service": "Use the desktop's keyring",
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], prints: .objects(ServerView.fields))

    static let flags: [Flag<Options>] = [
        .repeatable(
            "local", value: "URL", appends: \.locals, "An address in the home network; repeatable"),
        .repeatable(
            "relay", value: "URL", appends: \.relays, "An address behind a relay; repeatable"),
        .fingerprint(\.fingerprint),
        .option("store", sets: \.store, "Use file, secret-service or helper:NAME"),
        .toggle(
            "relay-header-stdin", sets: \.readsRelayHeaders,
            "Read the relay's header fields from stdin"),
    ]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "A server's name or id").completing(.dynamic("servers"))
    ]

    static func validate(_ options: Options) throws(UsageError) {
        let given = [("--local", options.locals), ("--relay", options.relays)]
            .filter { !$0.1.isEmpty }
        guard !given.isEmpty || options.store != nil || options.readsRelayHeaders else {
            throw UsageError("give --local, --relay or --store")
        }
        for (name, words) in given where words.contains("") && words.count > 1 {
            throw UsageError("an empty \(name) takes them all away; give no other with it")
        }
        guard options.fingerprint != nil else { return }
        guard given.contains(where: { $0.1 != [""] }) else {
            throw UsageError("--fingerprint needs --local or --relay")
        }
        if given.count > 1 {
            throw UsageError("a fingerprint is for addresses of one kind; set them one by one")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(options.name, in: known)
        let connector = try context.connector()
        let set = try await Failure.explaining(
            try await EndpointChange.plan(
                [(.local, options.locals), (.relay, options.relays)], of: record,
                showing: options.fingerprint?.certificate, by: connector))
        let planned = try attempt(record.changed(by: set))
        let headers =
            try options.readsRelayHeaders
            ? context.relayHeadersFromStdin(of: record.name, for: planned.relays) : nil
        var changed = try await context.changeRelays(
            of: record, to: planned.relays, sending: headers,
            { () async throws(Failure) in try await change(record.id, by: set, in: context) })
        set.flatMap(\.losses).forEach(context.notice)
        var facts = set.map(\.words)
        if headers != nil { facts.append("sends these header fields to its relay") }
        if let store = options.store {
            changed = try await move(changed, to: store.kind, in: context)
            facts.append("has its secrets in the \(store.kind.name)")
        }
        try context.report(
            ServerRow(record: changed, isDefault: record.id == known.defaultServer?.id),
            with: printer, "'\(record.name)' \(facts.joined(separator: " and "))")
    }

    /// Moves the secrets of a server to another store.
    private static func move(
        _ record: ServerRecord, to kind: CredentialStoreKind, in context: Context
    ) async throws(Failure) -> ServerRecord {
        return try await attempt(awaiting: await context.secrets.move(record, to: kind))
    }

    /// Changes the endpoints of a known server, as another process may have left it by now.
    private static func change(
        _ id: ServerID, by changes: [EndpointChange], in context: Context
    ) async throws(Failure) -> ServerRecord {
        let result = try await context.changeServers {
            list throws(ServerListError) -> Result<ServerRecord, ServerError> in
            guard let present = list[id] else { throw ServerListError.unknown(id) }
            let result = Result { () throws(ServerError) in try present.changed(by: changes) }
            if case .success(let changed) = result { try list.change(id) { $0 = changed } }
            return result
        }
        return try attempt(result.get())
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
