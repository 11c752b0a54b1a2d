import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore

@Suite("argus pair resume")
struct PairResumeTests {
    private let test: TestSystem
    private static let url = "https://home.example"

    init() throws {
        test = try TestSystem()
    }

    @Test("--insecure-http is remembered through the waiting")
    func allowance() async throws {
        let words = ["pair", "http://192.168.1.5:8000", "--insecure-http", "--no-wait"]
        try test.stubPairing()
        #expect(await test.run(words) == .done)
        #expect(test.stdout == "376529\n")
        #expect(try test.known().servers.isEmpty)
        test.fake.stub(
            .get, PairingScript.status, body: try Samples.text("mobile-status-confirmed"))
        test.stubPairingExchange()
        #expect(await test.run("pair", "resume", "-q") == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(record.plainHTTPAllowances.map(\.gatewayMAC) == ["02:00:00:00:00:01"])
    }

    @Test("ARGUS_SERVER names the pairing; the configuration only decides among several")
    func namedPairing() async throws {
        try test.stubPairing()
        #expect(await test.run("pair", Self.url, "--no-wait", "--name", "attic") == .done)
        test.environment["ARGUS_SERVER"] = "elsewhere"
        #expect(await test.run("pair", "resume", "--json") == .notFound)
        #expect(try test.errorObject()["hint"]?.string?.contains(Self.url) == true)
        // A server that is known at the same address means the pairing too.
        try await test.know()
        for name in ["attic", Self.url, "home"] {
            test.environment["ARGUS_SERVER"] = name
            test.fake.stub(
                .get, PairingScript.status, status: 429, headers: [("Retry-After", "7")], body: "{}"
            )
            #expect(await test.run("pair", "resume") == .rateLimited, "\(name)")
        }
        test.environment["ARGUS_SERVER"] = nil
        try test.folder.plant("server = \"elsewhere\"\n", "config.toml")
        test.fake.stub(
            .get, PairingScript.status, body: try Samples.text("mobile-status-confirmed"))
        test.stubPairingExchange()
        #expect(await test.run("pair", "resume") == .done)
    }

    @Test("a network that is another one is not resumed on")
    func otherNetwork() async throws {
        try test.stubPairing()
        #expect(
            await test.run("pair", "http://192.168.1.5:8000", "--insecure-http", "--no-wait")
                == .done)
        test.network = NetworkIdentity(gateways: [
            .init(interface: "eth0", mac: "02:00:00:00:00:02")
        ])
        #expect(await test.run("pair", "resume") == .identity)
    }

    @Test("a pairing whose tokens are kept already, by whatever process, is done")
    func doneElsewhere() async throws {
        try test.stubPairing()
        #expect(await test.run("pair", Self.url, "--no-wait") == .done)
        let paired = Credential.session(
            StoredSession(
                kind: .mobile, accessToken: Redacted("t"), username: "ann", issuedAt: TestSystem.now
            )
        )
        try await test.know(signedInWith: paired) { $0.account?.pairedAt = TestSystem.now }
        #expect(await test.run("pair", "resume", "--json") == .done)
        #expect(test.stdout.contains(#""server": "home""#))
        #expect(await test.run("pair", "resume") == .notFound)
    }

    @Test("tokens that were put aside are kept by the next one, without a word to the server")
    func putAside() async throws {
        try test.stubPairing()
        #expect(await test.run("pair", Self.url, "--no-wait") == .done)
        let pendings = PendingPairings(
            in: SealedFileStore(test.paths.state, machine: TestSystem.machine) { _ in },
            test.paths.state)
        var pairing = try #require(try await pendings.load().first)
        pairing.session = StoredSession(
            kind: .mobile, accessToken: Redacted("t"), refreshToken: Redacted("r"),
            deviceRowID: "row-1", username: "ann", issuedAt: TestSystem.now)
        try await pendings.add(pairing)
        #expect(await test.run("pair", "resume") == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(try await test.credential(of: record) == pairing.session.map(Credential.session))
        #expect(try await pendings.load().isEmpty)
    }

    @Test("of several pairings that wait, one is named")
    func several() async throws {
        for host in ["a", "b"] {
            try test.stubPairing()
            #expect(await test.run("pair", "https://\(host).example", "--no-wait") == .done)
        }
        #expect(await test.run("pair", "resume") == .usage)
        #expect(test.stderr.contains("a.example (https://a.example), b.example"))
        #expect(await test.run("pair", "resume", "-s", "c.example") == .notFound)
        test.fake.stub(
            .get, PairingScript.status, body: try Samples.text("mobile-status-confirmed"))
        test.stubPairingExchange()
        #expect(await test.run("pair", "resume", "-s", "https://b.example") == .done)
        #expect(try test.known().servers.map(\.name) == ["b.example"])
    }
}
