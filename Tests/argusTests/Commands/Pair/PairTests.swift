import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("argus pair")
struct PairTests {
    private let test: TestSystem
    private static let url = "https://home.example"
    private static let start = PairingScript.start
    private static let status = PairingScript.status
    private static let exchange = PairingScript.exchange

    init() throws {
        test = try TestSystem()
    }

    private func stages() throws -> [String] {
        try test.stdout.split(separator: "\n").map {
            try JSONView.parse(Array($0.utf8))["state"]?.string ?? "none"
        }
    }

    @Test("a confirmed code signs in; the tokens are kept as a device's, the pairing is over")
    func pairs() async throws {
        try test.stubPairing("waiting", "confirmed")
        test.stubPairingExchange()
        #expect(await test.run("pair", Self.url, "--device-name", "attic") == .done)
        #expect(test.stdout == "")
        #expect(
            test.stderr == """
                the pairing code of 'attic' for 'home.example' is 376 529, good for 4 min 59 s; \
                confirm it in the server's dashboard, or with 'argus pair confirm' where you are \
                signed in
                paired with 'home.example' as 'ann'
                this sign-in expires at 2026-11-21 12:15:00 (servers on SQLite cannot renew it); \
                then run 'argus pair https://home.example', best with --keep-alive

                """)
        #expect(test.waits.all == ["2.0 seconds"])
        let record = try #require(try test.known().defaultServer)
        var account = ServerAccount(kind: .pairing, username: "ann", userID: "u1")
        account.pairedAt = TestSystem.now
        #expect(record.account == account)
        #expect(record.endpoints == [Endpoint(.local, Self.url, proof: .publicCertificate)])
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
        try test.stubPairing("waiting", "confirmed")
        test.stubPairingExchange()
        #expect(await test.run("pair", Self.url, "--format", "ndjson") == .done)
        #expect(try stages() == ["waiting", "confirmed", "paired"])
        let place = try #require(test.paths.state.file("home.example"))
        let hardware = test.system.device().pairingID(of: place)
        // Another record, or another state folder, is another device.
        #expect(hardware != test.system.device().pairingID(of: place + "-2"))
        #expect(hardware != test.system.device().id)
        #expect(
            test.stdout.hasPrefix(
                #"{"state":"waiting","code":"376529","expires_at":"2026-11-21T12:04:59.000000Z","#
                    + #""server":"home.example","url":"https://home.example","username":null,"#
                    + #""device_id":null,"hardware_id":"\#(hardware)","device_name":"argus on Linux","#
                    + #""platform":"ios"}"# + "\n"))
    }

    @Test("json prints the last state, of a pairing that failed too")
    func lastState() async throws {
        try test.stubPairing("waiting", "expired-or-unknown")
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
        try test.stubPairing()
        test.fake.stub(
            .get, Self.status, status: 429, headers: [("Retry-After", "7")], body: "{}")
        #expect(await test.run("pair", Self.url, "--json") == .rateLimited)
        #expect(try test.errorObject()["retry_after_seconds"]?.int == 7)
        // The code is still good.
        test.fake.stub(.get, Self.status, body: try Samples.text("mobile-status-confirmed"))
        test.stubPairingExchange()
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

    @Test("tokens that were lost are status 6, and reported as such")
    func tokensLost() async throws {
        try test.stubPairing("confirmed", "expired-or-unknown")
        test.fake.stub(
            .post, Self.exchange, error: TransportError(.connectionLost, "connection reset"))
        #expect(await test.run("pair", Self.url, "--json") == .unreachable)
        #expect(try test.errorObject()["reason"]?.string == "tokens_lost")
    }

    @Test("a server without pairing is status 14, and the message names the lack")
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

    @Test("a store that cannot keep the tokens is an error before a code is requested")
    func noStore() async throws {
        try test.folder.plant("", "state")
        #expect(await test.run("pair", Self.url) == .failed)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("tokens of an older pairing are not taken for those of this one")
    func olderPairing() async throws {
        let older = Credential.session(
            StoredSession(kind: .mobile, accessToken: Redacted("t"), issuedAt: TestSystem.now))
        try await test.know(signedInWith: older) {
            $0.account?.pairedAt = TestSystem.now + .seconds(-60)
        }
        try test.stubPairing("expired-or-unknown")
        #expect(await test.run("pair", Self.url) == .rejected)
    }

    @Test(
        "a sign-in of the same user is replaced, another's is left alone",
        arguments: [("ann", ["cottage"]), ("bob", ["cottage", "cottage-2"])])
    func knownServer(username: String, expected: [String]) async throws {
        let record = try await test.know("cottage") { $0.account?.username = username }
        try test.stubPairing("confirmed")
        test.stubPairingExchange()
        #expect(await test.run("pair", Self.url) == .done)
        #expect(try test.known().servers.map(\.name) == expected)
        let isReplaced = try await test.credential(of: record) != TestSystem.session
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
