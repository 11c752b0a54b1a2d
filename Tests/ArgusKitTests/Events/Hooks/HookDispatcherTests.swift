import ArgusCore
import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusEvents

@Suite("the hooks of a watch", .hangLimit)
struct HookDispatcherTests {
    private let clock = ManualClock()
    private let hooks = ScriptedHooks()
    private let reports = MessageLog()

    private func dispatcher(
        store: HookStore? = nil, _ change: (inout HookDispatcher.Limits) -> Void = { _ in }
    ) -> HookDispatcher {
        var limits = HookDispatcher.Limits()
        change(&limits)
        let reports = reports
        return HookDispatcher(
            limits, clock.clock, store: store, prepare: { [hooks] in hooks.prepare($0.event) },
            report: { report in
                switch report {
                case .failed(let entry, _):
                    let time = entry.nextTry.map {
                        "\(($0 - ManualClock.origin).components.seconds)"
                    }
                    reports.add("\(entry.id) \(entry.reason ?? ""), \(time ?? "set aside")")
                case .notStored: reports.add("notStored")
                case .damaged: reports.add("damaged")
                }
            })
    }

    private func event(_ id: String) -> Event {
        Event(id: id, cameraName: "Front Door", timestamp: ManualClock.origin)
    }

    @Test("at most so many run at once, in order, and later ones follow as they end")
    func parallel() async {
        let dispatcher = dispatcher { $0.parallel = 2 }
        for number in 1...4 { #expect(await dispatcher.add(event("e\(number)"))) }
        #expect(await hooks.next() == "e1")
        #expect(await hooks.next() == "e2")
        hooks.end("e2")
        #expect(await hooks.next() == "e3")
        #expect(hooks.running == ["e1", "e3"])
        hooks.end("e1")
        #expect(await hooks.next() == "e4")
        for id in hooks.running { hooks.end(id) }
        let summary = await dispatcher.finish()
        #expect(summary.setAside.isEmpty && summary.lost.isEmpty && summary.kept == 0)
    }

    @Test("a failed hook runs again after 10 s, 30 s, 2 min, 10 min and each hour, then no more")
    func pauses() async {
        let dispatcher = dispatcher { $0.tries = 7 }
        _ = await dispatcher.add(event("e"))
        var time = Duration.zero
        for pause in [10, 30, 120, 600, 3600, 3600] {
            #expect(await hooks.next() == "e")
            hooks.end("e", .failed("ended with status 3"))
            time += .seconds(pause)
            await clock.wake(at: time)
        }
        #expect(await hooks.next() == "e")
        hooks.end("e", .failed("ended with status 3"))
        let summary = await dispatcher.finish()
        #expect(summary.setAside.map(\.id) == ["e"] && summary.setAside.first?.tries == 7)
        let times = ["10", "40", "160", "760", "4360", "7960", "set aside"]
        #expect(reports.all == times.map { "e ended with status 3, \($0)" })
    }

    @Test("a hook that succeeds after a failure is no failure, and does not delay others")
    func succeedsLater() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        _ = await dispatcher.add(event("bad"))
        #expect(await hooks.next() == "bad")
        hooks.end("bad", .failed("ended with status 1"))
        _ = await dispatcher.add(event("good"))
        #expect(await hooks.next() == "good")
        hooks.end("good")
        await clock.wake(at: .seconds(10))
        #expect(await hooks.next() == "bad")
        hooks.end("bad")
        let summary = await dispatcher.finish()
        #expect(summary.setAside.isEmpty && summary.lost.isEmpty)
    }

    @Test("new events go before those that are due again")
    func newFirst() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        _ = await dispatcher.add(event("bad"))
        #expect(await hooks.next() == "bad")
        hooks.end("bad", .failed("x"))
        _ = await dispatcher.add(event("a"))
        #expect(await hooks.next() == "a")
        _ = await dispatcher.add(event("b"))
        clock.advance(to: .seconds(10))
        hooks.end("a")
        #expect(await hooks.next() == "b")
        hooks.end("b")
        #expect(await hooks.next() == "bad")
        hooks.end("bad")
        _ = await dispatcher.finish()
    }

    @Test("the parts of a hook that are done are left out of later tries, also after a restart")
    func parts() async throws {
        let folder = try TemporaryFolder()
        let store = HookStore(folder.file("hooks"))
        let first = dispatcher(store: store)
        _ = await first.add(event("e"))
        #expect(await hooks.next() == "e")
        hooks.end("e", .failed("was not pushed", done: ["command"]))
        // With a store it looks for changes each second.
        await clock.wake(at: .seconds(1), movingTo: .seconds(10))
        #expect(await hooks.next() == "e")
        hooks.end("e", .failed("was not pushed", done: ["webhook r1"]))
        await first.stop()
        _ = await first.finish()
        let kept = try store.all().entries
        #expect(kept.map(\.done) == [["command", "webhook r1"]])
        #expect(try await store.retry("e", at: clock.now))
        #expect(try store.all().entries.map(\.done) == kept.map(\.done))
    }

    @Test("parts that were done when the watch had to end are kept, and no try is counted")
    func partsAtTheEnd() async throws {
        let folder = try TemporaryFolder()
        let store = HookStore(folder.file("hooks"))
        let dispatcher = dispatcher(store: store)
        _ = await dispatcher.add(event("e"))
        #expect(await hooks.next() == "e")
        await dispatcher.stop()
        await clock.wake(at: HookDispatcher.lastTime)
        hooks.end("e", .failed("was ended by signal 15", done: ["push"]))
        #expect(await dispatcher.finish().kept == 1)
        let entry = try #require(try store.all().entries.first)
        #expect(entry.done == ["push"] && entry.tries == 0)
    }

    @Test("at a stop, running hooks get ten seconds; without a store the rest is lost")
    func stop() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        for id in ["bad", "slow", "next"] { _ = await dispatcher.add(event(id)) }
        #expect(await hooks.next() == "bad")
        hooks.end("bad", .failed("ended with status 1"))
        #expect(await hooks.next() == "slow")
        await dispatcher.stop()
        #expect(await dispatcher.add(event("late")) == false)
        await clock.wake(at: .seconds(10))
        let summary = await dispatcher.finish()
        #expect(summary.lost.map(\.id).sorted() == ["bad", "next", "slow"])
        #expect(summary.setAside.isEmpty && summary.kept == 0)
        #expect(reports.all.count == 1)
    }

    @Test("at a stop, a hook that ends in time has succeeded, and those that wait are run too")
    func stopInTime() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        for id in ["a", "b"] { _ = await dispatcher.add(event(id)) }
        #expect(await hooks.next() == "a")
        await dispatcher.stop()
        hooks.end("a")
        #expect(await hooks.next() == "b")
        hooks.end("b")
        #expect(await dispatcher.finish().lost.isEmpty)
    }

    @Test("without a store the oldest of too many that failed are set aside before their time")
    func roomForFailed() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        let count = HookDispatcher.capacity + 5
        for number in 0..<count {
            _ = await dispatcher.add(event("\(number)"))
            #expect(await hooks.next() == "\(number)")
            hooks.end("\(number)", .failed("ended with status 1"))
        }
        await dispatcher.stop()
        let summary = await dispatcher.finish()
        #expect(summary.lost.count <= HookDispatcher.capacity)
        #expect(summary.lost.count + summary.setAside.count == count)
        #expect(Set(summary.setAside.prefix(5).map(\.id)) == ["0", "1", "2", "3", "4"])
        #expect(reports.all.contains("0 ended with status 1, set aside"))
    }

    @Test("of those set aside without a store, reasons are kept of the first ones, and no events")
    func manySetAside() async {
        let dispatcher = dispatcher { ($0.parallel, $0.tries) = (1, 1) }
        for number in 0..<HookDispatcher.capacity + 2 {
            _ = await dispatcher.add(event("\(number)"))
            #expect(await hooks.next() == "\(number)")
            hooks.end("\(number)", .failed("ended with status 1"))
        }
        let summary = await dispatcher.finish()
        #expect(summary.setAside.count == HookDispatcher.capacity && summary.forgotten == 2)
        #expect(summary.setAside.allSatisfy { $0.event == Event(id: $0.id) && $0.reason != nil })
        #expect(summary.lost.isEmpty)
    }

    @Test("when too many wait, the next one waits for room, or for a stop")
    func room() async {
        let dispatcher = dispatcher { $0.parallel = 1 }
        for number in 0...HookDispatcher.capacity { _ = await dispatcher.add(event("\(number)")) }
        async let added = dispatcher.add(event("more"))
        #expect(await hooks.next() == "0")
        hooks.end("0")
        #expect(await added)
        async let refused = dispatcher.add(event("too many"))
        await dispatcher.stop()
        #expect(await refused == false)
        await clock.wake(at: .seconds(10))
        #expect(await dispatcher.finish().lost.count == HookDispatcher.capacity + 1)
    }
}
