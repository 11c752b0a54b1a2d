import ArgusKit
import ArgusTestSupport
import Testing

@testable import argus

@Suite("argus pair")
struct PairTests {
    private let test: TestWorld
    private static let url = "https://home.example"
    private static let start = "/api/v1/mobile/auth/pair"
    private static let status = "/api/v1/mobile/auth/status/376529"
    private static let exchange = "/api/v1/mobile/auth/exchange"

    init() throws {
        test = try TestWorld()
    }

    private func stub(_ states: String...) throws {
        test.fake.stub(.post, Self.start, body: try Samples.text("mobile-pair"))
        for state in states {
            test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-\(state)"))
        }
    }

    /// An exchange whose token names a user: `{"sub":"u1","username":"ann"}`.
    private func stubExchange() {
        test.fake.stub(
            .post, Self.exchange,
            body: #"{"access_token":"e30.eyJzdWIiOiJ1MSIsInVzZXJuYW1lIjoiYW5uIn0.x","#
                + #""refresh_token":"r","expires_in":900,"device_id":"row-1"}"#)
    }

    private func stages() throws -> [String] {
        try test.stdout.split(separator: "\n").map {
            try JSONView.parse(Array($0.utf8))["state"]?.string ?? "none"
        }
    }

    @Test("a confirmed code signs in; the tokens are kept as a device's, the pairing is over")
    func pairs() async throws {
        try stub("waiting", "confirmed")
        stubExchange()
        #expect(await test.run("pair", Self.url, "--device-name", "attic") == .done)
        #expect(test.stdout == "")
        #expect(
            test.stderr == """
                the pairing code of 'attic' for 'home.example' is 376 529, good for 4 min 59 s; \
                confirm it in the server's dashboard, or with 'argus pair confirm' where you are \
                signed in
                paired with 'home.example' as 'ann'

                """)
        #expect(test.waits.all == ["2.0 seconds"])
        let record = try #require(try test.known().defaultServer)
        var account = ServerAccount(kind: .pairing, username: "ann", userID: "u1")
        account.pairedAt = TestWorld.now
        #expect(record.account == account)
        #expect(record.ways == [ServerWay(.local, Self.url, proof: .publicCertificate)])
        guard case .session(let session)? = try await test.credential(of: record) else {
            Issue.record("no session is kept")
            return
        }
        #expect(session.kind == .mobile)
        #expect(session.deviceRowID == "row-1")
        #expect(session.refreshToken == Redacted("r"))
        #expect(await test.run("pair", "resume", "--json") == .notFound)
        #expect(try test.errorObject()["reason"]?.string == "nothing_pending")
    }

    @Test("ndjson prints each state when it comes, json the last")
    func states() async throws {
        try stub("waiting", "confirmed")
        stubExchange()
        #expect(await test.run("pair", Self.url, "--format", "ndjson") == .done)
        #expect(try stages() == ["waiting", "confirmed", "paired"])
        #expect(
            test.stdout.hasPrefix(
                #"{"state":"waiting","code":"376529","expires_at":"2026-11-21T12:04:59.000000Z","#
                    + #""server":"home.example","url":"https://home.example","username":null,"#
                    + #""device_id":null,"hardware_id":"0","device_name":"argus on Linux","#
                    + #""platform":"ios"}"# + "\n"))
    }

    @Test("json prints the last state, of a pairing that failed too")
    func lastState() async throws {
        try stub("waiting", "expired-or-unknown")
        #expect(await test.run("pair", Self.url, "--json") == .rejected)
        #expect(try test.printed()["state"]?.string == "rejected")
        #expect(try test.errorObject()["reason"]?.string == "pairing_rejected")
        #expect(try test.errorObject()["exit_code"]?.int == 10)
        #expect(try test.known().servers.isEmpty)
    }

    @Test("a code whose time is over is status 13, kind timeout")
    func expired() async throws {
        test.fake.stub(.post, Self.start, body: #"{"code":"376529","expires_in":0}"#)
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-waiting"))
        #expect(await test.run("pair", Self.url, "--json") == .timeout)
        #expect(try test.printed()["state"]?.string == "expired")
        #expect(try test.errorObject()["kind"]?.string == "timeout")
        #expect(try test.errorObject()["reason"]?.string == "code_expired")
    }

    @Test("too many codes are status 8, with a minute to wait where the server names no time")
    func rateLimit() async throws {
        test.fake.stub(
            .post, Self.start, status: 429, body: try Samples.text("error-429-pair"))
        #expect(await test.run("pair", Self.url, "--json") == .rateLimited)
        #expect(try test.errorObject()["retry_after_seconds"]?.int == 60)
        try stub()
        test.fake.stub(
            .get, Self.status, status: 429, headers: [("Retry-After", "7")], body: "{}")
        #expect(await test.run("pair", Self.url, "--json") == .rateLimited)
        #expect(try test.errorObject()["retry_after_seconds"]?.int == 7)
        // The code is still good.
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-confirmed"))
        stubExchange()
        #expect(await test.run("pair", "resume") == .done)
    }

    @Test("a server that is not reached is status 6, one that fails or answers nonsense 7")
    func noAnswer() async throws {
        test.fake.stub(
            .post, Self.start, error: TransportError(.timedOut(.firstByte), "timed out"))
        #expect(await test.run("pair", Self.url) == .unreachable)
        test.fake.stub(.post, Self.start, status: 500, body: "Internal Server Error")
        #expect(await test.run("pair", Self.url) == .serverError)
        test.fake.stub(.post, Self.start, body: #"{"code":null}"#)
        #expect(await test.run("pair", Self.url) == .serverError)
        test.fake.stub(.post, Self.exchange, body: "<html>")
        #expect(await test.run("pair", Self.url, "--code=482913") == .serverError)
        #expect(try test.known().servers.isEmpty)
    }

    @Test("tokens that were lost on their way are status 6, and told as such")
    func tokensLost() async throws {
        try stub("confirmed", "expired-or-unknown")
        test.fake.stub(
            .post, Self.exchange, error: TransportError(.connectionLost, "connection reset"))
        #expect(await test.run("pair", Self.url, "--json") == .unreachable)
        #expect(try test.errorObject()["reason"]?.string == "tokens_lost")
    }

    @Test("a server without pairing is status 14, and told what it lacks")
    func unsupported() async throws {
        test.fake.stub(
            .post, Self.start, status: 401, body: try Samples.text("error-401-not-authenticated"))
        #expect(await test.run("pair", Self.url, "--json") == .unsupported)
        let error = try test.errorObject()
        #expect(error["message"]?.string?.contains("codes for a device that wants to pair") == true)
        #expect(error["hint"]?.string?.contains("argus pair https://home.example --code") == true)
    }

    @Test("plain http is refused before a code is asked for")
    func plainHTTP() async throws {
        for words in [["http://192.168.1.5:8000"], ["http://192.168.1.5:8000", "--code=482913"]] {
            #expect(await test.run(["pair"] + words) == .identity)
        }
        #expect(test.stderr.contains("argus pair http://192.168.1.5:8000 --insecure-http"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("--insecure-http is remembered through the waiting")
    func allowance() async throws {
        let words = ["pair", "http://192.168.1.5:8000", "--insecure-http", "--no-wait"]
        try stub()
        #expect(await test.run(words) == .done)
        #expect(test.stdout == "376529\n")
        #expect(try test.known().servers.isEmpty)
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-confirmed"))
        stubExchange()
        #expect(await test.run("pair", "resume", "-q") == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(record.plainHTTPAllowances.map(\.gatewayMAC) == ["02:00:00:00:00:01"])
    }

    @Test("ARGUS_SERVER names the pairing; the configuration only decides among several")
    func namedPairing() async throws {
        try stub()
        #expect(await test.run("pair", Self.url, "--no-wait", "--name", "attic") == .done)
        test.environment["ARGUS_SERVER"] = "elsewhere"
        #expect(await test.run("pair", "resume", "--json") == .notFound)
        #expect(try test.errorObject()["hint"]?.string?.contains(Self.url) == true)
        // A server that is known at the same address means the pairing too.
        try await test.know()
        for name in ["attic", Self.url, "home"] {
            test.environment["ARGUS_SERVER"] = name
            test.fake.stub(
                .get, Self.status, status: 429, headers: [("Retry-After", "7")], body: "{}")
            #expect(await test.run("pair", "resume") == .rateLimited, "\(name)")
        }
        test.environment["ARGUS_SERVER"] = nil
        try test.folder.plant("server = \"elsewhere\"\n", "config.toml")
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-confirmed"))
        stubExchange()
        #expect(await test.run("pair", "resume") == .done)
    }

    @Test("a network that is another one is not resumed on")
    func otherNetwork() async throws {
        try stub()
        #expect(
            await test.run("pair", "http://192.168.1.5:8000", "--insecure-http", "--no-wait")
                == .done)
        test.network = NetworkIdentity(gateways: [
            .init(interface: "eth0", mac: "02:00:00:00:00:02")
        ])
        #expect(await test.run("pair", "resume") == .identity)
    }

    @Test("a store that cannot keep the tokens is told before anybody is asked to confirm")
    func noStore() async throws {
        try test.folder.plant("", "state")
        try stub()
        #expect(await test.run("pair", Self.url) == .failed)
        #expect(!test.stderr.contains("376"))
    }

    @Test("a pairing whose tokens are kept already, by whatever process, is done")
    func doneElsewhere() async throws {
        try stub()
        #expect(await test.run("pair", Self.url, "--no-wait") == .done)
        let paired = Credential.session(
            StoredSession(
                kind: .mobile, accessToken: Redacted("t"), username: "ann", issuedAt: TestWorld.now)
        )
        try await test.know(signedInWith: paired) { $0.account?.pairedAt = TestWorld.now }
        #expect(await test.run("pair", "resume", "--json") == .done)
        #expect(test.stdout.contains(#""server": "home""#))
        #expect(await test.run("pair", "resume") == .notFound)
    }

    @Test("tokens that were put aside are kept by the next one, without a word to the server")
    func putAside() async throws {
        try stub()
        #expect(await test.run("pair", Self.url, "--no-wait") == .done)
        let pendings = PendingPairings(
            in: SealedFileStore(test.paths.state, machine: TestWorld.machine) { _ in },
            test.paths.state)
        var pairing = try #require(try await pendings.load().first)
        pairing.session = StoredSession(
            kind: .mobile, accessToken: Redacted("t"), refreshToken: Redacted("r"),
            deviceRowID: "row-1", username: "ann", issuedAt: TestWorld.now)
        try await pendings.add(pairing)
        #expect(await test.run("pair", "resume") == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(try await test.credential(of: record) == pairing.session.map(Credential.session))
        #expect(try await pendings.load().isEmpty)
    }

    @Test("tokens of an older pairing are not taken for those of this one")
    func olderPairing() async throws {
        let older = Credential.session(
            StoredSession(kind: .mobile, accessToken: Redacted("t"), issuedAt: TestWorld.now))
        try await test.know(signedInWith: older) {
            $0.account?.pairedAt = TestWorld.now + .seconds(-60)
        }
        try stub("expired-or-unknown")
        #expect(await test.run("pair", Self.url) == .rejected)
    }

    @Test("of several pairings that wait, one is named")
    func several() async throws {
        for host in ["a", "b"] {
            try stub()
            #expect(await test.run("pair", "https://\(host).example", "--no-wait") == .done)
        }
        #expect(await test.run("pair", "resume") == .usage)
        #expect(test.stderr.contains("a.example (https://a.example), b.example"))
        #expect(await test.run("pair", "resume", "-s", "c.example") == .notFound)
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-confirmed"))
        stubExchange()
        #expect(await test.run("pair", "resume", "-s", "https://b.example") == .done)
        #expect(try test.known().servers.map(\.name) == ["b.example"])
    }

    @Test(
        "a sign-in of the same user is replaced, another's is left alone",
        arguments: [("ann", ["cottage"]), ("bob", ["cottage", "cottage-2"])])
    func knownServer(username: String, expected: [String]) async throws {
        let record = try await test.know("cottage") { $0.account?.username = username }
        try stub("confirmed")
        stubExchange()
        #expect(await test.run("pair", Self.url) == .done)
        #expect(try test.known().servers.map(\.name) == expected)
        let isReplaced = try await test.credential(of: record) != TestWorld.session
        #expect(isReplaced == (username == "ann"))
    }

    @Test("signing out of a pairing ends its refresh token")
    func logout() async throws {
        try await test.know(
            signedInWith: .session(
                StoredSession(
                    kind: .mobile, accessToken: Redacted("token-1"), refreshToken: Redacted("r"),
                    deviceRowID: "row-1", username: "ann")))
        test.fake.stub(
            .post, "/api/v1/mobile/auth/revoke", body: try Samples.text("mobile-revoke"))
        #expect(await test.run("logout") == .done)
        let request = try #require(test.fake.requests.first)
        #expect(request.body?.bytes == Array(#"{"refresh_token":"r"}"#.utf8))
        #expect(request.credentialText == "Authorization: Bearer token-1")
        #expect(test.stderr == "signed out of 'home'\n")
    }
}
