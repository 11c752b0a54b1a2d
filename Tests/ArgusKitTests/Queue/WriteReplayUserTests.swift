import ArgusTestSupport
import Testing

@testable import ArgusKit

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
                    .cameraEnabled(camera: camera, false), of: .init(name: "ann"),
                    at: fixture.server, addedAt: fixture.now, nextTry: fixture.now))
        }
    }

    /// The tokens of a user; `seconds` tells them apart.
    private static func session(_ user: String, at seconds: Int64 = 0) -> StoredSession {
        StoredSession(
            kind: .web, accessToken: Redacted(RenewalFixture.token(user, at: seconds)),
            refreshToken: Redacted("r1"), username: user, issuedAt: RenewalFixture.begin)
    }

    /// The words of the end of a run, and how many writes were sent.
    private func run() async throws -> (end: String, sent: Int) {
        let (session, now, fixture) = (Self.session("ann"), fixture.now, fixture)
        let sender = WriteSender(
            fixture.run(session), server: fixture.server, state: .folder(fixture.folder.path),
            now: { now }, sleep: { _ in }, endpoint: { _ in nil })
        let replay = WriteReplay(
            store, by: sender, to: fixture.server, as: .init(name: "ann"), session, now: { now },
            sleep: { _ in })
        let sent = MessageLog()
        let end = try await replay.run(timeout: .zero) { _, outcome in
            if case .sent = outcome { sent.add("sent") }
        }
        if case .stopped(let error) = end { return ("\(error.kind)", sent.all.count) }
        return ("complete", sent.all.count)
    }

    private func stub(_ path: String) {
        fixture.fake.stub(.get, path, body: #"{"id":"c","is_enabled":true}"#)
        fixture.fake.stub(.put, path, body: #"{"id":"c","is_enabled":false}"#)
    }

    private func refusePut(_ meanwhile: @escaping @Sendable () async -> Void = {}) {
        fixture.fake.stub(.get, camera, body: #"{"id":"c","is_enabled":true}"#)
        fixture.fake.stub(.put, camera) { _ in
            await meanwhile()
            let body = #"{"detail":"Token has expired"}"#
            return .success(HTTPResponse(status: 401, body: Array(body.utf8)))
        }
    }

    @Test("a sign-in as somebody else in the middle of a write stops the run")
    func otherUser() async throws {
        let fixture = fixture
        refusePut { try? await fixture.keep(Self.session("bob", at: 5)) }
        let ran = try await run()
        #expect(ran == ("forbidden", 0))
        #expect(store.writes(of: fixture.server.text).writes.map(\.tries) == [0, 0])
        fixture.fake.verify()
    }

    @Test("tokens of the same user that another process has renewed are taken")
    func renewed() async throws {
        let fixture = fixture
        refusePut { try? await fixture.keep(Self.session("ann", at: 5)) }
        stub(camera)
        stub("/api/v1/cameras/c2")
        let ran = try await run()
        #expect(ran == ("complete", 2))
        fixture.fake.verify()
    }
}
