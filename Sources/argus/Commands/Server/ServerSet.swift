import ArgusKit
import CommandLineKit

enum ServerSet: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var relays: [String] = []
        var locals: [String] = []
        var fingerprint: Fingerprint?
        var store: StoreArgument?
        var readsRelayHeaders = false
        var skipsCheck = false
    }

    static let about = CommandInfo(
        name: "set", summary: "Set the addresses of a server, and where its secrets are kept",
        description: """
            A server may have several addresses: local ones, and relays that lead there from
            elsewhere. argus uses the first that proves itself, local ones by preference;
            \(flag: "via") insists on a kind. Credentials go to all of them, so each has its own
            proof: the public certificate of its host, or the certificate with
            \(flag: "fingerprint"). A relay needs https.

            A new relay is kept once it has proved itself and leads to this server: argus compares
            an event's frames, and sends the relay no credentials. If it cannot check that, it
            prompts; \(flag: "no-check") keeps relays without connecting to them.

            New addresses replace all of their kind, and an empty one (\(code: "--relay ''"))
            removes them. Addresses that the server already has keep their proof and files;
            \(flag: "fingerprint"), \(flag: "cacert"), \(flag: "cert") and \(flag: "key") are for
            new ones. If none is new, they are for those that are named, provided the server has no
            other of their kind; a fingerprint is for the addresses that must show it already, if
            there are any.

            \(flag: "relay-header-stdin") reads lines of \(code: "Name: value") for the gateway
            before a relay; no other address gets them. With several relays, a line such as
            \(code: "[https://relay.example]") names the one for the fields below it; relays that
            are not named keep theirs.

            \(flag: "store") moves the sign-in and a remembered password to \(code: "file"),
            \(code: "secret-service") or \(code: "helper:NAME"). The old place is emptied only when
            the new one has returned everything. See \(topic: "credentials").
            """,
        examples: [
            "argus server set home --relay https://relay.example/home":
                "Add a relay",
            "argus server set home --relay https://relay.example --relay https://r2.example":
                "Have two relays: whichever works is used",
            "argus server set home --relay ''": "Have none any more",
            "argus events list --via relay": "Use it and nothing else",
            "argus server set home --relay-header-stdin < fields":
                "A header field for the gateway before the relay",
            "argus server set home --store secret-service": "Use the desktop's keyring",
        ],
        exitStatuses: .requests(3), prints: .objects(ServerView.fields))

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
        .toggle("no-check", sets: \.skipsCheck, "Keep relays without connecting to them"),
    ]

    static let arguments: [Argument<Options>] = [.server(\.$name)]

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
        let set = try await attempt(
            awaiting: await EndpointChange.plan(
                [(.local, options.locals), (.relay, options.relays)], of: record,
                showing: options.fingerprint?.certificate, by: connector))
        let planned = try attempt(record.changed(by: set))
        let headers = try relayHeaders(options, for: planned, in: context)
        let check = RelayCheck(of: record, connector, in: context)
        if !options.skipsCheck { try await check.run(set, sending: headers) }
        var (changed, forgotten) = try await attempt(
            awaiting: await context.secrets.change(record, by: set, sending: headers))
        forgotten.forEach { context.console.notice("the header fields for \($0) are forgotten") }
        set.flatMap(\.losses).forEach(context.console.notice)
        var facts = set.map(\.words)
        if headers != nil { facts.append("sends these header fields to its relay") }
        if let kind = options.store?.kind {
            changed = try await attempt(awaiting: await context.secrets.move(changed, to: kind))
            facts.append("has its secrets in the \(kind.name)")
        }
        try context.report(
            known.row(of: changed), with: printer,
            "'\(record.name)' \(facts.joined(separator: " and "))")
    }

    /// Reads the header fields for the relays of a server from stdin, with `--relay-header-stdin`.
    ///
    /// - Throws: `Failure` 2 for invalid fields, or if their relay is ambiguous.
    private static func relayHeaders(
        _ options: Options, for planned: ServerRecord, in context: Context
    ) throws(Failure) -> RelayHeaders? {
        guard options.readsRelayHeaders else { return nil }
        guard !planned.relays.isEmpty else {
            throw RelayHeaderError.noRelay(server: planned.name).failure
        }
        let text = try context.console.secretFromStdin(.lines).reveal()
        return try attempt(RelayHeaders(parsing: text, for: planned.relays, of: planned.name))
    }
}

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
