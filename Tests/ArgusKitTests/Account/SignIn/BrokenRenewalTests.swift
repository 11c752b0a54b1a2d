import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

/// The end of a sign-in that the server fails to renew.
@Suite("a renewal that the server cannot do")
struct BrokenRenewalTests {
    private typealias Fixture = RenewalFixture

    private let fixture: Fixture
    private var fake: FakeTransport { fixture.fake }
    private let refusal = #"{"detail":"Token has expired"}"#

    init() throws {
        fixture = try Fixture()
    }

    /// Stubs a renewal at which the server crashes, so many times.
    private func stubCrashes(_ count: Int, at path: String = Fixture.mobileRefresh) {
        for _ in 0..<count {
            fake.stub(.post, path, status: 500, body: "Internal Server Error")
        }
    }

    private func stored() async throws -> Session {
        fixture.run(try #require(try await fixture.kept()))
    }

    @Test("a pairing that ended and crashes the server at its renewal is over, and is kept")
    func pairing() async throws {
        fixture.now = Fixture.begin + .seconds(36_001)
        stubCrashes(2)
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        let session = try await fixture.signedIn(Fixture.session(.mobile))
        let error = await fixture.callMe(session)
        #expect(error?.kind == .renewalBroken)
        #expect(error?.detail == "the server fails to renew it (HTTP 500)")
        let kept = try #require(try await fixture.kept())
        #expect(kept.accessToken == Fixture.session().accessToken)
        #expect(kept.isRenewalBroken)
        // Each later run asks once more: a mended server renews.
        fake.stub(
            .post, Fixture.mobileRefresh,
            body: Fixture.answer(Fixture.token("a2", at: 36_001), "r2"))
        fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#)
        #expect(await fixture.callMe(try await stored()) == nil)
        #expect(try await fixture.kept()?.crashes.count == 0)
        fake.verify()
    }

    @Test("a refused token that crashes the server at its renewal is over before its end")
    func rejected() async throws {
        let words = #"{"detail":"Invalid token"}"#
        try await fixture.keep(Fixture.session(.mobile))
        fake.stub(.get, Fixture.me, status: 401, body: words)
        stubCrashes(2)
        fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#)
        let kept = Fixture.session(.mobile)
        #expect(await fixture.callMe(fixture.run(kept, key: "argus_1")) == nil)
        // The next run knows that: its refused token asks for no renewal, and the key serves.
        fake.stub(.get, Fixture.me, status: 401, body: words)
        fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#)
        let next = fixture.run(try #require(try await fixture.kept()), key: "argus_1")
        #expect(await fixture.callMe(next) == nil)
        #expect(await next.isServedByKey)
        // The same run does not send the refused token again.
        fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#)
        #expect(await fixture.callMe(next) == nil)
        #expect(fixture.bearers(of: Fixture.me).filter { $0 == "a1" }.count == 2)
        // Without a key each run asks once.
        fake.stub(.get, Fixture.me, status: 401, body: words)
        stubCrashes(1)
        #expect(await fixture.callMe(try await stored())?.kind == .renewalBroken)
        #expect(try await fixture.kept()?.accessToken == kept.accessToken)
        fake.verify()
    }

    @Test(
        "a stranger's refusal ends no pairing that crashes the server at its renewal",
        arguments: [#"{"detail":"Sign in first"}"#, "<html></html>"])
    func stranger(words: String) async throws {
        try await fixture.keep(Fixture.session(.mobile))
        fake.stub(.get, Fixture.me, status: 401, body: words)
        if words.hasPrefix("{") { stubCrashes(2) }
        let run = fixture.run(Fixture.session(.mobile), key: "argus_1")
        let error = await fixture.callMe(run)
        #expect(error != nil && error?.kind != .renewalBroken)
        #expect(await !run.isServedByKey)
        fake.verify()
    }

    @Test("while its token lives, such a pairing works and asks for no renewal each time")
    func alive() async throws {
        fixture.now = Fixture.begin + .seconds(35_000)
        stubCrashes(2)
        for _ in 0..<2 { fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#) }
        #expect(await fixture.callMe(try await fixture.signedIn(Fixture.session(.mobile))) == nil)
        #expect(await fixture.callMe(try await stored()) == nil)
        fixture.now = fixture.now + .seconds(600)
        stubCrashes(1)
        fake.stub(.get, Fixture.me, body: #"{"id":"u-1"}"#)
        #expect(await fixture.callMe(try await stored()) == nil)
        fake.verify()
    }

    @Test(
        "a failure that may pass ends nothing, however often it comes",
        arguments: [(503, "Service Unavailable"), (500, #"{"detail":"busy"}"#), (502, "")])
    func passing(status: Int, body: String) async throws {
        fixture.now = Fixture.begin + .seconds(36_001)
        try await fixture.keep(Fixture.session(.mobile))
        for _ in 0..<5 {
            fixture.now = fixture.now + .seconds(3600)
            // Before the request and after its 401.
            for _ in 0..<2 {
                fake.stub(.post, Fixture.mobileRefresh, status: status, body: body)
            }
            fake.stub(.get, Fixture.me, status: 401, body: refusal)
            #expect(
                await fixture.callMe(try await stored())?.kind
                    == (status == 500 ? .serverError : .foreign(status)))
        }
        #expect(try await fixture.kept() == Fixture.session(.mobile))
        fake.verify()
    }

    @Test(
        "what was renewed before, and a password, are over only after crashes for ten minutes",
        arguments: [StoredSession.Kind.web, .mobile])
    func repeated(kind: StoredSession.Kind) async throws {
        let path = kind == .web ? Fixture.refresh : Fixture.mobileRefresh
        var session = Fixture.session(kind)
        session.renewedAt = Fixture.begin
        try await fixture.keep(session)
        fixture.now = Fixture.begin + .seconds(36_001)
        for kind in [APIError.Kind.serverError, .serverError, .renewalBroken] {
            // Before the request and, unless that proved enough, after its 401.
            stubCrashes(kind == .renewalBroken ? 2 : 4, at: path)
            fake.stub(.get, Fixture.me, status: 401, body: refusal)
            #expect(await fixture.callMe(try await stored())?.kind == kind)
            fixture.now = fixture.now + .seconds(300)
        }
        fake.verify()
    }

    @Test("a refused renewal of a token that has ended is the end too")
    func refused() async throws {
        fixture.now = Fixture.begin + .seconds(36_001)
        fake.stub(
            .post, Fixture.refresh, status: 401,
            body: #"{"detail":"Invalid or expired refresh token"}"#)
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .renewalBroken)
        fake.verify()
    }
}
