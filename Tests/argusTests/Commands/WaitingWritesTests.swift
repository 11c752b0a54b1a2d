import ArgusEvents
import ArgusTestSupport
import Synchronization
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusKit
@testable import ArgusTransport

@Suite("writes that wait, after a command")
struct WaitingWritesTests {
    private let test: TestSystem
    private let store: WriteStore

    init() throws {
        test = try TestSystem()
        store = try #require(WriteStore(in: test.paths.state))
    }

    /// Adds a write of the camera `c1` at a server, which is due.
    private func add(to record: ServerRecord) async throws {
        _ = try await store.add(
            QueuedWrite(
                .camera(SetCameraEnabled(camera: "c1", isOn: false)), of: .init(name: "ann"),
                at: record.id,
                addedAt: TestSystem.now, nextTry: TestSystem.now))
    }

    /// Reaches servers with a request, and then sends what waits for them.
    private func sendWaiting(
        to records: [ServerRecord], in system: SystemEnvironment
    ) async throws {
        var servers: [SignedInServer] = []
        for record in records {
            var globals = GlobalOptions()
            globals.server = record.id.text
            let server = try await Context(globals: globals, system: system).server()
            test.fake.stub(.get, "/api/v1/cameras", body: "[]")
            _ = try await server.cameras.plainList()
            servers.append(server)
        }
        await Context(globals: GlobalOptions(), system: system).sendWaiting(to: servers)
    }

    @Test("silent servers are asked at once, and left alone after one second in all")
    func oneSecond() async throws {
        let records = [
            try await test.know("home"), try await test.know("shop", at: "https://shop.example"),
        ]
        let (asked, count) = (Signal(), Counter())
        for record in records {
            try await add(to: record)
            test.fake.stub(.get, "/api/v1/cameras/c1") { _ in
                if count.next() == records.count { asked.raise() }
                // Until the end of the second.
                try? await Task.sleep(for: .seconds(600))
                return .failure(TransportError(.cancelled, "cancelled"))
            }
        }
        var system = test.system
        let waits = MessageLog()
        system.sleep = { duration in
            waits.add("\(duration)")
            if duration == .seconds(1) { await asked.wait() }
        }
        try await sendWaiting(to: records, in: system)
        test.fake.verify()
        #expect(waits.all == ["\(Duration.seconds(1))"])
        for record in records {
            #expect(store.writes(of: record.id.text).writes.map(\.tries) == [0])
        }
    }

    @Test("a sign-in that is refused is not renewed for them")
    func refused() async throws {
        let record = try await test.know(
            signedInWith: .session(
                StoredSession(
                    kind: .web, accessToken: Redacted("token-1"), refreshToken: Redacted("r1"),
                    username: "ann")))
        try await add(to: record)
        test.fake.stub(
            .get, "/api/v1/cameras/c1", status: 401, body: #"{"detail":"Token has expired"}"#)
        var system = test.system
        system.sleep = { _ in try await Task.sleep(for: .seconds(600)) }
        try await sendWaiting(to: [record], in: system)
        test.fake.verify()
        #expect(store.writes(of: record.id.text).writes.map(\.tries) == [0])
    }
}

/// Counts calls of several tasks.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
