import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("limit of requests at once")
struct RequestLimiterTests {
    /// A transport whose answers wait for a signal.
    private struct Busy: Transport {
        let inFlight = MessageLog()
        let answer = Signal()

        func send(
            _ request: HTTPRequest, receive: BodyReceiver?
        ) async throws(TransportError) -> HTTPResponse {
            inFlight.add(request.target)
            await answer.wait()
            return HTTPResponse(status: 200)
        }
    }

    private let folder: TemporaryFolder
    private let busy = Busy()

    init() throws { folder = try TemporaryFolder() }

    /// The requests of a run of its own; `sleep` is called where it must wait.
    private func run(
        _ base: any Transport, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) -> RetryingTransport {
        run(base, by: "home.turns", sleep: sleep)
    }

    private func run(
        _ base: any Transport, by file: String,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) -> RetryingTransport {
        RetryingTransport(
            base, policy: RetryPolicy(retries: 0),
            limiter: RequestLimiter(by: folder.file(file), sleep: sleep), sleep: sleep,
            now: { Timestamp(seconds: 0) })
    }

    private static func request(_ target: String, hold: SignalHold? = nil) -> HTTPRequest {
        var request = HTTPRequest(
            .get, Origin(scheme: .https, host: "home.example", port: 443), target,
            proof: ServerProof(.publicCertificate(authorities: nil)))
        request.hold = hold
        return request
    }

    /// Waits until so many requests are in flight.
    private func inFlight(_ count: Int) async {
        while busy.inFlight.all.count < count { await Task.yield() }
    }

    @Test("a fifth request waits for one of other runs, and one that renews does not")
    func fifth() async throws {
        let (runs, quick) = ((0..<4).map { _ in run(busy) { _ in } }, FakeTransport())
        quick.stub(.get, "/renewal")
        quick.stub(.get, "/fifth")
        let (answer, waits) = (busy.answer, MessageLog())
        let fifth = run(quick) { _ in
            waits.add("waits")
            answer.raise()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for run in runs { group.addTask { _ = try await run.send(Self.request("/other")) } }
            await inFlight(4)
            _ = try await fifth.send(Self.request("/renewal", hold: SignalHold()))
            #expect(waits.all.isEmpty)
            _ = try await fifth.send(Self.request("/fifth"))
            #expect(!waits.all.isEmpty)
            try await group.waitForAll()
        }
        quick.verify()
    }

    @Test("a run that is alone waits for nothing")
    func alone() async throws {
        let run = run(busy) { _ in Issue.record("waits") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try await run.send(Self.request("/own")) } }
            await inFlight(6)
            busy.answer.raise()
            try await group.waitForAll()
        }
    }

    @Test("without a folder, and after the longest wait, requests are sent all the same")
    func noTurns() async throws {
        let quick = FakeTransport()
        quick.stub(.get, "/nowhere")
        quick.stub(.get, "/late")
        let nowhere = run(quick, by: "none/home.turns") { _ in
            Issue.record("waits")
        }
        _ = try await nowhere.send(Self.request("/nowhere"))
        let (others, late) = ((0..<4).map { _ in run(busy) { _ in } }, run(quick) { _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for run in others { group.addTask { _ = try await run.send(Self.request("/other")) } }
            await inFlight(4)
            _ = try await late.send(Self.request("/late"))
            busy.answer.raise()
            try await group.waitForAll()
        }
        quick.verify()
    }
}
