import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusKit

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

    @Test("the table of a ledger holds what a dictionary would, to the millisecond")
    func table() {
        var random = FixedRandom(state: 7)
        var (table, expected) = (LedgerTable(), [EventLedger.Key: Int64]())
        for step in 0..<20_000 {
            // Few enough keys that many come again.
            let number = random.next() % 3000
            let high = number &* 0x0305_0709_0B0D_0F11
            let key = EventLedger.Key(high: high, low: UInt16(number % 7))
            let milliseconds = Int64(random.next() % 1_000_000)
            table.insert(key, Timestamp(microseconds: milliseconds * 1000 + 999))
            expected[key] = milliseconds
            guard step % 1000 == 999 else { continue }
            let border = Int64(random.next() % 500_000)
            table.removeAll(before: Timestamp(microseconds: border * 1000))
            expected = expected.filter { $0.value >= border }
            #expect(
                table.count(since: Timestamp(microseconds: 700_000_000))
                    == expected.values.count { $0 >= 700_000 })
        }
        var found: [EventLedger.Key: Int64] = [:]
        table.forEach { found[$0] = $1.microseconds / 1000 }
        #expect(found == expected && table.count == expected.count)
        #expect(expected.allSatisfy { table[$0.key]?.microseconds == $0.value * 1000 })
        #expect(table[EventLedger.Key("absent")] == nil)
    }
}
