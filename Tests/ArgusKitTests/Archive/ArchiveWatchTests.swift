import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusEvents

@Suite("archive: pauses of a watch")
struct ArchiveWatchTests {
    /// Waits with signals at these times, and returns the time of each sync until the end.
    private func syncs(
        _ signals: [(at: Duration, signal: ServiceSignal)], until end: Duration,
        hasFailed: @escaping @Sendable (Duration) -> Bool = { _ in false }
    ) async -> [Int64] {
        let world = SimulatedServer(SimulatedServer.State())
        world.state.withLock {
            $0.signals = signals[...]
            $0.end = end
        }
        let times = Mutex<[Int64]>([])
        let watch = ArchiveWatch(world, scope: EventArchiver.Scope()) {
            _ async throws(ArchiveError) in
            times.withLock { $0.append(world.now().components.seconds) }
            if hasFailed(world.now()) { throw .running("archive", pid: nil) }
            return ArchiveReport()
        }
        do throws(ArchiveError) {
            for try await _ in watch {}
        } catch {
            Issue.record("the watch has failed: \(error)")
        }
        // The first sync is at once.
        return Array(times.withLock { $0 }.dropFirst())
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

    @Test("the first of several failures is reported, and the first success after them")
    func recovery() async throws {
        let world = SimulatedServer(SimulatedServer.State())
        world.state.withLock { $0.end = .seconds(100) }
        let watch = ArchiveWatch(world, scope: EventArchiver.Scope(isFull: true)) {
            scope async throws(ArchiveError) in
            if world.now() < .seconds(30) { throw .running("archive", pid: nil) }
            var report = ArchiveReport()
            report.added = scope.isFull ? 1 : 0
            return report
        }
        var items: [String] = []
        for try await item in watch {
            switch item {
            case .synced(let report): items.append("synced \(report.added)")
            case .retrying: items.append("retrying")
            case .recovered: items.append("recovered")
            }
        }
        #expect(items == ["retrying", "recovered", "synced 1", "synced 0"])
    }

    @Test("a failure that no retry can help ends the watch")
    func refused() async {
        let world = SimulatedServer(SimulatedServer.State())
        let watch = ArchiveWatch(world, scope: EventArchiver.Scope()) {
            _ async throws(ArchiveError) in throw .notArchive("archive")
        }
        await #expect(throws: ArchiveError.self) { for try await _ in watch {} }
    }
}
