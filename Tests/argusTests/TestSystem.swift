import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush
@testable import ArgusTransport

/// A world of a test's own: a folder for its state, a server that answers from a script, a clock
/// that stands still, and streams in memory.
final class TestSystem {
    /// 2026-11-21, 12:00:00 UTC.
    static let now = Timestamp(seconds: 1_795_262_400)

    static let machine = Redacted(String(repeating: "0", count: 32))

    let folder: TemporaryFolder
    let fake = FakeTransport()
    let waits = MessageLog()
    /// The origins whose certificate was looked at, which is a connection.
    let looks = MessageLog()
    let paths: Paths
    private let out = ByteSink.memory()
    private let err = ByteSink.memory()
    var environment = ["TZ": "UTC"]
    /// What its clock says.
    var time = TestSystem.now
    var terminal = Terminal.none
    /// True if stderr goes to stdout, as on a terminal.
    var joinsStreams = false
    var network = NetworkIdentity(gateways: [.init(interface: "eth0", mac: "02:00:00:00:00:01")])

    /// Makes the world; `state` is another state folder than the test's own.
    init(state: String? = nil) throws {
        folder = try TemporaryFolder()
        paths = Paths(
            configuration: .folder(folder.path), state: .folder(state ?? folder.file("state")),
            cache: .folder(folder.file("cache")))
    }

    /// The servers that a search of the network finds.
    var browser = ScriptedBrowser([], failing: .noDaemon)

    /// What the terminal reports about pictures.
    var graphics = TerminalGraphics()

    /// What stands for the desktop's keyring; nil is the real one.
    var keyring: (any CredentialStore)?

    /// What has been printed so far.
    var stdout: String { out.text }
    var stderr: String { err.text }

    /// The world as a run of argus sees it.
    var system: SystemEnvironment {
        let (fake, waits, network, time) = (fake, waits, network, time)
        let transport = RecordingTransport(base: fake, looks: looks)
        var system = SystemEnvironment(
            environment: Environment(environment), paths: paths,
            streams: Streams(out: out, err: joinsStreams ? out : err, terminal: terminal),
            now: { time },
            sleep: { waits.add("\($0)") }, makeTransport: { _, _ in transport },
            network: { network }, lookedUpNetwork: { network },
            device: { DeviceIdentity(id: "0", model: "Test", system: "Test 1", name: "Linux") },
            machineID: { Self.machine }, workingFolder: { "/home/tester" })
        system.browser = browser
        system.graphics = { [graphics] _ in graphics }
        if let keyring { system.keyring = { _ in keyring } }
        return system
    }

    /// Runs a whole command line, and checks that it sent what the script says.
    func run(_ words: String...) async -> ExitKind { await run(words) }

    /// Runs a whole command line, and checks that it sent what the script says.
    func run(_ words: [String]) async -> ExitKind {
        let line = CommandLineReading(words) { paths.configurationFile }
        let plan = Run(line: line, system: system).plan()
        let kind =
            switch plan {
            case .over(let kind): kind
            case .work(let work): await work()
            }
        fake.verify()
        return kind
    }

    /// The JSON object on the last line of stderr.
    func errorObject() throws -> JSONView {
        let line = try #require(stderr.split(separator: "\n").last)
        return try #require(try JSONView.parse(Array(line.utf8))["error"])
    }

    /// What was printed, as JSON.
    func printed() throws -> JSONView { try JSONView.parse(Array(stdout.utf8)) }
}

/// A transport that notes whose certificate was looked at.
private struct RecordingTransport: Transport {
    let base: FakeTransport
    let looks: MessageLog

    func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        guard request.purpose != .webSocket else {
            throw TransportError(.invalidRequest, "no WebSockets", nothingSent: true)
        }
        if request.purpose != .answer { looks.add("\(request.origin)") }
        return try await base.send(request, receive: receive)
    }
}

// What an earlier run would have left.
extension TestSystem {
    static let session = Credential.session(
        StoredSession(kind: .web, accessToken: Redacted("token-1"), username: "ann"))

    /// Makes a server known, with or without a sign-in.
    @discardableResult
    func know(
        _ name: String = "home", at address: String = "https://home.example",
        proof: EndpointProof = .publicCertificate, signedInWith credential: Credential? = session,
        _ change: (inout ServerRecord) -> Void = { _ in }
    ) async throws -> ServerRecord {
        var record = ServerRecord(
            name: name, endpoints: [Endpoint(.local, address, proof: proof)], addedAt: Self.now)
        record.account = credential.map { credential in
            if case .apiKey = credential { return ServerAccount(kind: .apiKey) }
            return ServerAccount(kind: .password, username: "ann")
        }
        change(&record)
        let kept = record
        try await servers().update { list throws(AccountError) in try list.add(kept) }
        if let credential { try await store().keep(credential, of: record.id) }
        return record
    }

    /// The servers that are known now.
    func known() throws -> ServerList { try servers().load() }

    /// The credential that is kept of a server now.
    func credential(of record: ServerRecord) async throws -> Credential? {
        try await store().credential(of: record.id)
    }

    /// Seals a credential of a server by a passphrase.
    func seal(
        _ credential: Credential, of record: ServerRecord, by passphrase: String
    ) async throws {
        let store = SealedFileStore(
            paths.state, passphrase: Redacted(Array(passphrase.utf8)), machine: Self.machine
        ) { Issue.record("the sealed files: \($0)") }
        try await store.keep(credential, of: record.id)
    }

    /// What is kept of pushes of a server now.
    func storedPush(of record: ServerRecord) async throws -> StoredPush {
        try await store().storedPush(of: record.id)
    }

    /// Keeps header fields for the relays of a server, as an earlier run would have written them.
    func keep(relayHeaders text: String, of record: ServerRecord) async throws {
        try await store().write(
            Redacted(Array(text.utf8)), for: CredentialKey(record.id, .relayHeaders))
    }

    /// The header fields that are kept for the relays of a server now.
    func relayHeaders(of record: ServerRecord) async throws -> String {
        try await store().relayHeaders(of: record.id).text.reveal()
    }

    private func servers() -> ServerDirectory {
        ServerDirectory(paths.state) { Issue.record("the list of servers: \($0)") }
    }

    private func store() -> SealedFileStore {
        SealedFileStore(paths.state, machine: Self.machine) {
            Issue.record("the sealed files: \($0)")
        }
    }
}

extension HTTPRequest {
    /// The credential that the request carries, as a server reads it.
    var credentialText: String? {
        headers.lazy.compactMap { header -> String? in
            guard case .secret(let value) = header.value else { return nil }
            return "\(header.name): \(value.reveal())"
        }.first
    }
}
