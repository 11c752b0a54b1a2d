import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents

@Suite("the run of a service")
struct ServiceRunTests {
    private let clock = ManualClock()
    private let signs = MessageLog()

    private func watchdog(within limit: Duration) -> Watchdog {
        let watchdog = Watchdog(within: limit, monotonic: clock.clock.monotonic) { [signs, clock] in
            signs.add("\(clock.clock.monotonic().components.seconds)")
        }
        watchdog.start()
        return watchdog
    }

    @Test("announcements beyond the capacity become one signal; what else waits is kept")
    func overflow() async {
        let run = ServiceRun(clock.clock)
        for number in 0..<ServiceRun.capacity + 100 { await run.send(.announced("\(number)")) }
        await run.send(.disconnected("gone"))
        for number in 0..<ServiceRun.capacity {
            #expect(await run.wait(until: .zero) == .announced("\(number)"))
        }
        #expect(await run.wait(until: .zero) == .overflow)
        #expect(await run.wait(until: .zero) == .disconnected("gone"))
        #expect(await run.wait(until: .zero) == nil)
    }

    @Test("a long pause gives a sign of life in each half of the time, and ends at its deadline")
    func pause() async {
        let run = ServiceRun(clock.clock, watchdog: watchdog(within: .seconds(20)))
        async let signal = run.wait(until: .seconds(25))
        for time in [10, 20, 25] { await clock.wake(at: .seconds(time)) }
        #expect(await signal == nil)
        #expect(signs.all == ["10", "20"])
    }

    @Test("a signal ends a pause, and a stop all that follow")
    func signals() async {
        let run = ServiceRun(clock.clock, watchdog: watchdog(within: .seconds(20)))
        async let signal = run.wait(until: .seconds(25))
        await clock.wake(at: .seconds(10))
        await run.send(.ring)
        #expect(await signal == .ring)
        await run.send(.stop)
        #expect(await run.wait(until: .seconds(1000)) == .stop)
        #expect(await run.isStopped())
    }

    @Test("a watchdog that is not started, or was heard a moment ago, gives no sign")
    func quiet() {
        let signs = signs
        let watchdog = Watchdog(within: .seconds(20), monotonic: clock.clock.monotonic) {
            signs.add("sign")
        }
        clock.advance(to: .seconds(100))
        watchdog.beat()
        #expect(signs.all.isEmpty)
        watchdog.start()
        watchdog.beat()
        watchdog.beat()
        #expect(signs.all.count == 1)
        clock.advance(to: .seconds(105))
        watchdog.beat()
        #expect(signs.all.count == 2)
    }

    private struct Refusal: Error, Equatable { var mayPass: Bool }

    @Test("work is repeated with growing pauses until it succeeds")
    func retries() async throws {
        let run = ServiceRun(clock.clock)
        let signs = signs
        async let value = run.retrying { () async throws(Refusal) in
            signs.add("try")
            guard signs.all.count == 4 else { throw Refusal(mayPass: true) }
            return signs.all.count
        } canRetry: {
            $0.mayPass
        }
        for time in [1, 3, 7] { await clock.wake(at: .seconds(time)) }
        #expect(try await value == 4)
    }

    @Test("work that cannot succeed is not repeated, and none after a stop")
    func ends() async throws {
        let run = ServiceRun(clock.clock)
        await #expect(throws: Refusal(mayPass: false)) {
            try await run.retrying { () async throws(Refusal) -> Int in
                throw Refusal(mayPass: false)
            } canRetry: {
                $0.mayPass
            }
        }
        await run.send(.stop)
        let value = try await run.retrying { () async throws(Refusal) in
            1
        } canRetry: {
            $0.mayPass
        }
        #expect(value == nil)
    }
}
