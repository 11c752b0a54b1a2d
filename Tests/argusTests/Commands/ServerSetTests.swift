import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@testable import argus

/// A keyring during whose reading another process does something.
private final class BusyKeyring: CredentialStore {
    let name = CredentialStoreKind.secretService.name
    private let values = Mutex<[CredentialKey: Redacted<[UInt8]>]>([:])
    private let meanwhile: @Sendable () async -> Void

    init(_ meanwhile: @escaping @Sendable () async -> Void) {
        self.meanwhile = meanwhile
    }

    func read(_ key: CredentialKey) async throws(AccountError) -> Redacted<[UInt8]>? {
        await meanwhile()
        return values.withLock { $0[key] }
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        values.withLock { $0[key] = value }
    }

    func erase(_ key: CredentialKey) async throws(AccountError) {
        values.withLock { $0[key] = nil }
    }
}

@Suite("argus server set")
struct ServerSetTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    private static let pin = String(repeating: "A", count: 43) + "="

    /// A server with a pinned local address and a relay that asks for a client certificate.
    private func know() async throws -> ServerRecord {
        try await test.know(at: "https://192.168.1.5:8443", proof: .pin(Self.pin)) { record in
            var relay = Endpoint(.relay, "https://one.example/home", proof: .publicCertificate)
            (relay.certificate, relay.key) = ("/c.pem", "/c.key")
            relay.others = ["later": .text("kept")]
            record.endpoints.append(relay)
            record.others = ["newer": .bool(true)]
        }
    }

    private func set(_ words: String...) async -> ExitKind {
        await test.run(["server", "set", "home", "--no-check"] + words)
    }

    private func endpoints(_ record: ServerRecord) throws -> [Endpoint] {
        try test.known()[record.id]?.endpoints ?? []
    }

    @Test("an address that stays keeps its proof and files, whatever comes, goes or moves")
    func stays() async throws {
        let server = try await know()
        let seen = try #require(PeerCertificate(pem: Samples.certificate))
        #expect(
            await set(
                "--relay", "https://two.example", "--relay", "https://ONE.example:443/home/",
                "--fingerprint", seen.fingerprint.hex) == .done)
        var pinned = Endpoint(.relay, "https://two.example", proof: .pin(seen.pin))
        pinned.fingerprint = seen.fingerprint
        let expected = [server.endpoints[0], pinned, server.endpoints[1]]
        #expect(try endpoints(server) == expected)
        #expect(try test.known()[server.id]?.others == server.others)
        #expect(
            test.stderr
                == "'home' is reached by relay https://two.example, relay https://one.example/home\n"
        )
        #expect(
            await set("--relay", "https://one.example/home", "--relay", "https://two.example")
                == .done)
        #expect(try endpoints(server) == [expected[0], expected[2], expected[1]])
        #expect(await set("--relay", "https://two.example", "--json") == .done)
        #expect(try endpoints(server) == [expected[0], pinned])
        let printed = try JSONView.parse(Array(test.stdout.utf8))
        #expect(printed["url"]?.string == "https://192.168.1.5:8443")
        #expect(
            printed["urls"]?.elements.map { $0.string }
                == ["https://192.168.1.5:8443", "https://two.example"])
    }

    @Test("a command that is repeated changes nothing more")
    func repeated() async throws {
        let server = try await know()
        let seen = try #require(PeerCertificate(pem: Samples.certificate)).fingerprint.hex
        #expect(await set("--relay", "https://one.example/home") == .done)
        #expect(try endpoints(server) == server.endpoints)
        var first: [Endpoint] = []
        for round in 1...2 {
            #expect(
                await set(
                    "--relay", "https://one.example/home", "--relay", "https://two.example",
                    "--fingerprint", seen) == .done, "\(test.stderr)")
            if round == 1 { first = try endpoints(server) }
        }
        #expect(first.count == 3)
        #expect(try endpoints(server) == first)
        let file = try test.folder.plant("a certificate", "cert.pem")
        #expect(await set("--relay", "https://two.example", "--cacert", file) == .usage)
        #expect(
            test.stderr.contains("the file of --cacert applies to a new address, but none is new"))
        #expect(await set("--relay", "https://two.example", "--fingerprint", seen) == .done)
        #expect(try endpoints(server) == [first[0], first[2]])
        // What the server must prove is not what argus shows of itself.
        #expect(await set("--relay", "https://two.example", "--cert", file) == .done)
        var shown = first[2]
        shown.certificate = file
        #expect(try endpoints(server) == [first[0], shown])
    }

    @Test("a file for exactly the server's addresses replaces its files, and the loss is reported")
    func anew() async throws {
        let server = try await know()
        let file = try test.folder.plant("an authority", "ca.pem")
        #expect(await set("--relay", "https://one.example/home", "--cacert", file) == .done)
        var relay = Endpoint(.relay, "https://one.example/home", proof: .publicCertificate)
        relay.authorities = file
        #expect(try endpoints(server) == [server.endpoints[0], relay])
        #expect(
            test.stderr.contains("what relay https://one.example/home had to prove is replaced\n"))
        #expect(
            test.stderr.contains(
                "the client certificate for relay https://one.example/home is forgotten\n"))
    }

    @Test("an empty address takes all of its kind away, but never the last of a server")
    func takenAway() async throws {
        let server = try await know()
        #expect(await set("--relay", "https://one.example", "--relay", "https://two.ex") == .done)
        #expect(await set("--relay", "") == .done)
        #expect(test.stderr.hasSuffix("'home' no longer has a relay\n"))
        #expect(try endpoints(server) == [server.endpoints[0]])
        #expect(await set("--local", "") == .usage)
        #expect(test.stderr.contains("'home' would have no address left"))
        #expect(try endpoints(server) == [server.endpoints[0]])
        // What was a local address may become a relay in one step.
        #expect(await set("--local", "", "--relay", "https://192.168.1.5:8443") == .done)
        #expect(try endpoints(server).map(\.kind) == [.relay])
    }

    @Test(
        "what makes no sense is refused, and changes nothing",
        arguments: [
            (["--relay", "", "--relay", "https://x.example"], "an empty --relay removes all"),
            (["--relay", "https://192.168.1.5:8443"], "cannot be both local and a relay"),
            (
                [
                    "--local", "https://192.168.1.5:8443", "--relay", "https://x", "--fingerprint",
                    "F",
                ],
                "a fingerprint applies to addresses of one kind"
            ),
            (["--relay", "", "--fingerprint", "F"], "--fingerprint needs --local or --relay"),
            (["--relay", "https://x?y"], "must not contain '?'"),
            (["--local", "https://a", "--local", "http://b"], "plain http to http://b"),
        ])
    func refused(words: [String], reason: String) async throws {
        let server = try await know()
        let digits = String(repeating: "ab", count: 32)
        let words = words.map { $0 == "F" ? digits : $0 }
        let status = await test.run(["server", "set", "home"] + words)
        #expect(status == .usage || status == .identity)
        #expect(test.stderr.contains(reason), "\(test.stderr)")
        #expect(try endpoints(server) == server.endpoints)
    }

    @Test("a fingerprint is for a new address, each of which must show it")
    func fingerprint() async throws {
        let server = try await know()
        let seen = try #require(PeerCertificate(pem: Samples.certificate)).fingerprint.hex
        let digits = String(repeating: "ab", count: 32)
        #expect(
            await set(
                "--relay", "https://one.example/home", "--relay", "https://two.example",
                "--fingerprint", digits) == .identity)
        #expect(test.stderr.contains("relay https://two.example: 'home' presents an unexpected"))
        #expect(
            await set("--relay", "https://one.example/home", "--relay", "https://two.example")
                == .done)
        #expect(await set("--relay", "https://two.example", "--fingerprint", seen) == .usage)
        #expect(test.stderr.contains("the fingerprint applies to a new address, but none is new"))
        #expect(
            try endpoints(server).map(\.address).suffix(2) == [
                "https://one.example/home", "https://two.example",
            ])
    }

    @Test("a new relay never inherits the header fields of an earlier one")
    func headers() async throws {
        let server = try await know()
        try await test.keep(relayHeaders: "X-Gate: one\n", of: server)
        #expect(
            await set("--relay", "https://one.example", "--relay", "https://two.example") == .done)
        #expect(
            try await test.relayHeaders(of: server) == "[https://one.example]\nX-Gate: one\n")
        #expect(await set("--relay", "https://two.example") == .done)
        #expect(test.stderr.contains("removed the header fields for https://one.example"))
        #expect(try await test.relayHeaders(of: server).isEmpty)
    }

    @Test("header fields that are left of a relay of before go to no new one")
    func leftFields() async throws {
        let server = try await test.know(at: "https://192.168.1.5:8443", proof: .pin(Self.pin))
        try await test.keep(relayHeaders: "X-Gate: old\n", of: server)
        #expect(await set("--relay", "https://two.example") == .done)
        #expect(try await test.relayHeaders(of: server).isEmpty)
    }

    @Test("a change that another process made impossible is refused, and costs no header fields")
    func overtaken() async throws {
        let state = test.paths.state
        let keyring = BusyKeyring {
            _ = try? await ServerDirectory(state) { _ in }.update { list throws(AccountError) in
                guard let server = list.servers.first else { return }
                try list.change(server.id) { record in
                    record.endpoints.removeAll { $0.kind == .local }
                }
            }
        }
        test.keyring = keyring
        let server = try await test.know(signedInWith: nil) { record in
            record.credentialStore = .secretService
            record.endpoints.append(
                Endpoint(.relay, "https://one.example", proof: .publicCertificate))
        }
        let key = CredentialKey(server.id, .relayHeaders)
        try await keyring.write(Redacted(Array("X-Gate: one\n".utf8)), for: key)
        #expect(await set("--relay", "") == .usage)
        #expect(test.stderr.contains("'home' would have no address left"), "\(test.stderr)")
        #expect(try endpoints(server).map(\.kind) == [.relay])
        let kept = try await keyring.relayHeaders(of: server.id)
        #expect(kept.text.reveal() == "[https://one.example]\nX-Gate: one\n")
    }

    @Test("a kept field that argus sends itself is left out, and the others are sent")
    func leftOut() async throws {
        let server = try await test.know(proof: .publicCertificate) { record in
            record.endpoints = [
                Endpoint(.relay, "https://one.example", proof: .publicCertificate)
            ]
        }
        try await test.keep(relayHeaders: "Cookie: a=b\nX-Gate: one\n", of: server)
        test.fake.stub(.get, "/api/v1/cameras", body: "[]")
        #expect(await test.run("cameras") == .done, "\(test.stderr)")
        let names = try #require(test.fake.requests.last).headers.map(\.name)
        #expect(names.contains("X-Gate"))
        #expect(!names.contains("Cookie"))
        #expect(test.stderr.contains("Cookie is not sent to the relay"))
    }

    @Test(
        "each relay is sent its own header fields, and those without a name go to none of several")
    func sentHeaders() async throws {
        let server = try await test.know(proof: .publicCertificate) { record in
            record.endpoints = ["one", "two"].map {
                Endpoint(.relay, "https://\($0).example", proof: .publicCertificate)
            }
        }
        for (kept, isNamed) in [("[https://two.example]\n", true), ("", false)] {
            try await test.keep(relayHeaders: kept + "X-Gate: two\n", of: server)
            test.fake.stub(.get, "/api/v1/cameras", body: "[]")
            test.fake.disprove("one.example")
            #expect(await test.run("cameras", "-q") == .done)
            let request = try #require(test.fake.requests.last)
            #expect(request.origin.host == "two.example")
            #expect(request.headers.contains { $0.name == "X-Gate" } == isNamed)
        }
    }

    private static let health = "/health"
    private static let list = "/api/v1/events?limit=5&per_page=5"
    private static let frames = "/api/v1/events/e1/frames"

    private func stubFrames(_ id: String) {
        test.fake.stub(
            .get, Self.frames, body: #"{"frames":[{"id":"\#(id)","frame_number":1}]}"#)
    }

    private func setRelay() async -> ExitKind {
        await test.run("server", "set", "home", "--relay", "https://two.example", "--retries=0")
    }

    @Test(
        "a relay is kept once it shows what only this server has, and gets no credentials",
        arguments: [("f1", ExitKind.done), ("f2", .identity)])
    func checkedRelay(shown: String, status: ExitKind) async throws {
        let server = try await know()
        test.fake.stub(.get, Self.health, body: #"{"status":"healthy"}"#)
        test.fake.stub(.get, Self.list, body: #"{"events":[{"id":"e1"}],"has_more":false}"#)
        stubFrames("f1")
        stubFrames(shown)
        #expect(await setRelay() == status, "\(test.stderr)")
        #expect(
            try endpoints(server).contains { $0.address == "https://two.example" }
                == (status == .done))
        #expect(test.stderr.contains("leads to another server") == (status != .done))
        let toRelay = test.fake.requests.filter { $0.origin.host == "two.example" }
        #expect(toRelay.count == 2)
        #expect(toRelay.allSatisfy { $0.credentialText == nil })
        #expect(!toRelay.contains { $0.headers.contains { $0.name.hasPrefix("X-Device") } })
    }

    @Test(
        "without frames the newest stored picture is compared, which everyone may read",
        arguments: [("one", ExitKind.done), ("two", .identity)])
    func comparedPicture(shown: String, status: ExitKind) async throws {
        _ = try await know()
        let path = "2026-11-20/event_e1.jpg"
        test.fake.stub(.get, Self.health, body: #"{"status":"healthy"}"#)
        test.fake.stub(
            .get, Self.list,
            body: #"{"events":[{"id":"e1","thumbnail_path":"\#(path)"}],"has_more":false}"#)
        test.fake.stub(.get, Self.frames, body: #"{"frames":[]}"#)
        for picture in ["one", shown] {
            test.fake.stub(.get, "/api/v1/thumbnails/\(path)", body: picture)
        }
        #expect(await setRelay() == status, "\(test.stderr)")
        let toRelay = test.fake.requests.filter { $0.origin.host == "two.example" }
        #expect(toRelay.count == 2)
        #expect(toRelay.allSatisfy { $0.credentialText == nil })
    }

    @Test("a relay that cannot be checked is kept only without a check")
    func uncheckedRelay() async throws {
        let server = try await know()
        let refused = TransportError(.notConnected, "connection refused", nothingSent: true)
        test.fake.stub(.get, Self.health, error: refused)
        #expect(await setRelay() == .unreachable, "\(test.stderr)")
        #expect(test.stderr.contains("--no-check skips the check"))
        test.fake.stub(.get, Self.health, body: #"{"status":"healthy"}"#)
        test.fake.stub(.get, Self.list, body: #"{"events":[],"has_more":false}"#)
        #expect(await setRelay() == .usage, "\(test.stderr)")
        #expect(test.stderr.contains("cannot check that relay https://two.example leads to 'home'"))
        #expect(try endpoints(server) == server.endpoints)
    }
}
