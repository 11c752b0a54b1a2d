import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusEvents

@Suite("MonitoredPause")
struct MonitoredPauseTests {
    /// Counts signs of life, with the simulated time of each.
    private final class Signs: Sendable {
        let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        var number: Int { count.withLock { $0 } }
    }

    private let signs = Signs()

    @Test("a long pause gives a sign in each interval, and ends at its deadline or by a signal")
    func pauses() async {
        let world = SimulatedServer(SimulatedServer.State())
        world.state.withLock { $0.signals = [(.seconds(250), .ring)] }
        let pause = MonitoredPause(world, every: .seconds(10)) { [signs] in signs.add() }
        #expect(await pause.wait(until: .seconds(101)) == nil)
        #expect(world.now() == .seconds(101))
        #expect(signs.number == 11)
        #expect(await pause.wait(until: .seconds(300)) == .ring)
        #expect(world.now() == .seconds(250))
        #expect(signs.number == 26)
    }

    @Test("without an interval a pause is one")
    func unwatched() async {
        let world = SimulatedServer(SimulatedServer.State())
        let pause = MonitoredPause(world, every: nil) { [signs] in signs.add() }
        #expect(await pause.wait(until: .seconds(1000)) == nil)
        #expect(signs.number == 0)
    }

    @Test("a feed gives signs at each of its steps and in its pauses")
    func feed() async throws {
        let world = SimulatedServer(SimulatedServer.State())
        world.state.withLock { $0.end = .seconds(650) }
        let pause = MonitoredPause(world, every: .seconds(2)) { [signs] in signs.add() }
        let run = try await FeedRun(await EventFeed(world, pause, poll: .seconds(60)))
        #expect(run.notices.isEmpty)
        #expect(world.state.withLock { $0.passes } == 11)
        #expect(signs.number >= 325)
    }
}
