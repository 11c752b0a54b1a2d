import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("the feeds of several servers")
struct WatchGroupTests {
    private func server(
        _ numbers: [Int], _ change: (inout SimulatedServer.State) -> Void = { _ in }
    ) -> SimulatedServer {
        var state = SimulatedServer.State()
        state.rows = numbers.map { number in
            let time = Duration.seconds(60 * number)
            return .init(event: SimulatedServer.event(number, at: time), storedAt: time)
        }
        state.end = .seconds(3600)
        change(&state)
        return SimulatedServer(state)
    }

    @Test("each event comes again until it is accepted, and one refusal ends one feed")
    func merged() async throws {
        let servers = [
            server([1, 2, 3]), server([11, 12]),
            server([]) { $0.failure = { _ in APIError(.forbidden) } },
        ]
        let group = WatchGroup(
            servers.map { server -> @concurrent @Sendable () async -> sending EventFeed in
                { await EventFeed(server, server) }
            })
        var events = Array(repeating: [String](), count: 3)
        var isRefused = Array(repeating: false, count: 3)
        while let step = await group.next() {
            switch step.content {
            case .item(.event(let event, _), _):
                events[step.index].append(event.id)
                // The first one is not taken at first.
                if event.id != "event-11" || events[1].count > 1 { await group.accept() }
            case .item: break
            case .end(let error, let hasGap, _):
                isRefused[step.index] = error != nil
                #expect(!hasGap)
            }
        }
        #expect(events[0] == ["event-1", "event-2", "event-3"])
        #expect(events[1] == ["event-11", "event-11", "event-12"])
        #expect(events[2].isEmpty && isRefused == [false, false, true])
    }
}
