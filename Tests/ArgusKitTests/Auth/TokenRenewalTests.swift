import ArgusKit
import ArgusTestSupport
import Testing

/// The rules of renewing a token, one run at a time.
@Suite("TokenRenewal")
struct TokenRenewalTests {
    private typealias House = RenewalHouse

    private let house: House
    private var fake: FakeTransport { house.fake }
    private let refusal = #"{"detail":"Token has expired"}"#
    private let refreshRefusal = #"{"detail":"Invalid or expired refresh token"}"#
    private let account = #"{"id":"u-1","username":"ann"}"#

    init() throws {
        house = try House()
    }

    private func stubRenewal(_ name: String = "a2", _ refresh: String? = "r2") {
        fake.stub(
            .post, House.refresh, body: House.answer(House.token(name, at: 35_000), refresh))
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
        house.now = House.begin + .seconds(32_400)
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(house.bearers(of: House.me) == ["a1"])
        fake.verify()
    }

    @Test("a token that is due is renewed and stored before it is used")
    func due() async throws {
        house.now = House.begin + .seconds(32_401)
        stubRenewal()
        let house = house
        fake.stub(.get, House.me) { _ in
            let kept = try? await house.kept()
            let isStored = kept?.refreshToken == Redacted("r2")
            return .success(
                HTTPResponse(status: isStored ? 200 : 500, body: Array(#"{"id":"u-1"}"#.utf8)))
        }
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(house.bearers(of: House.refresh) == ["none"])
        #expect(house.bodies(of: House.refresh) == [#"{"refresh_token":"r1"}"#])
        #expect(house.bearers(of: House.me) == ["a2"])
        let kept = try await house.kept()
        #expect(kept?.accessToken == Redacted(House.token("a2", at: 35_000)))
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
        house.now = House.begin + .seconds(35_000)
        fake.stub(.post, House.refresh, body: answer)
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(house.bearers(of: House.me) == ["a1"])
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a 401 is met by one renewal and one more try, a second 401 is told")
    func refusedOnce() async throws {
        for status in [200, 401] {
            let house = try House()
            house.fake.stub(.get, House.me, status: 401, body: refusal)
            house.fake.stub(
                .post, House.refresh, body: House.answer(House.token("a2", at: 1), "r2"))
            house.fake.stub(
                .get, House.me, status: status, body: status == 200 ? account : refusal)
            let error = await house.callMe(try await house.signedIn())
            #expect(error?.kind == (status == 200 ? nil : .unauthorized))
            #expect(house.bearers(of: House.me) == ["a1", "a2"])
            #expect(try await house.kept()?.refreshToken == Redacted("r2"))
            house.fake.verify()
        }
    }

    @Test("a device names its row, and the documents' servers get the token in a header")
    func otherForms() async throws {
        house.now = House.begin + .seconds(35_000)
        fake.stub(
            .post, House.mobileRefresh, body: House.answer(House.token("a2", at: 35_000), "r2"))
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn(House.session(.mobile))) == nil)
        #expect(
            house.bodies(of: House.mobileRefresh)
                == [#"{"refresh_token":"r1","device_id":"row-1"}"#])
        fake.verify()

        let documented = try House()
        documented.now = house.now
        documented.fake.stub(
            .post, House.refresh, status: 401, body: #"{"detail":"Not authenticated"}"#)
        documented.fake.stub(
            .post, House.refresh, body: House.answer(House.token("a2", at: 35_000), "r2"))
        documented.fake.stub(.get, House.me, body: account)
        #expect(await documented.callMe(try await documented.signedIn()) == nil)
        #expect(documented.bearers(of: House.refresh) == ["none", "a1"])
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
        house.now = House.begin + .seconds(35_000)
        fake.stub(.post, House.refresh, status: status)
        for _ in 0..<2 { fake.stub(.get, House.me, body: account) }
        let session = try await house.signedIn()
        #expect(await house.callMe(session) == nil)
        #expect(await house.callMe(session) == nil)
        #expect(house.bearers(of: House.me) == ["a1", "a1"])
        #expect(try await house.kept() == House.session())
        #expect(house.told.all == [])
        fake.verify()
    }

    @Test("where the token has ended and the renewal proves nothing, that is what is told")
    func endedAndUndecided() async throws {
        house.now = House.begin + .seconds(36_001)
        let lost = TransportError(.connectionLost, "the connection broke")
        for _ in 0..<2 { fake.stub(.post, House.refresh, error: lost) }
        fake.stub(.get, House.me, status: 401, body: refusal)
        let error = await house.callMe(try await house.signedIn())
        #expect(error?.kind == .transport(lost))
        #expect(
            error?.detail
                == "the access token has ended and could not be renewed now: the connection broke")
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a text 500 of a web renewal is met once more after 1.1 s")
    func text500() async throws {
        house.now = House.begin + .seconds(35_000)
        fake.stub(.post, House.refresh, status: 500, body: "Internal Server Error")
        stubRenewal()
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(house.waits.all == ["1.1 seconds"])
        #expect(house.bearers(of: House.me) == ["a2"])
        fake.verify()
    }

    @Test("tokens are dropped once the server refused access and renewal, and only then")
    func dropped() async throws {
        house.now = House.begin + .seconds(35_000)
        fake.stub(.post, House.refresh, status: 401, body: refreshRefusal)
        fake.stub(.get, House.me, body: account)
        let session = try await house.signedIn()
        #expect(await house.callMe(session) == nil)
        #expect(try await house.kept() == House.session())
        // The refresh token was refused before and is not sent again.
        fake.stub(.get, House.me, status: 401, body: refusal)
        #expect(await house.callMe(session)?.kind == .unauthorized)
        #expect(try await house.kept() == nil)
        #expect(house.told.all == ["the server has ended this sign-in; its tokens were removed"])
        fake.verify()
    }

    @Test("a server that proved nothing cannot make argus forget")
    func unproved() async throws {
        var client = APIClient.test(fake)
        client.proof = ServerProof(.plain)
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 401, body: refreshRefusal)
        try await house.keep(House.session())
        let session = house.run(House.session(), on: client)
        #expect(await house.callMe(session)?.kind == .unauthorized)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test(
        "a 401 that is no ArgusAI server's is told as that, and renews and forgets nothing",
        arguments: Stranger.bodies)
    func stranger(body: String) async throws {
        fake.stub(.get, House.me, status: 401, body: body)
        let error = await house.callMe(try await house.signedIn())
        #expect(error?.isForeign == true)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a renewal that a stranger refuses proves nothing", arguments: Stranger.bodies)
    func strangerAtRenewal(body: String) async throws {
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 401, body: body)
        let error = await house.callMe(try await house.signedIn())
        #expect(error?.isForeign == true)
        #expect(error?.detail.hasPrefix("the access token has ended and could not be") == true)
        #expect(try await house.kept() == House.session())
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
        fake.stub(.get, House.me, status: 401, body: #"{"detail":"\#(access)"}"#)
        fake.stub(.post, House.refresh, status: 401, body: #"{"detail":"\#(renewal)"}"#)
        #expect(await house.callMe(try await house.signedIn())?.kind == .unauthorized)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a 401 in other words is no refusal of the refresh token, which is sent again later")
    func comeBackLater() async throws {
        house.now = House.begin + .seconds(35_000)
        try await house.remember("p")
        fake.stub(.post, House.refresh, status: 401, body: #"{"detail":"come back later"}"#)
        fake.stub(.get, House.me, body: account)
        let session = try await house.signedIn()
        #expect(await house.callMe(session) == nil)
        house.now = house.now + .seconds(31)
        stubRenewal()
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(session) == nil)
        // Whoever says so is not shown the password either.
        #expect(house.bodies(of: House.login) == [])
        #expect(house.bearers(of: House.me) == ["a1", "a2"])
        fake.verify()
    }

    @Test("a 401 in other words is no refusal of a remembered password either")
    func comeBackLaterWithPassword() async throws {
        house.now = House.begin + .seconds(35_000)
        try await house.remember("p")
        fake.stub(.post, House.login, status: 401, body: #"{"detail":"come back later"}"#)
        fake.stub(.get, House.me, body: account)
        let session = try await house.signedIn(House.session(refresh: nil))
        #expect(await house.callMe(session) == nil)
        house.now = house.now + .seconds(31)
        fake.stub(.post, House.login, body: House.answer(House.token("a2", at: 35_000), "r2"))
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(session) == nil)
        #expect(house.bearers(of: House.me) == ["a1", "a2"])
        fake.verify()
    }

    @Test("a refused password ends no sign-in whose refresh token was not refused")
    func refusedPasswordOnly() async throws {
        try await house.remember("old")
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 422, body: #"{"detail":[]}"#)
        fake.stub(.post, House.login, status: 401, body: #"{"detail":"Invalid credentials"}"#)
        #expect(await house.callMe(try await house.signedIn())?.kind == .unauthorized)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test(
        "each way of the server to end a sign-in is understood",
        arguments: ["Invalid token", "Token has expired", "User not found", "Not authenticated"],
        [
            "Invalid or expired refresh token", "Invalid or revoked refresh token",
            "Your session was terminated due to suspicious activity. Please log in again.",
        ])
    func ownWords(access: String, renewal: String) async throws {
        fake.stub(.get, House.me, status: 401, body: #"{"detail":"\#(access)"}"#)
        fake.stub(.post, House.refresh, status: 401, body: #"{"detail":"\#(renewal)"}"#)
        #expect(await house.callMe(try await house.signedIn())?.kind == .unauthorized)
        #expect(try await house.kept() == nil)
        fake.verify()
    }

    @Test("a server that answered over an address without proof cannot make argus forget")
    func otherAddress() async throws {
        let plain = WayTarget(
            .local, try ServerAddress(parsing: "http://192.168.1.5:8000"),
            proof: ServerProof(.plain))
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 401, body: refreshRefusal)
        try await house.keep(House.session())
        let session = house.run(House.session(), target: plain)
        #expect(await house.callMe(session)?.kind == .unauthorized)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a refusal that is no 401 forgets nothing")
    func refusedOtherwise() async throws {
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 422, body: #"{"detail":[]}"#)
        #expect(await house.callMe(try await house.signedIn())?.kind == .unauthorized)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("many tasks of one run renew once")
    func singleFlight() async throws {
        house.now = House.begin + .seconds(35_000)
        stubRenewal()
        for _ in 0..<8 { fake.stub(.get, House.me, body: account) }
        let session = try await house.signedIn()
        let house = house
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { #expect(await house.callMe(session) == nil) } }
        }
        #expect(house.bearers(of: House.me) == Array(repeating: "a2", count: 8))
        fake.verify()
    }

    @Test("a clock that is wrong by hours is judged by the server's, which a renewal tells")
    func clockOffset() async throws {
        // Our clock is five hours behind: by it the token has nine hours left.
        house.now = House.begin + .seconds(14_000)
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        let body = House.answer(House.token("a2", at: 32_500), "r2")
        fake.stub(
            .post, House.refresh, headers: [("Date", "Sat, 21 Nov 2026 03:43:20 GMT")], body: body)
        fake.stub(.get, House.me, body: account)
        let session = house.run(House.session(), offset: .seconds(18_500))
        #expect(await house.callMe(session) == nil)
        #expect(house.bearers(of: House.me) == ["a1", "a2"])
        #expect(await session.renewal?.learntOffset == .milliseconds(18_600_500))
        fake.verify()
    }
}

/// What answers in the place of a server.
private enum Stranger {
    static let bodies = [
        "", "<html><h1>401 Authorization Required</h1></html>", "Unauthorized", "null", "[]",
        #"{"error":"login required"}"#, #"{"message":"Token has expired"}"#, #"{"detail":""}"#,
        #"{"detail":["Invalid token"]}"#, #""Invalid token""#,
    ]
}
