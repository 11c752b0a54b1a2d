import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusEvents
@testable import ArgusTransport

/// A server that answers so many requests in each minute of a simulated clock.
private final class LimitedServer: WholeAnswerTransport {
    private struct State {
        var now = Duration.zero
        var minute: Int64 = 0
        var count = 0
        var refusals = 0
    }

    private let list: EventServer
    private let limit: Int
    private let state = Mutex(State())

    init(_ rows: [EventServer.Row], limit: Int) { (list, self.limit) = (EventServer(rows), limit) }

    var refusals: Int { state.withLock { $0.refusals } }

    var minutes: Int64 { state.withLock { $0.now.components.seconds / 60 } }

    func sleep(_ duration: Duration) { state.withLock { $0.now += duration } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let wait: Int64? = state.withLock { state in
            let second = state.now.components.seconds
            if second / 60 != state.minute { (state.minute, state.count) = (second / 60, 0) }
            state.count += 1
            guard state.count > limit else { return nil }
            state.refusals += 1
            return 60 - second % 60
        }
        if let wait {
            return HTTPResponse(
                status: 429, headers: HTTPHeaders([("Retry-After", "\(wait)")]),
                body: Array(#"{"detail":"Rate limit exceeded"}"#.utf8))
        }
        guard request.target.hasPrefix("/api/v1/thumbnails/") else {
            return try await list.answer(request)
        }
        return HTTPResponse(status: 200, body: PictureServer.picture + Array(request.target.utf8))
    }
}

@Suite("archive: servers that limit requests")
struct ArchiveRateLimitTests {
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    private func sync(
        _ server: LimitedServer, waiting longest: Duration = .seconds(900)
    ) async throws -> ArchiveReport {
        var scope = EventArchiver.Scope()
        scope.longestRateLimitWait = longest
        let archive = try await test.changing()
        let service = EventService(session: .test(server))
        let known = try await archive.server(
            record: "id", name: "home", address: "https://home.example", from: service)
        let archiver = EventArchiver(
            archive, from: service, as: known,
            now: { ArchiveFixture.now }, sleep: { server.sleep($0) }, notify: { _ in })
        return try await archiver.run(scope)
    }

    @Test("1,000 pictures at 100 requests a minute all come, slowly")
    func hundredAMinute() async throws {
        let server = LimitedServer(PictureServer.rows(1000), limit: 100)
        let report = try await sync(server)
        #expect(report.added == 1000 && report.pictures == 1000)
        #expect(report.brokenFiles == 0 && report.absentFiles == 0)
        #expect(server.refusals > 0 && (10...12).contains(server.minutes), "\(server.minutes)")
        let archive = try await test.changing()
        #expect(try ArchiveVerifier(archive) { _ in }.findings().listed == [])
    }

    @Test(
        "a server that refuses everything is a failure after the longest wait",
        arguments: [(900, 14...15), (120, 1...2), (0, 0...0)])
    func refusal(seconds: Int, minutes: ClosedRange<Int64>) async throws {
        let server = LimitedServer(PictureServer.rows(10), limit: 0)
        await #expect {
            _ = try await sync(server, waiting: .seconds(seconds))
        } throws: {
            if case .api(let error) = $0 as? ArchiveError {
                error.kind == .rateLimited
            } else {
                false
            }
        }
        #expect(minutes.contains(server.minutes), "\(server.minutes)")
    }
}
