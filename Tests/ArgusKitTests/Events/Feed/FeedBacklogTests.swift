import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusEvents

@Suite("the memory of a feed")
struct FeedBacklogTests {
    @Test("a backlog of weeks is read in small parts, however dense it is")
    func backlog() async throws {
        // A quiet week, then 6,000 events in an hour, of which 1,500 in one second.
        let quiet = (0..<7).map { Duration.seconds($0 * 86_400) }
        let dense = (0..<4500).map { Duration.seconds(7 * 86_400) + .milliseconds($0 * 800) }
        let second = (0..<1500).map { Duration.seconds(7 * 86_400 + 1800) + .microseconds($0) }
        var state = SimulatedServer.State()
        state.rows = (quiet + dense + second).sorted().enumerated().map { number, time in
            SimulatedServer.Row(
                event: SimulatedServer.event(number, at: time), storedAt: .seconds(-1))
        }
        state.now = .seconds(8 * 86_400)
        state.end = state.now + .seconds(60)
        let server = SimulatedServer(state)
        let feed = await EventFeed(server, server, start: SimulatedServer.origin)
        let run = try await FeedRun(feed)
        #expect(run.ids == (0..<6007).map { "event-\($0)" })
        #expect(run.gaps.isEmpty)
        // The instant that cannot be halved, and nothing above.
        #expect((1500...1600).contains(server.state.withLock { $0.largestAnswer }))
    }
}
