import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusEvents

@Suite("archive: pauses of a watch")
struct ArchiveWatchTests {
    /// Waits with signals at these times, and returns the time of each sync until the end.
    private func syncs(
        _ signals: [(at: Duration, signal: FeedSignal)], until end: Duration,
        hasFailed: (Duration) -> Bool = { _ in false }
    ) async -> [Int64] {
        let world = SimulatedServer(SimulatedServer.State())
        world.state.withLock {
            $0.signals = signals[...]
            $0.end = end
        }
        var watch = ArchiveWatch(world)
        var times: [Int64] = []
        while await watch.wait(afterFailure: hasFailed(world.now())), !world.isStopped() {
            times.append(world.now().components.seconds)
        }
        return times
    }

    @Test("a server that announces nothing is asked each minute")
    func poll() async {
        #expect(await syncs([], until: .seconds(200)) == [60, 120, 180])
    }

    @Test("a burst of announcements is one sync, and a calm server is asked every 10 minutes")
    func announced() async {
        let times = await syncs(
            [
                (.seconds(1), .connected), (.seconds(100), .announced("a")),
                (.seconds(103), .announced("b")), (.seconds(104), .ring),
            ], until: .seconds(1400))
        #expect(times == [6, 105, 705, 1305])
    }

    @Test("when the announcements end, the server is asked each minute again")
    func disconnected() async {
        let times = await syncs(
            [(.seconds(1), .connected), (.seconds(50), .disconnected("gone"))],
            until: .seconds(200))
        #expect(times == [6, 110, 170])
    }

    @Test("failures double the pause, and announcements do not shorten it")
    func failures() async {
        let times = await syncs(
            [(.seconds(1), .connected), (.seconds(7), .announced("a"))], until: .seconds(2200)
        ) { _ in true }
        #expect(times == [5, 15, 35, 75, 155, 315, 635, 1235, 1835])
    }
}
