import ArgusAccount
import ArgusCore
import ArgusTransport
package import CommandLineKit

enum ServerSet: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var relays: [String] = []
        var locals: [String] = []
        var dashboard: DashboardAddress?
        var fingerprint: CertificateFingerprint?
        var store: CredentialStoreKind?
        var readsRelayHeaders = false
        var skipsCheck = false
    }

    static let about = CommandInfo(
        name: "set", summary: "Set a server's addresses and its credential store", effect: .changes,
        description: """
            A server may have several addresses: local ones, and relays for use elsewhere. argus
            uses the first that proves its identity, and prefers local ones; \(flag: "via")
            chooses a kind. Each address needs its own proof: a public certificate, or that of
            \(flag: "fingerprint"). A relay needs https.

            argus stores a new relay once it has proved its identity and leads to this server:
            argus compares the frames of an event, without credentials. If it cannot check that,
            it asks; \(flag: "no-check") stores relays without connecting to them.

            New addresses replace all others of their kind; an empty one (\(code: "--relay ''"))
            removes them. Addresses that stay keep their proof and files. \(flag: "fingerprint"),
            \(flag: "cacert"), \(flag: "cert") and \(flag: "key") apply to new addresses. To
            change the fingerprint or files of an existing address, name all addresses of its
            kind.

            \(flag: "relay-header-stdin") reads lines such as \(code: "Name: value") for the
            gateway in front of a relay; only that relay gets them. With several relays, a line
            such as \(code: "[https://relay.example]") names the relay of the lines that follow.
            Other relays keep their header fields.

            \(flag: "dashboard") is the address of the web pages that \(code: "--web") opens; an
            empty one removes it. Without it, and without \(code: "dashboard_url") in the
            configuration, argus tries port 3000 of the server's host, then the host without the
            port of the API.

            \(flag: "store") moves the sign-in and a remembered password to \(code: "file"),
            \(code: "secret-service") or \(code: "helper:NAME"). argus empties the old store after
            it has read everything back from the new one. See \(topic: "credentials").
            """,
        examples: [
            "argus server set home --relay https://relay.example/home":
                "Add a relay",
            "argus server set home --relay https://relay.example --relay https://r2.example":
                "Use whichever of two relays works",
            "argus server set home --relay ''": "Remove all relays",
            "argus events list --via relay": "Use only the relay",
            "argus server set home --relay-header-stdin < fields":
                "A header field for the gateway before the relay",
            "argus server set home --dashboard https://cameras.example":
                "Where --web finds events and cameras",
            "argus server set home --store secret-service": "Use the desktop's keyring",
        ],
        exitStatuses: .requests(3), prints: .objects(ServerView.fields))

    static let flags: [Flag<Options>] = [
        .repeatable("local", value: "URL", appends: \.locals, "An address in the home network"),
        .repeatable("relay", value: "URL", appends: \.relays, "An address of a relay"),
        .option("dashboard", value: "URL", sets: \.dashboard, "The address of its web pages"),
        .fingerprint(\.fingerprint),
        .option("store", sets: \.store, "Use file, secret-service or helper:NAME"),
        .toggle(
            "relay-header-stdin", sets: \.readsRelayHeaders,
            "Read header fields for the relay from stdin"),
        .toggle("no-check", sets: \.skipsCheck, "Store relays without connecting to them"),
    ]

    static let arguments: [Argument<Options>] = [.server(\.$name)]

    static func validate(_ options: Options) throws(UsageError) {
        let given = [("--local", options.locals), ("--relay", options.relays)]
            .filter { !$0.1.isEmpty }
        guard
            !given.isEmpty || options.dashboard != nil || options.store != nil
                || options.readsRelayHeaders
        else { throw UsageError("give --local, --relay, --dashboard or --store") }
        for (name, words) in given where words.contains("") && words.count > 1 {
            throw UsageError("an empty \(name) removes all of them; do not give another with it")
        }
        guard options.fingerprint != nil else { return }
        guard given.contains(where: { $0.1 != [""] }) else {
            throw UsageError("--fingerprint needs --local or --relay")
        }
        if given.count > 1 {
            throw UsageError("a fingerprint applies to addresses of one kind; set them one by one")
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
                showing: options.fingerprint, by: connector))
        let planned = try attempt(record.changed(by: set))
        let headers = try relayHeaders(options, for: planned, in: context)
        let check = RelayCheck(record: record, connector: connector, context: context)
        if !options.skipsCheck { try await check.run(set, sending: headers) }
        var (changed, forgotten) = try await attempt(
            awaiting: await context.secrets.changeEndpoints(of: record, by: set, sending: headers))
        forgotten.forEach { context.console.notice("removed the header fields for \($0)") }
        set.flatMap(\.losses).forEach(context.console.notice)
        var facts = set.map(\.words)
        if headers != nil { facts.append("sends these header fields to its relay") }
        if let dashboard = options.dashboard {
            try await attempt(
                awaiting: await context.directory.update { list throws(AccountError) in
                    try list.change(record.id) { $0.dashboard = dashboard.address }
                })
            changed.dashboard = dashboard.address
            facts.append(
                dashboard.address.map { "has its web pages at \($0)" }
                    ?? "no longer has an address of its web pages")
        }
        if let kind = options.store {
            changed = try await attempt(awaiting: await context.secrets.move(changed, to: kind))
            facts.append("has its secrets in the \(kind.name)")
        }
        try context.report(
            known.row(of: changed), with: printer,
            "'\(record.name)' \(facts.joined(separator: " and "))")
    }

    /// Reads the header fields for the relays of a server from stdin, with `--relay-header-stdin`.
    private static func relayHeaders(
        _ options: Options, for planned: ServerRecord, in context: Context
    ) throws(Failure) -> RelayHeaders? {
        guard options.readsRelayHeaders else { return nil }
        guard !planned.relays.isEmpty else {
            throw Failure(ServerError.noRelay(server: planned.name))
        }
        let text = try context.console.secretFromStdin(.lines).reveal()
        return try attempt(RelayHeaders(parsing: text, for: planned.relays, of: planned.name))
    }
}

extension CredentialStoreKind: ArgumentValue {
    package static var placeholder: String { "STORE" }
    package static var completion: Completion { .dynamic("stores") }

    package init(argument: String) throws(ValueError) {
        guard let kind = Self(argument) else {
            throw ValueError("is not file, secret-service or helper:NAME")
        }
        self = kind
    }
}

/// The address of a server's web pages, or an empty word for none.
struct DashboardAddress: ArgumentValue, Equatable {
    static var placeholder: String { "URL" }

    var address: ServerAddress?

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty else { return }
        do throws(ServerAddressError) {
            address = try ServerAddress(parsing: argument)
        } catch {
            throw ValueError("is no address of web pages: \(error)")
        }
    }
}
