import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// The rules of renewing a token, one run at a time.
@Suite("TokenRenewal")
struct TokenRenewalTests {
    private typealias Fixture = RenewalFixture

    private let fixture: Fixture
    private var fake: FakeTransport { fixture.fake }
    private let refusal = #"{"detail":"Token has expired"}"#
    private let refreshRefusal = #"{"detail":"Invalid or expired refresh token"}"#
    private let account = #"{"id":"u-1","username":"ann"}"#

    init() throws {
        fixture = try Fixture()
    }

    private func stubRenewal(_ name: String = "a2", _ refresh: String? = "r2") {
        fake.stub(
            .post, Fixture.refresh, body: Fixture.answer(Fixture.token(name, at: 35_000), refresh))
    }

    @Test(
        "a token is renewed when less is left than an hour, a tenth, a minute or half its life",
        arguments: [
            (86_400, 3600), (36_000, 3600), (3600, 360), (600, 60), (120, 60), (60, 30), (2, 1),
        ])
    func lead(lifetime: Int, expected: Int) {
        #expect(StoredSession.renewalLead(lifetime: .seconds(lifetime)) == .seconds(expected))
    }

    @Test("a token with enough left is used as it is")
    func notDue() async throws {
        fixture.now = Fixture.begin + .seconds(32_400)
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1"])
        fake.verify()
    }

    @Test("a token that is due is renewed and stored before it is used")
    func due() async throws {
        fixture.now = Fixture.begin + .seconds(32_401)
        stubRenewal()
        let fixture = fixture
        fake.stub(.get, Fixture.me) { _ in
            let kept = try? await fixture.kept()
            let isStored = kept?.refreshToken == Redacted("r2")
            return .success(
                HTTPResponse(status: isStored ? 200 : 500, body: Array(#"{"id":"u-1"}"#.utf8)))
        }
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(fixture.bearers(of: Fixture.refresh) == ["none"])
        #expect(fixture.bodies(of: Fixture.refresh) == [#"{"refresh_token":"r1"}"#])
        #expect(fixture.bearers(of: Fixture.me) == ["a2"])
        let kept = try await fixture.kept()
        #expect(kept?.accessToken == Redacted(Fixture.token("a2", at: 35_000)))
        #expect(kept?.username == "ann")
        fake.verify()
    }

    @Test(
        "a renewal that brings no usable tokens leaves the old ones, which are used while they live",
        arguments: [
            #"{"access_token":"a\r\nX: y","refresh_token":"r2"}"#,
            #"{"access_token":"tok\u00e9n","refresh_token":"r2"}"#,
            #"{"access_token":"a2","refresh_token":"r\u0007"}"#,
            #"{"access_token":"\#(String(repeating: "a", count: 20_000))"}"#,
        ])
    func useless(answer: String) async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        fake.stub(.post, Fixture.refresh, body: answer)
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1"])
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("a 401 causes one renewal and one retry, a second 401 is an error")
    func refusedOnce() async throws {
        for status in [200, 401] {
            let fixture = try Fixture()
            fixture.fake.stub(.get, Fixture.me, status: 401, body: refusal)
            fixture.fake.stub(
                .post, Fixture.refresh, body: Fixture.answer(Fixture.token("a2", at: 1), "r2"))
            fixture.fake.stub(
                .get, Fixture.me, status: status, body: status == 200 ? account : refusal)
            let error = await fixture.callMe(try await fixture.signedIn())
            #expect(error?.kind == (status == 200 ? nil : .unauthorized))
            #expect(fixture.bearers(of: Fixture.me) == ["a1", "a2"])
            #expect(try await fixture.kept()?.refreshToken == Redacted("r2"))
            fixture.fake.verify()
        }
    }

    @Test("a device names its row, and the documents' servers get the token in a header")
    func otherForms() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        fake.stub(
            .post, Fixture.mobileRefresh,
            body: Fixture.answer(Fixture.token("a2", at: 35_000), "r2"))
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn(Fixture.session(.mobile))) == nil)
        #expect(
            fixture.bodies(of: Fixture.mobileRefresh)
                == [#"{"refresh_token":"r1","device_id":"row-1"}"#])
        fake.verify()

        let documented = try Fixture()
        documented.now = fixture.now
        documented.fake.stub(
            .post, Fixture.refresh, status: 401, body: #"{"detail":"Not authenticated"}"#)
        documented.fake.stub(
            .post, Fixture.refresh, body: Fixture.answer(Fixture.token("a2", at: 35_000), "r2"))
        documented.fake.stub(.get, Fixture.me, body: account)
        #expect(await documented.callMe(try await documented.signedIn()) == nil)
        #expect(documented.bearers(of: Fixture.refresh) == ["none", "a1"])
        let fields = documented.fake.requests[1].headers
        let token = fields.first { $0.name == "X-Refresh-Token" }
        guard case .secret(let value)? = token?.value else {
            Issue.record("no refresh token in a secret header field")
            return
        }
        #expect(value == Redacted("r1"))
        documented.fake.verify()
    }

    @Test("what proves nothing leaves the old tokens in place and in use", arguments: [502, 429])
    func provesNothing(status: Int) async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        fake.stub(.post, Fixture.refresh, status: status)
        for _ in 0..<2 { fake.stub(.get, Fixture.me, body: account) }
        let session = try await fixture.signedIn()
        #expect(await fixture.callMe(session) == nil)
        #expect(await fixture.callMe(session) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1", "a1"])
        #expect(try await fixture.kept() == Fixture.session())
        #expect(fixture.reported.all == [])
        fake.verify()
    }

    @Test("an expired token and an unproved renewal are reported as the renewal's failure")
    func endedAndUndecided() async throws {
        fixture.now = Fixture.begin + .seconds(36_001)
        let lost = TransportError(.connectionLost, "the connection broke")
        for _ in 0..<2 { fake.stub(.post, Fixture.refresh, error: lost) }
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        let error = await fixture.callMe(try await fixture.signedIn())
        #expect(error?.kind == .transport(lost))
        #expect(
            error?.detail
                == "the access token has expired and could not be renewed: the connection broke")
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("a text 500 of a web renewal is met once more after 1.1 s")
    func text500() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        fake.stub(.post, Fixture.refresh, status: 500, body: "Internal Server Error")
        stubRenewal()
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(fixture.waits.all == ["1.1 seconds"])
        #expect(fixture.bearers(of: Fixture.me) == ["a2"])
        fake.verify()
    }

    @Test("tokens are dropped once the server refused access and renewal, and only then")
    func dropped() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        fake.stub(.get, Fixture.me, body: account)
        let session = try await fixture.signedIn()
        #expect(await fixture.callMe(session) == nil)
        #expect(try await fixture.kept() == Fixture.session())
        // The refresh token was refused before and is not sent again.
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        #expect(await fixture.callMe(session)?.kind == .unauthorized)
        #expect(try await fixture.kept() == nil)
        #expect(
            fixture.reported.all == ["the server has ended this sign-in; its tokens were removed"])
        fake.verify()
    }

    @Test("the key of a sign-in takes over in the run in which the server lost the session")
    func lostSession() async throws {
        let session = Fixture.session()
        try await fixture.keep(session)
        let run = fixture.run(session, key: "argus_key")
        for _ in 0..<2 {
            fake.stub(.get, Fixture.me, status: 401, body: refusal)
            fake.stub(.get, Fixture.me) { request in
                #expect(request.headers.contains { $0.name == "X-API-Key" })
                return .success(HTTPResponse(status: 200, body: Array(#"{"id":"u-1"}"#.utf8)))
            }
        }
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        #expect(await fixture.callMe(run) == nil)
        #expect(await fixture.callMe(run) == nil)
        fake.verify()
    }

    @Test("a server that proved nothing cannot make argus forget")
    func unproved() async throws {
        var client = APIClient.test(fake)
        client.proof = ServerProof(.plain)
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        try await fixture.keep(Fixture.session())
        let session = fixture.run(Fixture.session(), on: client)
        #expect(await fixture.callMe(session)?.kind == .unauthorized)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test(
        "a 401 that is not an ArgusAI server's is reported as such, and renews and forgets nothing",
        arguments: ForeignAnswer.bodies)
    func stranger(body: String) async throws {
        fake.stub(.get, Fixture.me, status: 401, body: body)
        let error = await fixture.callMe(try await fixture.signedIn())
        #expect(error?.isForeign == true)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("a renewal that a stranger refuses proves nothing", arguments: ForeignAnswer.bodies)
    func strangerAtRenewal(body: String) async throws {
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 401, body: body)
        let error = await fixture.callMe(try await fixture.signedIn())
        #expect(error?.isForeign == true)
        #expect(error?.detail.hasPrefix("the access token has expired and could not be") == true)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test(
        "words that no server is known to have of a token forget nothing",
        arguments: [
            ("Could not validate credentials", "Invalid or expired refresh token"),
            ("Token has expired", "Invalid token"), ("Token has expired", "Go away"),
            ("Account disabled", "Invalid or expired refresh token"),
            ("Invalid token", "Refresh token is required"), ("Sign in", "Sign in"),
        ])
    func otherWords(access: String, renewal: String) async throws {
        fake.stub(.get, Fixture.me, status: 401, body: #"{"detail":"\#(access)"}"#)
        fake.stub(.post, Fixture.refresh, status: 401, body: #"{"detail":"\#(renewal)"}"#)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .unauthorized)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("a 401 in other words is no refusal of the refresh token, which is sent again later")
    func comeBackLater() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        try await fixture.remember("p")
        fake.stub(.post, Fixture.refresh, status: 401, body: #"{"detail":"come back later"}"#)
        fake.stub(.get, Fixture.me, body: account)
        let session = try await fixture.signedIn()
        #expect(await fixture.callMe(session) == nil)
        fixture.now = fixture.now + .seconds(31)
        stubRenewal()
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(session) == nil)
        // Whoever says so is not shown the password either.
        #expect(fixture.bodies(of: Fixture.login) == [])
        #expect(fixture.bearers(of: Fixture.me) == ["a1", "a2"])
        fake.verify()
    }

    @Test("a 401 in other words is no refusal of a remembered password either")
    func comeBackLaterWithPassword() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        try await fixture.remember("p")
        fake.stub(.post, Fixture.login, status: 401, body: #"{"detail":"come back later"}"#)
        fake.stub(.get, Fixture.me, body: account)
        let session = try await fixture.signedIn(Fixture.session(refresh: nil))
        #expect(await fixture.callMe(session) == nil)
        fixture.now = fixture.now + .seconds(31)
        fake.stub(.post, Fixture.login, body: Fixture.answer(Fixture.token("a2", at: 35_000), "r2"))
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(session) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1", "a2"])
        fake.verify()
    }

    @Test("a refused password ends no sign-in whose refresh token was not refused")
    func refusedPasswordOnly() async throws {
        try await fixture.remember("old")
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 422)
        fake.stub(.post, Fixture.login, status: 401, body: #"{"detail":"Invalid credentials"}"#)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .unauthorized)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test(
        "every refusal that ends a sign-in is recognised",
        arguments: ["Invalid token", "Token has expired", "User not found", "Not authenticated"],
        [
            "Invalid or expired refresh token", "Invalid or revoked refresh token",
            "Your session was terminated due to suspicious activity. Please log in again.",
        ])
    func ownWords(access: String, renewal: String) async throws {
        fake.stub(.get, Fixture.me, status: 401, body: #"{"detail":"\#(access)"}"#)
        fake.stub(.post, Fixture.refresh, status: 401, body: #"{"detail":"\#(renewal)"}"#)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .unauthorized)
        #expect(try await fixture.kept() == nil)
        fake.verify()
    }

    @Test("a server that answered over an address without proof cannot make argus forget")
    func otherAddress() async throws {
        let plain = EndpointTarget(
            kind: .local, address: try ServerAddress(parsing: "http://192.168.1.5:8000"),
            proof: ServerProof(.plain))
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        try await fixture.keep(Fixture.session())
        let session = fixture.run(Fixture.session(), target: plain)
        #expect(await fixture.callMe(session)?.kind == .unauthorized)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("a refusal that is no 401 forgets nothing")
    func refusedOtherwise() async throws {
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 422)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .unauthorized)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("many tasks of one run renew once")
    func singleFlight() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        stubRenewal()
        for _ in 0..<8 { fake.stub(.get, Fixture.me, body: account) }
        let session = try await fixture.signedIn()
        let fixture = fixture
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { #expect(await fixture.callMe(session) == nil) } }
        }
        #expect(fixture.bearers(of: Fixture.me) == Array(repeating: "a2", count: 8))
        fake.verify()
    }

    @Test("a clock that is hours off is corrected by the server's, known from a renewal")
    func clockOffset() async throws {
        // Our clock is five hours behind: by it the token has nine hours left.
        fixture.now = Fixture.begin + .seconds(14_000)
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        let body = Fixture.answer(Fixture.token("a2", at: 32_500), "r2")
        fake.stub(
            .post, Fixture.refresh, headers: [("Date", "Sat, 21 Nov 2026 03:43:20 GMT")], body: body
        )
        fake.stub(.get, Fixture.me, body: account)
        let session = fixture.run(Fixture.session(), offset: .seconds(18_500))
        #expect(await fixture.callMe(session) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1", "a2"])
        #expect(await session.renewal?.learntOffset == .milliseconds(18_600_500))
        fake.verify()
    }
}

/// What answers in the place of a server.
private enum ForeignAnswer {
    static let bodies = [
        "", "<html><h1>401 Authorization Required</h1></html>", "Unauthorized", "null", "[]",
        #"{"error":"login required"}"#, #"{"message":"Token has expired"}"#, #"{"detail":""}"#,
        #"{"detail":["Invalid token"]}"#, #""Invalid token""#,
    ]
}
