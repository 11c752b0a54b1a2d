import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusKit
@testable import ArgusTransport

@Suite("the user of queued writes")
struct WriteReplayUserTests {
    private let fixture: RenewalFixture
    private let store: WriteStore
    private let camera = "/api/v1/cameras/c1"

    init() async throws {
        fixture = try RenewalFixture()
        store = try #require(WriteStore(in: .folder(fixture.folder.path)))
        try await fixture.keep(Self.session("ann"))
        let seen = try #require(SeenVersions(in: .folder(fixture.folder.path)))
        for camera in ["c1", "c2"] {
            seen.note(["enabled": .bool(true)], of: "camera \(camera)", at: fixture.server.text)
            _ = try await store.add(
                QueuedWrite(
                    .camera(SetCameraEnabled(camera: camera, isOn: false)), of: .init(name: "ann"),
                    at: fixture.server, addedAt: fixture.now, nextTry: fixture.now))
        }
    }

    /// The tokens of a user; `seconds` tells them apart.
    private static func session(_ user: String, at seconds: Int64 = 0) -> StoredSession {
        StoredSession(
            kind: .web, accessToken: Redacted(RenewalFixture.token(user, at: seconds)),
            refreshToken: Redacted("r1"), username: user, issuedAt: RenewalFixture.begin)
    }

    /// The results of a run with these tokens, and its end.
    private func run(
        _ session: StoredSession = session("ann"), key: String? = nil
    ) async throws -> [String] {
        let now = fixture.now
        let sender = WriteSender(
            fixture.run(session, key: key), server: fixture.server,
            state: .folder(fixture.folder.path), now: { now }, sleep: { _ in },
            endpoint: { _ in nil })
        let replay = WriteReplay(
            store, by: sender, to: fixture.server, as: .init(name: "ann"), session, now: { now },
            sleep: { _ in })
        let results = MessageLog()
        let end = try await replay.run(timeout: .zero) { results.add(ReplayFixture.word($1)) }
        if case .stopped(let error) = end { return results.all + ["\(error.kind)"] }
        return results.all + ["complete"]
    }

    private func stub(_ path: String) {
        let id = path.suffix(2)
        fixture.fake.stub(.get, path, body: #"{"id":"\#(id)","is_enabled":true}"#)
        fixture.fake.stub(.put, path, body: #"{"id":"\#(id)","is_enabled":false}"#)
    }

    private func refusePut(_ meanwhile: @escaping @Sendable () async -> Void = {}) {
        fixture.fake.stub(.get, camera, body: #"{"id":"c1","is_enabled":true}"#)
        fixture.fake.stub(.put, camera) { _ in
            await meanwhile()
            let body = #"{"detail":"Token has expired"}"#
            return .success(HTTPResponse(status: 401, body: Array(body.utf8)))
        }
    }

    @Test("after a sign-in as somebody else, also in the middle of a write, nothing is sent")
    func otherUser() async throws {
        let fixture = fixture
        refusePut { try? await fixture.keep(Self.session("bob", at: 5)) }
        #expect(try await run() == ["other", "other", "complete"])
        #expect(store.writes(of: fixture.server.text).writes.map(\.tries) == [0, 0])
        fixture.fake.verify()
    }

    @Test("tokens of the same user that another process has renewed are taken")
    func renewed() async throws {
        let fixture = fixture
        refusePut { try? await fixture.keep(Self.session("ann", at: 5)) }
        stub(camera)
        stub("/api/v1/cameras/c2")
        #expect(try await run() == ["sent", "sent", "complete"])
        fixture.fake.verify()
    }

    /// A pairing whose token has ended, and which the server fails to renew.
    private func endedPairing() async throws -> StoredSession {
        fixture.now = RenewalFixture.begin + .seconds(36_001)
        let paired = RenewalFixture.session(.mobile)
        try await fixture.keep(paired)
        for _ in 0..<2 {
            fixture.fake.stub(
                .post, RenewalFixture.mobileRefresh, status: 500, body: "Internal Server Error")
        }
        return paired
    }

    @Test("a stored key stands in for a pairing that has ended and cannot be renewed")
    func key() async throws {
        let paired = try await endedPairing()
        stub(camera)
        stub("/api/v1/cameras/c2")
        #expect(try await run(paired, key: "argus_key") == ["sent", "sent", "complete"])
        #expect(fixture.bearers(of: camera) == ["none", "none"])
        fixture.fake.verify()
    }

    @Test("a key that stands in, and is refused, holds the queue")
    func refusedKey() async throws {
        let paired = try await endedPairing()
        fixture.fake.stub(.get, camera, status: 401, body: #"{"detail":"Invalid API key"}"#)
        #expect(try await run(paired, key: "argus_key") == ["renewalBroken"])
        fixture.fake.verify()
    }
}
