import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusTransport

/// What one object does to the changes of others, and what a fault does to the order of one.
@Suite("the replay of queued writes, with faults")
struct WriteReplayFaultTests {
    private let fixture: ReplayFixture
    private var transport: FakeTransport { fixture.transport }

    init() throws { fixture = try ReplayFixture() }

    /// Adds a write for each of these cameras, which were seen enabled.
    private func add(_ cameras: String...) async throws {
        for camera in cameras { try await fixture.add(false, over: true, camera: camera) }
    }

    private func stub(_ camera: String) {
        fixture.stub(camera, isEnabled: true)
        fixture.transport.stub(
            .put, fixture.path(camera), body: #"{"id":"c","is_enabled":false}"#)
    }

    private func stub(_ camera: String, _ kind: TransportError.Kind) {
        transport.stub(.get, fixture.path(camera), error: TransportError(kind, "broken"))
    }

    @Test("an object whose request is never answered holds no other one")
    func silence() async throws {
        try await add("c1", "c2", "c1")
        stub("c1", .timedOut(.firstByte))
        stub("c2")
        #expect(try await fixture.run() == ["2 sent", "stopped"])
        #expect(fixture.writes.map(\.tries) == [0, 0])
        transport.verify()
    }

    @Test("after two objects without an answer the rest waits")
    func silenceOfAll() async throws {
        try await add("c1", "c2", "c3")
        stub("c1", .timedOut(.firstByte))
        stub("c2", .timedOut(.firstByte))
        #expect(try await fixture.run() == ["stopped"])
        #expect(fixture.writes.map(\.tries) == [0, 0, 0])
        transport.verify()
    }

    @Test(
        "an answer that makes no sense counts as a try of its object only",
        arguments: [TransportError.Kind.truncatedBody, .malformedAnswer, .tooLarge])
    func senseless(kind: TransportError.Kind) async throws {
        try await add("c1", "c2")
        stub("c1", kind)
        stub("c2")
        #expect(try await fixture.run() == ["1 failed", "2 sent", "complete"])
        #expect(fixture.writes.map(\.tries) == [1])
        transport.verify()
    }

    @Test("a record that cannot be read at its turn holds the later ones of its object")
    func unreadable() async throws {
        try await add("c0", "c1")
        try await fixture.add(true, over: true, camera: "c1")
        try await add("c2")
        let second = try #require(fixture.writes.dropFirst().first)
        let path =
            fixture.folder.path + "/queue/\(second.server)/0000000002-\(second.id).json"
        transport.stub(.get, fixture.path("c0")) { _ in
            chmod(path, 0o666)
            let body = #"{"id":"c0","is_enabled":false}"#
            return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        stub("c2")
        #expect(try await fixture.run() == ["1 done", "4 sent", "complete"])
        transport.verify()
    }

    @Test("preferences are compared and written under a lock, or not at all")
    func lock() async throws {
        try await fixture.addSound()
        let path = fixture.folder.file("sz6tejcs.push.lock")
        mkdir(path, 0o700)
        #expect(try await fixture.run() == ["stopped"])
        #expect(fixture.writes.map(\.tries) == [0])
        rmdir(path)
        fixture.stubPreferences(sound: false)
        #expect(try await fixture.run() == ["1 done", "complete"])
        transport.verify()
    }
}
