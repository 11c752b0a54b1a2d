import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import ArgusEvents
@testable import ArgusTransport

/// A day of everything that loses events elsewhere; the world's own rows are what counts.
@Suite("a feed in a chaotic day")
struct FeedChaosTests {
    private let folder: TemporaryFolder
    /// Events of the day: `ARGUS_CHAOS`, as `make soak` sets it, else fewer.
    private let count = ProcessInfo.processInfo.environment["ARGUS_CHAOS"].flatMap(Int.init) ?? 800
    private let poll = Duration.seconds(60)

    init() throws { folder = try TemporaryFolder() }

    /// A fixed sequence (xorshift64).
    private struct Chance {
        var state: UInt64

        mutating func below(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
    }

    /// Events up to 25 hours late, some in the future, some that match later only; the stream
    /// announces two of three, breaks and comes back; requests fail for minutes.
    private func world(_ count: Int, seed: UInt64, withStream: Bool) -> SimulatedServer.State {
        var chance = Chance(state: seed)
        var state = SimulatedServer.State()
        for number in 0..<count {
            // The first pass notes what is there already.
            let stored = Duration.seconds(100 + chance.below(86300))
            let late =
                switch chance.below(10) {
                case 0: chance.below(25 * 3600)
                case 1: -chance.below(50 * 3600)
                case 2: chance.below(7000)
                default: chance.below(60)
                }
            var row = SimulatedServer.Row(
                event: SimulatedServer.event(number, at: stored - .seconds(late)), storedAt: stored)
            // Not beyond the 26 hours after its capture in which it is looked at.
            if chance.below(10) == 0, late < 20 * 3600 {
                row.matchesAt = stored + .seconds(chance.below(5400))
            }
            state.rows.append(row)
            if withStream, chance.below(3) > 0 {
                state.signals.append((stored, .announced(row.event.id)))
            }
        }
        if withStream {
            for _ in 0..<500 {
                let at = chance.below(86400)
                state.signals.append((.seconds(at), .disconnected("reset")))
                state.signals.append((.seconds(at + chance.below(60)), .connected))
            }
        }
        state.signals.sort { $0.at < $1.at }
        state.rows.sort { ($0.event.timestamp ?? .latest) < ($1.event.timestamp ?? .latest) }
        let failures = (0..<300).map { _ in (100 + chance.below(86300), chance.below(3)) }
        state.failure = { now in
            for (start, kind) in failures
            where (.seconds(start)...(.seconds(start + 40))).contains(now) {
                return kind == 0
                    ? APIError(.rateLimited, status: 429)
                    : APIError(.transport(TransportError(.connectionLost, "restart")))
            }
            return nil
        }
        // Steps of the server's clock, both ways.
        state.offset = { now in
            .seconds([0, 3600, -1800, 600][Int(now.components.seconds / 21600) % 4])
        }
        state.end = .seconds(28 * 3600)
        return state
    }

    @Test("no event is lost, and none comes twice", arguments: [true, false])
    func day(withStream: Bool) async throws {
        let world = world(count, seed: 7, withStream: withStream)
        let server = SimulatedServer(world)
        let feed = await EventFeed(server, server, poll: poll)
        let run = try await FeedRun(feed)
        #expect(run.gaps.isEmpty)
        let seen = Set(run.ids)
        let missing = world.rows.filter { !seen.contains($0.event.id) }
        #expect(missing.isEmpty)
        #expect(run.events.count == seen.count)
    }

    @Test("killed two hundred times, a feed with a file repeats one event a kill at most")
    func kills() async throws {
        let file = LedgerFile(folder.file("ledger"))
        let server = SimulatedServer(world(count, seed: 11, withStream: true))
        var ids: [String] = []
        for _ in 0..<200 {
            let feed = await EventFeed(
                server, server, from: try file.read(), keptIn: file, poll: poll)
            ids += try await FeedRun(feed, limit: count / 240 + 1).ids
        }
        let feed = await EventFeed(
            server, server, from: try file.read(), keptIn: file, poll: poll)
        ids += try await FeedRun(feed).ids
        #expect(Set(ids).count == count)
        #expect(ids.count <= count + 200)
    }
}
