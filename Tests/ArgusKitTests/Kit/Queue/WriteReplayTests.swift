import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusKit
@testable import ArgusTransport

@Suite("the replay of queued writes")
struct WriteReplayTests {
    private let fixture: ReplayFixture
    private let camera = "/api/v1/cameras/c1"
    private var store: WriteStore { fixture.store }
    private var seen: SeenVersions { fixture.seen }
    private var transport: FakeTransport { fixture.transport }
    private var writes: [QueuedWrite] { fixture.writes }

    init() throws { fixture = try ReplayFixture() }

    @Test("writes of one object go in their order, each on the base that the one before it made")
    func inOrder() async throws {
        try await fixture.add(false, over: true)
        try await fixture.add(true)
        fixture.stub(isEnabled: true)
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":false}"#)
        fixture.stub(isEnabled: false, changed: "2099-01-01T00:00:00Z")
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":true}"#)
        #expect(try await fixture.run() == ["1 sent", "2 sent", "complete"])
        #expect(writes.isEmpty)
        transport.verify()
    }

    @Test("what the server has is not sent again, whatever the base is")
    func done() async throws {
        try await fixture.add(false, over: true)
        try await fixture.add(false, camera: "c2")
        fixture.stub(isEnabled: false, changed: "2099-01-01T00:00:00Z")
        fixture.stub("c2", isEnabled: false)
        #expect(try await fixture.run() == ["1 done", "2 done", "complete"])
        #expect(writes.isEmpty)
        transport.verify()
    }

    @Test("a change since the base is a conflict: nothing is sent, and only its object waits")
    func conflict() async throws {
        try await fixture.add(false)
        try await fixture.add(true, over: false)
        try await fixture.add(false, over: true, camera: "c2")
        fixture.stub(isEnabled: true, changed: "2099-01-01T00:00:00Z")
        transport.stub(.get, "/api/v1/cameras/c2", body: #"{"id":"c2","is_enabled":true}"#)
        transport.stub(.put, "/api/v1/cameras/c2", body: #"{"id":"c2","is_enabled":false}"#)
        #expect(try await fixture.run() == ["1 conflict", "3 sent", "complete"])
        #expect(writes.map(\.status) == [.conflict, .waiting])
        #expect(writes.first?.found == ["enabled": .bool(true)])
        #expect(try await fixture.run() == ["complete"])
        // A retry sends it over what was found.
        let kept = try #require(writes.first)
        _ = try await store.change(kept) { $0.retry(at: ManualClock.origin) }
        fixture.stub(isEnabled: true, changed: "2099-01-01T00:00:00Z")
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":false}"#)
        fixture.stub(isEnabled: false)
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":true}"#)
        #expect(try await fixture.run() == ["1 sent", "2 sent", "complete"])
        transport.verify()
    }

    @Test("the write of another user is not sent")
    func otherUser() async throws {
        try await fixture.add(false, over: true)
        #expect(try await fixture.run(as: "berta") == ["1 other", "complete"])
        #expect(writes.map(\.tries) == [0])
    }

    @Test("a try counts only if the server answered; after three it is set aside")
    func tries() async throws {
        try await fixture.add(false, over: true)
        transport.stub(.get, camera) { _ in .failure(TransportError(.notConnected, "refused")) }
        #expect(try await fixture.run() == ["stopped"])
        #expect(writes.map(\.tries) == [0])
        var now = ManualClock.origin
        for tries in 1...3 {
            transport.stub(.get, camera, status: 403, body: "<html>")
            #expect(try await fixture.run(at: now) == ["stopped"])
            transport.stub(.get, camera, status: 503)
            #expect(try await fixture.run(at: now) == ["1 failed", "complete"])
            #expect(writes.map(\.tries) == [tries])
            // Nothing is due before the pause has passed.
            #expect(try await fixture.run(at: now) == ["complete"])
            now = now + .seconds(3600)
        }
        #expect(writes.map(\.status) == [.setAside])
        transport.verify()
    }

    @Test("a sign-in that has ended holds everything and counts as nothing")
    func signIn() async throws {
        try await fixture.add(false, over: true)
        try await fixture.add(false, over: true, camera: "c2")
        transport.stub(
            .get, camera, status: 401, body: #"{"detail":"Token has expired"}"#)
        #expect(try await fixture.run() == ["stopped"])
        #expect(writes.map(\.tries) == [0, 0])
        transport.verify()
    }

    @Test(
        "each answer to a change has its result",
        arguments: [
            (400, "refused"), (403, "refused"), (404, "refused"), (409, "refused"),
            (422, "refused"), (408, "failed"), (500, "failed"), (503, "failed"),
        ])
    func answers(status: Int, result: String) async throws {
        try await fixture.add(false, over: true)
        fixture.stub(isEnabled: true)
        transport.stub(.put, camera, status: status, body: #"{"detail":"no"}"#)
        if status == 409 { fixture.stub(isEnabled: true) }
        #expect(try await fixture.run() == ["1 \(result)", "complete"])
        #expect(writes.map(\.status) == [result == "failed" ? .waiting : .setAside])
        transport.verify()
    }

    @Test("a limit of requests counts as a try, and ends the run")
    func limited() async throws {
        try await fixture.add(false, over: true)
        try await fixture.add(false, over: true, camera: "c2")
        transport.stub(.get, camera, status: 429, body: #"{"error":"slow down"}"#)
        #expect(try await fixture.run() == ["1 failed", "stopped"])
        #expect(writes.map(\.tries) == [1, 0])
        transport.verify()
    }

    @Test("a run that was killed before its record was removed is completed by the next one")
    func killed() async throws {
        try await fixture.add(false, over: true)
        // The base of the later one is rewritten, and the record of the earlier one still there.
        try await fixture.add(true, over: false)
        fixture.stub(isEnabled: false)
        fixture.stub(isEnabled: false)
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":true}"#)
        #expect(try await fixture.run() == ["1 done", "2 sent", "complete"])
        #expect(writes.isEmpty)
        transport.verify()
    }

    @Test("a device is found by its row's id, and a change of its time is no conflict")
    func device() async throws {
        let write = QueueableWrite.device(RenameDevice(device: "r1", to: "attic"))
        try await fixture.add(write, over: ["name": .text("old")])
        let device =
            #"{"id":"r1","device_id":"h1","platform":"ios","name":"old","#
            + #""updated_at":"2099-01-01T00:00:00Z"}"#
        transport.stub(.get, "/api/v1/devices", body: "{\"devices\":[\(device)],\"total\":1}")
        transport.stub(
            .put, "/api/v1/devices/r1",
            body: device.replacing("\"old\"", with: "\"attic\""))
        #expect(try await fixture.run() == ["1 sent", "complete"])
        try await fixture.add(write, over: ["name": .text("other")])
        transport.stub(.get, "/api/v1/devices", body: "{\"devices\":[\(device)],\"total\":1}")
        #expect(try await fixture.run() == ["1 conflict", "complete"])
        transport.verify()
    }

    @Test("a refusal sets aside, and later writes of the object do not overtake it")
    func refused() async throws {
        try await fixture.add(false, over: true)
        try await fixture.add(true, over: false)
        fixture.stub(isEnabled: true)
        transport.stub(.put, camera, status: 422, body: #"{"detail":"no"}"#)
        #expect(try await fixture.run() == ["1 refused", "complete"])
        #expect(writes.map(\.status) == [.setAside, .waiting])
        #expect(writes.first?.reason == "status 422: no")
        transport.verify()
    }

    @Test("feedback that appeared between reading and writing is a conflict, never overwritten")
    func feedback() async throws {
        let path = "/api/v1/events/e1/feedback"
        _ = try await store.add(
            .sample(.feedback(GiveFeedback(event: "e1", rating: "helpful"))))
        transport.stub(.get, path, status: 404, body: #"{"detail":"No feedback found"}"#)
        transport.stub(.post, path, status: 409, body: #"{"detail":"Use PUT to update"}"#)
        transport.stub(
            .get, path,
            body: #"{"rating":"not_helpful","created_at":"2099-01-01T00:00:00Z"}"#)
        #expect(try await fixture.run() == ["1 conflict", "complete"])
        #expect(writes.first?.found?["rating"] == .text("not_helpful"))
        transport.verify()
    }

    @Test("feedback that is there is replaced only if it is what the user has seen")
    func seenFeedback() async throws {
        let path = "/api/v1/events/e1/feedback"
        let found = #"{"rating":"not_helpful","created_at":"2026-01-01T00:00:00Z"}"#
        let write = QueueableWrite.feedback(GiveFeedback(event: "e1", rating: "helpful"))
        let unseen = try await store.add(.sample(write))
        transport.stub(.get, path, body: found)
        #expect(try await fixture.run() == ["1 conflict", "complete"])
        #expect(try await store.remove(unseen))
        seen.note(
            ["rating": .text("not_helpful"), "correction": .null], of: write.object,
            at: "sz6tejcs")
        _ = try await store.add(.sample(write))
        transport.stub(.get, path, body: found)
        transport.stub(
            .put, path, body: #"{"rating":"helpful","created_at":"2026-01-01T00:00:00Z"}"#)
        #expect(try await fixture.run() == ["1 sent", "complete"])
        #expect(seen.values(of: write.object, at: "sz6tejcs")["rating"] == .text("helpful"))
        transport.verify()
    }

    @Test("a camera that was seen disabled, and is enabled since, is not disabled again")
    func seenCamera() async throws {
        seen.note(["enabled": .bool(false)], of: "camera c1", at: "sz6tejcs")
        try await fixture.add(false)
        fixture.stub(isEnabled: true)
        #expect(try await fixture.run() == ["1 conflict", "complete"])
        // What the run has found is not what the user has seen.
        #expect(seen.values(of: "camera c1", at: "sz6tejcs") == ["enabled": .bool(false)])
        transport.verify()
    }

    @Test("a write that is added while the one before it is sent is based on that one")
    func race() async throws {
        let store = store
        try await fixture.add(false, over: true)
        fixture.stub(isEnabled: true)
        transport.stub(.put, camera) { _ in
            // Its command has seen that the first one waits, and the camera enabled.
            let write = QueuedWrite.sample(.camera(SetCameraEnabled(camera: "c1", isOn: true)))
            #expect((try? await store.add(write))?.base == ["enabled": .bool(true)])
            let body = #"{"id":"c1","is_enabled":false}"#
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        #expect(try await fixture.run() == ["1 sent", "complete"])
        #expect(writes.map(\.base) == [["enabled": .bool(false)]])
        fixture.stub(isEnabled: false)
        transport.stub(.put, camera, body: #"{"id":"c1","is_enabled":true}"#)
        #expect(try await fixture.run() == ["2 sent", "complete"])
        transport.verify()
    }

    @Test("preferences are read once, and written over just what was read")
    func preferencesOnce() async throws {
        try await fixture.addSound()
        fixture.stubPreferences(sound: true)
        fixture.stubPreferences(.put, sound: false)
        fixture.stubPreferences(sound: false)
        #expect(try await fixture.run() == ["1 sent", "complete"])
        #expect(transport.requests.map(\.method) == [.post, .put, .post])
        transport.verify()
    }

    @Test("preferences that another client writes back over the change are tried again")
    func preferencesLost() async throws {
        try await fixture.addSound()
        fixture.stubPreferences(sound: true)
        fixture.stubPreferences(.put, sound: false)
        fixture.stubPreferences(sound: true)
        fixture.stubPreferences(sound: true)
        #expect(try await fixture.run() == ["1 failed", "complete"])
        #expect(writes.map(\.status) == [.waiting])
        transport.verify()
    }
}
