import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// What several processes do to one sign-in, and the password as the last way.
@Suite("TokenRenewal among processes")
struct RenewalRaceTests {
    private typealias Fixture = RenewalFixture

    private let fixture: Fixture
    private var fake: FakeTransport { fixture.fake }
    private let refusal = #"{"detail":"Token has expired"}"#
    private let refreshRefusal = #"{"detail":"Invalid or expired refresh token"}"#
    private let account = #"{"id":"u-1","username":"ann"}"#

    init() throws {
        fixture = try Fixture()
        fixture.now = Fixture.begin + .seconds(35_000)
    }

    private func newer(_ name: String = "b1", _ refresh: String = "r2") -> StoredSession {
        var session = Fixture.session(refresh: refresh)
        session.accessToken = Redacted(Fixture.token(name, at: 34_000))
        return session
    }

    @Test("many runs renew once: the others find the new tokens in the store")
    func manyRuns() async throws {
        fake.stub(
            .post, Fixture.refresh, body: Fixture.answer(Fixture.token("a2", at: 35_000), "r2"))
        for _ in 0..<12 { fake.stub(.get, Fixture.me, body: account) }
        try await fixture.keep(Fixture.session())
        let fixture = fixture
        await withTaskGroup { group in
            for _ in 0..<12 {
                let session = fixture.run(
                    Fixture.session(), lockSleep: { try await Task.sleep(for: $0) })
                group.addTask { #expect(await fixture.callMe(session) == nil) }
            }
        }
        #expect(fixture.bearers(of: Fixture.me) == Array(repeating: "a2", count: 12))
        fake.verify()
    }

    @Test("a wrong idea of the server's clock costs one renewal, not one for each process")
    func wrongOffset() async throws {
        fixture.now = Fixture.begin
        let body = Fixture.answer(Fixture.token("a2"), "r2")
        fake.stub(
            .post, Fixture.refresh, headers: [("Date", "Fri, 20 Nov 2026 18:40:00 GMT")], body: body
        )
        for _ in 0..<4 { fake.stub(.get, Fixture.me, body: account) }
        try await fixture.keep(Fixture.session())
        let wrong = Duration.seconds(35_000)
        for session in (0..<2).map({ _ in fixture.run(Fixture.session(), offset: wrong) }) {
            #expect(await fixture.callMe(session) == nil)
            #expect(await fixture.callMe(session) == nil)
            #expect(await session.renewal?.learntOffset == .zero)
        }
        #expect(fixture.bearers(of: Fixture.me) == ["a2", "a2", "a2", "a2"])
        fake.verify()
    }

    @Test("a run whose token was refused uses what another has stored meanwhile")
    func refusedAfterRace() async throws {
        fixture.now = Fixture.begin
        let session = try await fixture.signedIn()
        try await fixture.keep(newer())
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(session) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1", "b1"])
        fake.verify()
    }

    @Test("a renewal refused after a lost race reads the store again before it gives up")
    func lostRace() async throws {
        let (fixture, newer) = (fixture, newer())
        let words = refreshRefusal
        fake.stub(.post, Fixture.refresh) { _ in
            try? await fixture.keep(newer)
            return .success(HTTPResponse(status: 401, body: Array(words.utf8)))
        }
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["b1"])
        #expect(try await fixture.kept() == newer)
        fake.verify()
    }

    @Test("an echoed old refresh token replaces no newer one")
    func echo() async throws {
        var newer = newer("b1", "r2")
        newer.kind = .mobile
        newer.deviceRowID = "row-1"
        let (fixture, stored) = (fixture, newer)
        let body = Fixture.answer(Fixture.token("a2", at: 35_000), "r1")
        fake.stub(.post, Fixture.mobileRefresh) { _ in
            try? await fixture.keep(stored)
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn(Fixture.session(.mobile))) == nil)
        #expect(try await fixture.kept() == stored)
        fake.verify()
    }

    @Test("a renewal brings back nothing that was signed out of meanwhile")
    func signedOut() async throws {
        let fixture = fixture
        let body = Fixture.answer(Fixture.token("a2", at: 35_000), "r2")
        fake.stub(.post, Fixture.refresh) { _ in
            try? await fixture.store.eraseAll(of: fixture.server)
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(try await fixture.kept() == nil)
        fake.verify()
    }

    @Test("behind a lock that is never given back, the old token is used while it lives")
    func hangingHolder() async throws {
        let session = try await fixture.signedIn()
        let lock = try await fixture.lock()
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(session) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1"])
        // 10, 20, 40, 80 ms, then 100 ms each: about 2 s in all.
        #expect((20...25).contains(fixture.waits.all.count))
        #expect(Set(fixture.waits.all.suffix(16)) == ["0.1 seconds"])
        #expect(fixture.reported.all == [])
        _ = consume lock
        fake.verify()
    }

    @Test("a token that has ended is worth 35 s of waiting in all, and a word after 2")
    func endedBehindHangingHolder() async throws {
        fixture.now = Fixture.begin + .seconds(36_001)
        let session = try await fixture.signedIn()
        let lock = try await fixture.lock()
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        let error = await fixture.callMe(session)
        guard case .storeFile(let cause) = error?.cause as? AccountError else {
            Issue.record("another failure: \(String(describing: error))")
            return
        }
        #expect(cause.reason == .locked)
        #expect((350...365).contains(fixture.waits.all.count), "\(fixture.waits.all.count)")
        let reported = ["another argus process is changing the sign-in; waiting 33 s at most"]
        #expect(fixture.reported.all == reported)
        #expect(try await fixture.kept() == Fixture.session())
        _ = consume lock
        fake.verify()
    }

    @Test("renewed tokens are stored although nothing can be made once the request has left")
    func nothingToBeMade() async throws {
        let fixture = fixture
        let key = fixture.folder.file("credentials/key")
        let body = Fixture.answer(Fixture.token("a2", at: 35_000), "r2")
        try await fixture.keep(Fixture.session())
        fake.stub(.post, Fixture.refresh) { _ in
            // As a key file that others may read, it is refused.
            chmod(key, 0o644)
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(fixture.run(Fixture.session())) == nil)
        chmod(key, 0o600)
        #expect(try await fixture.kept()?.refreshToken == Redacted("r2"))
        #expect(fixture.reported.all.isEmpty)
        let files = FolderNames.all(in: fixture.folder.file("credentials"))
        #expect(Set(files) == ["key", "key.lock", "\(fixture.server.text).sign-in.sealed"])
        fake.verify()
    }

    @Test(
        "a write that fails all the same is tried again, at once, later, and a second later",
        arguments: [EMFILE, EACCES])
    func writtenAgain(number: CInt) async throws {
        let (keyring, waits) = (ScriptedKeyring(), MessageLog())
        let (key, value) = (CredentialKey(fixture.server), Redacted<[UInt8]>([1]))
        let error = AccountError.storeFile(
            FileSystemError(.create, "file", .errno(Errno(rawValue: number))))
        let place = try await keyring.place(for: key)
        keyring.refuse(.write(.signIn), by: error, times: 3)
        try await place.keep(value) { waits.add("\($0)") }
        #expect(try await keyring.read(key) == value)
        #expect(waits.all == ["0.1 seconds", "1.0 seconds"])
        // What does not pass is not tried again, nor anything without end.
        for (error, count) in [(error, 2), (.storeLocked(store: "keyring"), 0)] {
            let (place, before) = (try await keyring.place(for: key), waits.all.count)
            keyring.refuse(.write(.signIn), by: error)
            let thrown = await failure { () async throws(AccountError) in
                try await place.keep(Redacted([2])) { waits.add("\($0)") }
            }
            #expect(thrown == error)
            #expect(waits.all.count == before + count)
            keyring.refuse(.write(.signIn), by: error, times: 0)
            try? await keyring.write(value, for: key)
        }
        #expect(try await keyring.read(key) == value)
    }

    @Test("a store that cannot be written asks no server for tokens that it would lose")
    func unwritable() async throws {
        try await fixture.keep(Fixture.session())
        let store = ForgetfulStore(base: fixture.store)
        let state = Paths.Folder.folder(fixture.folder.path)
        let fixture = fixture
        let procedure = RenewalProcedure(
            by: .test(fake), of: fixture.server, in: store,
            StateEnvironment(
                state, now: { fixture.now }, sleep: { _ in }, notify: fixture.reported.add))
        let run = Session(
            client: .test(fake), authorization: .none,
            renewal: TokenRenewal(Fixture.session(), offset: nil, procedure: procedure))
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(run) == nil)
        #expect(fixture.bearers(of: Fixture.me) == ["a1"])
        let cause = AccountError.storeUnavailable(reason: "the disk is full")
        #expect(fixture.reported.all == ["the sign-in cannot be renewed: \(cause)"])
        // Refused, the token leaves nothing but the cause; it has been told once.
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        let error = await fixture.callMe(run)
        #expect(error?.kind == .storeFailed)
        #expect(error?.cause as? AccountError == cause)
        #expect(error?.detail.contains("\(cause)") == true)
        #expect(fixture.reported.all.count == 1)
        #expect(try await fixture.kept() == Fixture.session())
        fake.verify()
    }

    @Test("tokens that could not be stored are renewed by themselves, not by those they replaced")
    func unstored() async throws {
        let (fixture, keyring) = (fixture, ScriptedKeyring())
        try await keyring.keep(.session(Fixture.session()), of: fixture.server)
        let procedure = RenewalProcedure(
            by: .test(fake), of: fixture.server, in: keyring,
            StateEnvironment(
                .folder(fixture.folder.path), now: { fixture.now }, sleep: { _ in },
                notify: fixture.reported.add))
        let run = Session(
            client: .test(fake), authorization: .none,
            renewal: TokenRenewal(Fixture.session(), offset: nil, procedure: procedure))
        fake.stub(.get, Fixture.me, body: account)
        // The store takes what is made first, and refuses the answer.
        fake.stub(.post, Fixture.refresh) { _ in
            keyring.refuse(.write(.signIn), by: .storeLocked(store: "keyring"), times: 1)
            let body = Fixture.answer(Fixture.token("a2", at: 35_000), "r2")
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        fixture.now = Fixture.begin + .seconds(35_000)
        #expect(await fixture.callMe(run) == nil)
        #expect(fixture.reported.all.count == 1)
        fake.stub(
            .post, Fixture.refresh, body: Fixture.answer(Fixture.token("a3", at: 70_000), "r3"))
        fake.stub(.get, Fixture.me, body: account)
        fixture.now = Fixture.begin + .seconds(70_000)
        #expect(await fixture.callMe(run) == nil)
        #expect(fixture.bodies(of: Fixture.refresh).last == #"{"refresh_token":"r2"}"#)
        #expect(fixture.bearers(of: Fixture.me) == ["a2", "a3"])
        guard case .session(let kept)? = try await keyring.credential(of: fixture.server) else {
            Issue.record("nothing is stored")
            return
        }
        #expect(kept.refreshToken == Redacted("r3"))
        #expect(fixture.reported.all.count == 1)
        fake.verify()
    }

    @Test("a folder that cannot be locked is why a refused token was not renewed")
    func unlockable() async throws {
        try await fixture.keep(Fixture.session())
        let fixture = fixture
        let procedure = RenewalProcedure(
            by: .test(fake), of: fixture.server, in: fixture.store,
            StateEnvironment(
                .folder("/sys/argus"), now: { fixture.now }, sleep: { _ in },
                notify: fixture.reported.add))
        let run = Session(
            client: .test(fake), authorization: .none,
            renewal: TokenRenewal(Fixture.session(), offset: nil, procedure: procedure))
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(run) == nil)
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        let error = await fixture.callMe(run)
        guard case .storeFile(let cause) = error?.cause as? AccountError else {
            Issue.record("another failure: \(String(describing: error))")
            return
        }
        #expect(cause.path == "/sys/argus")
        #expect(fixture.reported.all.isEmpty)
        fake.verify()
    }

    @Test("with a remembered password argus signs in again when the refresh token is refused")
    func password() async throws {
        try await fixture.remember("correct horse: ä ")
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        fake.stub(.post, Fixture.login, body: Fixture.answer(Fixture.token("a2", at: 35_000), "r9"))
        fake.stub(.get, Fixture.me, body: account)
        #expect(await fixture.callMe(try await fixture.signedIn()) == nil)
        #expect(
            fixture.bodies(of: Fixture.login) == [
                #"{"username":"ann","password":"correct horse: ä "}"#
            ]
        )
        #expect(fixture.bearers(of: Fixture.me) == ["a2"])
        #expect(try await fixture.kept()?.refreshToken == Redacted("r9"))
        fake.verify()
    }

    @Test("all processes together sign in at most four times in 15 minutes")
    func budget() async throws {
        try await fixture.remember("p")
        try await fixture.keep(Fixture.session(refresh: nil))
        for count in 1...5 {
            let ended = Fixture.token("x\(count)", at: -36_000)
            if count < 5 { fake.stub(.post, Fixture.login, body: Fixture.answer(ended, nil)) }
            fake.stub(.get, Fixture.me, body: account)
            fixture.now = fixture.now + .seconds(60)
            let session = try #require(try await fixture.kept())
            #expect(await fixture.callMe(fixture.run(session)) == nil)
        }
        #expect(fixture.bodies(of: Fixture.login).count == 4)
        fixture.now = fixture.now + .seconds(900)
        fake.stub(.post, Fixture.login, body: Fixture.answer(Fixture.token("y", at: 35_000), nil))
        fake.stub(.get, Fixture.me, body: account)
        let session = try #require(try await fixture.kept())
        #expect(await fixture.callMe(fixture.run(session)) == nil)
        #expect(fixture.bearers(of: Fixture.me).last == "y")
        fake.verify()
    }

    @Test("a remembered password that the server refuses is forgotten with the tokens")
    func wrongPassword() async throws {
        try await fixture.remember("old")
        fake.stub(.get, Fixture.me, status: 401, body: refusal)
        fake.stub(.post, Fixture.refresh, status: 401, body: refreshRefusal)
        fake.stub(.post, Fixture.login, status: 401, body: #"{"detail":"Invalid credentials"}"#)
        #expect(await fixture.callMe(try await fixture.signedIn())?.kind == .unauthorized)
        #expect(try await fixture.kept() == nil)
        #expect(try await fixture.store.read(CredentialKey(fixture.server, .password)) == nil)
        fake.verify()
    }
}

/// A store on a full disk.
private struct ForgetfulStore: CredentialStore {
    let name = "full"
    var base: SealedFileStore

    func read(_ key: CredentialKey) async throws(AccountError) -> Redacted<[UInt8]>? {
        try await base.read(key)
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        throw .storeUnavailable(reason: "the disk is full")
    }

    func erase(_ key: CredentialKey) async throws(AccountError) {
        try await base.erase(key)
    }
}
