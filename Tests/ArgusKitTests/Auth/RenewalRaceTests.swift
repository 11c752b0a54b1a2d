import ArgusKit
import ArgusTestSupport
import Testing

/// What several processes do to one sign-in, and the password as the last way.
@Suite("TokenRenewal among processes")
struct RenewalRaceTests {
    private typealias House = RenewalHouse

    private let house: House
    private var fake: FakeTransport { house.fake }
    private let refusal = #"{"detail":"Token has expired"}"#
    private let refreshRefusal = #"{"detail":"Invalid or expired refresh token"}"#
    private let account = #"{"id":"u-1","username":"ann"}"#

    init() throws {
        house = try House()
        house.now = House.begin + .seconds(35_000)
    }

    private func newer(_ name: String = "b1", _ refresh: String = "r2") -> StoredSession {
        var session = House.session(refresh: refresh)
        session.accessToken = Redacted(House.token(name, at: 34_000))
        return session
    }

    @Test("many runs renew once: the others find the new tokens in the store")
    func manyRuns() async throws {
        fake.stub(.post, House.refresh, body: House.answer(House.token("a2", at: 35_000), "r2"))
        for _ in 0..<12 { fake.stub(.get, House.me, body: account) }
        try await house.keep(House.session())
        let house = house
        await withTaskGroup { group in
            for _ in 0..<12 {
                let session = house.run(
                    House.session(), lockSleep: { try await Task.sleep(for: $0) })
                group.addTask { #expect(await house.callMe(session) == nil) }
            }
        }
        #expect(house.bearers(of: House.me) == Array(repeating: "a2", count: 12))
        fake.verify()
    }

    @Test("a wrong idea of the server's clock costs one renewal, not one for each process")
    func wrongOffset() async throws {
        house.now = House.begin
        let body = House.answer(House.token("a2"), "r2")
        fake.stub(
            .post, House.refresh, headers: [("Date", "Fri, 20 Nov 2026 18:40:00 GMT")], body: body)
        for _ in 0..<4 { fake.stub(.get, House.me, body: account) }
        try await house.keep(House.session())
        let wrong = Duration.seconds(35_000)
        for session in (0..<2).map({ _ in house.run(House.session(), offset: wrong) }) {
            #expect(await house.callMe(session) == nil)
            #expect(await house.callMe(session) == nil)
            #expect(await session.renewal?.learntOffset == .zero)
        }
        #expect(house.bearers(of: House.me) == ["a2", "a2", "a2", "a2"])
        fake.verify()
    }

    @Test("a run whose token was refused uses what another has stored meanwhile")
    func refusedAfterRace() async throws {
        house.now = House.begin
        let session = try await house.signedIn()
        try await house.keep(newer())
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(session) == nil)
        #expect(house.bearers(of: House.me) == ["a1", "b1"])
        fake.verify()
    }

    @Test("a renewal refused after a lost race reads the store again before it gives up")
    func lostRace() async throws {
        let (house, newer) = (house, newer())
        let words = refreshRefusal
        fake.stub(.post, House.refresh) { _ in
            try? await house.keep(newer)
            return .success(HTTPResponse(status: 401, body: Array(words.utf8)))
        }
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(house.bearers(of: House.me) == ["b1"])
        #expect(try await house.kept() == newer)
        fake.verify()
    }

    @Test("an echoed old refresh token replaces no newer one")
    func echo() async throws {
        var newer = newer("b1", "r2")
        newer.kind = .mobile
        newer.deviceRowID = "row-1"
        let (house, stored) = (house, newer)
        let body = House.answer(House.token("a2", at: 35_000), "r1")
        fake.stub(.post, House.mobileRefresh) { _ in
            try? await house.keep(stored)
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn(House.session(.mobile))) == nil)
        #expect(try await house.kept() == stored)
        fake.verify()
    }

    @Test("a renewal brings back nothing that was signed out of meanwhile")
    func signedOut() async throws {
        let house = house
        let body = House.answer(House.token("a2", at: 35_000), "r2")
        fake.stub(.post, House.refresh) { _ in
            try? await house.store.eraseAll(of: house.server)
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(try await house.kept() == nil)
        fake.verify()
    }

    @Test("behind a lock that is never given back, the old token is used while it lives")
    func hangingHolder() async throws {
        let session = try await house.signedIn()
        let lock = try await house.lock()
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(session) == nil)
        #expect(house.bearers(of: House.me) == ["a1"])
        // 10, 20, 40, 80 ms, then 100 ms each: about 2 s in all.
        #expect((20...25).contains(house.waits.all.count))
        #expect(house.told.all == [])
        _ = consume lock
        fake.verify()
    }

    @Test("a token that has ended is worth 35 s of waiting in all, and a word after 2")
    func endedBehindHangingHolder() async throws {
        house.now = House.begin + .seconds(36_001)
        let session = try await house.signedIn()
        let lock = try await house.lock()
        fake.stub(.get, House.me, status: 401, body: refusal)
        let error = await house.callMe(session)
        guard case .storeFailed(.file(let cause)) = error?.kind else {
            Issue.record("another failure: \(String(describing: error))")
            return
        }
        #expect(cause.reason == .locked)
        #expect((350...365).contains(house.waits.all.count), "\(house.waits.all.count)")
        let told = ["another argus process is changing the sign-in; waiting 33 s at most"]
        #expect(house.told.all == told)
        #expect(try await house.kept() == House.session())
        _ = consume lock
        fake.verify()
    }

    @Test("a store that cannot be written asks no server for tokens that it would lose")
    func unwritable() async throws {
        try await house.keep(House.session())
        let store = StoreThatKeepsNothing(base: house.store)
        let place = Paths.Place.folder(house.folder.path)
        let house = house
        let ways = RenewalWays(
            client: .test(fake), store: store, budget: SignInBudget(place), now: { house.now },
            sleep: { _ in })
        let procedure = RenewalProcedure(
            ways, of: house.server, in: store, folder: place, now: { house.now },
            sleep: { _ in }, tell: house.told.add)
        let run = Session(
            client: .test(fake), authorization: .none,
            renewal: TokenRenewal(House.session(), offset: nil, procedure: procedure))
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(run) == nil)
        #expect(house.bearers(of: House.me) == ["a1"])
        let cause = CredentialStoreError.unavailable(reason: "the disk is full")
        #expect(house.told.all == ["the sign-in cannot be renewed: \(cause)"])
        // Refused, the token leaves nothing but the cause; it has been told once.
        fake.stub(.get, House.me, status: 401, body: refusal)
        let error = await house.callMe(run)
        #expect(error?.kind == .storeFailed(cause))
        #expect(error?.detail.contains("\(cause)") == true)
        #expect(house.told.all.count == 1)
        #expect(try await house.kept() == House.session())
        fake.verify()
    }

    @Test("a folder that cannot be locked is why a refused token was not renewed")
    func unlockable() async throws {
        try await house.keep(House.session())
        let house = house
        let ways = RenewalWays(
            client: .test(fake), store: house.store, budget: SignInBudget(.none(reason: "")),
            now: { house.now }, sleep: { _ in })
        let procedure = RenewalProcedure(
            ways, of: house.server, in: house.store, folder: .folder("/sys/argus"),
            now: { house.now }, sleep: { _ in }, tell: house.told.add)
        let run = Session(
            client: .test(fake), authorization: .none,
            renewal: TokenRenewal(House.session(), offset: nil, procedure: procedure))
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(run) == nil)
        fake.stub(.get, House.me, status: 401, body: refusal)
        let error = await house.callMe(run)
        guard case .storeFailed(.file(let cause)) = error?.kind else {
            Issue.record("another failure: \(String(describing: error))")
            return
        }
        #expect(cause.path == "/sys/argus")
        #expect(house.told.all.isEmpty)
        fake.verify()
    }

    @Test("with a remembered password argus signs in again when the refresh token is refused")
    func password() async throws {
        try await house.remember("correct horse: ä ")
        fake.stub(.post, House.refresh, status: 401, body: refreshRefusal)
        fake.stub(.post, House.login, body: House.answer(House.token("a2", at: 35_000), "r9"))
        fake.stub(.get, House.me, body: account)
        #expect(await house.callMe(try await house.signedIn()) == nil)
        #expect(
            house.bodies(of: House.login) == [#"{"username":"ann","password":"correct horse: ä "}"#]
        )
        #expect(house.bearers(of: House.me) == ["a2"])
        #expect(try await house.kept()?.refreshToken == Redacted("r9"))
        fake.verify()
    }

    @Test("all processes together sign in at most four times in 15 minutes")
    func budget() async throws {
        try await house.remember("p")
        try await house.keep(House.session(refresh: nil))
        for count in 1...5 {
            let ended = House.token("x\(count)", at: -36_000)
            if count < 5 { fake.stub(.post, House.login, body: House.answer(ended, nil)) }
            fake.stub(.get, House.me, body: account)
            house.now = house.now + .seconds(60)
            let session = try #require(try await house.kept())
            #expect(await house.callMe(house.run(session)) == nil)
        }
        #expect(house.bodies(of: House.login).count == 4)
        house.now = house.now + .seconds(900)
        fake.stub(.post, House.login, body: House.answer(House.token("y", at: 35_000), nil))
        fake.stub(.get, House.me, body: account)
        let session = try #require(try await house.kept())
        #expect(await house.callMe(house.run(session)) == nil)
        #expect(house.bearers(of: House.me).last == "y")
        fake.verify()
    }

    @Test("a remembered password that the server refuses is forgotten with the tokens")
    func wrongPassword() async throws {
        try await house.remember("old")
        fake.stub(.get, House.me, status: 401, body: refusal)
        fake.stub(.post, House.refresh, status: 401, body: refreshRefusal)
        fake.stub(.post, House.login, status: 401, body: #"{"detail":"Invalid credentials"}"#)
        #expect(await house.callMe(try await house.signedIn())?.kind == .unauthorized)
        #expect(try await house.kept() == nil)
        #expect(try await house.store.read(CredentialKey(house.server, .password)) == nil)
        fake.verify()
    }
}

/// A store on a full disk.
private struct StoreThatKeepsNothing: CredentialStore {
    let name = "full"
    var base: SealedFileStore

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        try await base.read(key)
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        throw .unavailable(reason: "the disk is full")
    }

    func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        try await base.erase(key)
    }
}
