import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusEvents

@Suite("the stored events of hooks", .hangLimit)
struct HookStoreTests {
    private let clock = ManualClock()
    private let hooks = ScriptedHooks()
    private let reports = MessageLog()
    private let folder: TemporaryFolder
    private let store: HookStore

    init() throws {
        folder = try TemporaryFolder()
        store = HookStore(folder.file("hooks"))
    }

    private func dispatcher(
        _ change: (inout HookDispatcher.Limits) -> Void = { _ in }
    ) -> HookDispatcher {
        var limits = HookDispatcher.Limits()
        change(&limits)
        let reports = reports
        return HookDispatcher(
            limits, clock.clock, store: store, prepare: { [hooks] in hooks.prepare($0.event) },
            report: { reports.add("\($0)") })
    }

    private func stored() throws -> [HookEntry] { try store.all().entries }

    private func event(_ id: String) -> Event {
        Event(id: id, cameraName: "Front Door", timestamp: ManualClock.origin)
    }

    @Test("pictures that a killed watch left are removed, and entries stay")
    func pictures() throws {
        let path = try store.emptyPictures()
        #expect(try permissions(path) == 0o700)
        let entry = HookEntry(event("e1"), at: ManualClock.origin)
        try store.add(entry)
        try folder.plant("x", "hooks/argus-1a2b.jpg")
        #expect(try store.emptyPictures() == folder.file("hooks"))
        #expect(try folder.names(in: "hooks").contains { $0.hasPrefix("argus-") } == false)
        #expect(try stored() == [entry])
    }

    @Test("an entry is read as it was written, in a file of its own for its owner only")
    func roundTrip() throws {
        let full = Event(
            id: "../evt-1\u{0}\n", cameraID: "cam", cameraName: "前庭 \"x\"",
            timestamp: ManualClock.origin, smartDetectionType: "person",
            objects: ["person", "dog"],
            confidence: 87, description: "A person …", isDoorbellRing: true, alertTriggered: false,
            carrier: "ups", source: "protect", hasThumbnail: true)
        var entry = HookEntry(full, at: ManualClock.origin)
        entry.fail("ended with status 3", at: ManualClock.origin, tries: 5)
        let bare = HookEntry(Event(id: "bare"), at: ManualClock.origin + .seconds(1))
        try store.add(bare)
        try store.add(entry)
        #expect(try stored() == [entry, bare])
        for name in try folder.names(in: "hooks") {
            #expect(try permissions(folder.file("hooks/\(name)")) == 0o600)
        }
        #expect(try permissions(folder.file("hooks")) == 0o700)
    }

    @Test("a file that holds no entry is named and left alone")
    func damaged() async throws {
        try store.add(HookEntry(event("a"), at: ManualClock.origin))
        try folder.plant("{\"version\":2}", "hooks/later.json")
        try folder.plant("garbage", "hooks/damaged.json")
        #expect(try store.all().damaged.count == 2)
        let dispatcher = dispatcher()
        try await dispatcher.begin()
        #expect(await hooks.next() == "a")
        hooks.end("a")
        _ = await dispatcher.finish()
        #expect(reports.all.count == 2)
        #expect(try folder.names(in: "hooks").contains("later.json"))
    }

    @Test("an event is in the store from when it is taken over until its hook has succeeded")
    func lifetime() async throws {
        let dispatcher = dispatcher()
        #expect(await dispatcher.add(event("e")))
        #expect(try stored().map(\.tries) == [0])
        #expect(await hooks.next() == "e")
        hooks.end("e", .failed("ended with status 1"))
        await clock.wake(at: .seconds(1))
        #expect(try stored().map(\.tries) == [1])
        for second in 2...10 { await clock.wake(at: .seconds(second)) }
        #expect(await hooks.next() == "e")
        hooks.end("e")
        let summary = await dispatcher.finish()
        #expect(try stored().isEmpty && summary.kept == 0)
    }

    @Test("after a kill the next watch runs what was running, waiting or failed, each once")
    func restart() async throws {
        var failed = HookEntry(event("failed"), at: ManualClock.origin)
        failed.fail("x", at: ManualClock.origin, tries: 5)
        var aside = HookEntry(event("aside"), at: ManualClock.origin)
        aside.fail("x", at: ManualClock.origin, tries: 1)
        for entry in [failed, aside, HookEntry(event("running"), at: ManualClock.origin)] {
            try store.add(entry)
        }
        let dispatcher = dispatcher()
        try await dispatcher.begin()
        #expect(await hooks.next() == "running")
        hooks.end("running")
        // The feed offers it again, since the kill came before the ledger knew of it.
        #expect(await dispatcher.add(event("running")))
        for second in 1...10 { await clock.wake(at: .seconds(second)) }
        #expect(await hooks.next() == "failed")
        hooks.end("failed")
        let summary = await dispatcher.finish()
        #expect(summary.setAside.isEmpty)
        #expect(try stored().map(\.id) == ["aside"])
        #expect(hooks.running.isEmpty)
    }

    @Test("at a stop, what has not succeeded stays for the next watch, and is no failure")
    func stop() async throws {
        let dispatcher = dispatcher { $0.parallel = 1 }
        for id in ["bad", "slow", "next"] { #expect(await dispatcher.add(event(id))) }
        #expect(await hooks.next() == "bad")
        hooks.end("bad", .failed("ended with status 1"))
        #expect(await hooks.next() == "slow")
        await dispatcher.stop()
        await clock.wake(at: .seconds(10))
        let summary = await dispatcher.finish()
        #expect(summary.kept == 3 && summary.lost.isEmpty && summary.setAside.isEmpty)
        #expect(try stored().map(\.tries).sorted() == [0, 0, 1])
    }

    @Test("a retry from outside is due at once, and one that was dropped is not run again")
    func changes() async throws {
        let dispatcher = dispatcher { $0.tries = 1 }
        for id in ["a", "b"] {
            _ = await dispatcher.add(event(id))
            #expect(await hooks.next() == id)
            hooks.end(id, .failed("x"))
        }
        while reports.all.count < 2 { await Task.yield() }
        await clock.wake(at: .seconds(1))
        #expect(try stored().allSatisfy(\.isSetAside))
        #expect(try await store.retry("a", at: clock.now))
        #expect(try await store.drop("b"))
        // The dispatcher may have looked already.
        var time = Duration.seconds(1)
        while hooks.running.isEmpty {
            time += .seconds(1)
            clock.advance(to: time)
            await Task.yield()
        }
        #expect(await hooks.next() == "a")
        hooks.end("a")
        let summary = await dispatcher.finish()
        #expect(summary.setAside.isEmpty)
        #expect(try stored().isEmpty)
        #expect(try await store.retry("b", at: clock.now) == false)
        #expect(try await store.drop("b") == false)
    }

    @Test("an event dropped while its hook runs does not come back when that fails")
    func droppedMeanwhile() async throws {
        let dispatcher = dispatcher()
        _ = await dispatcher.add(event("e"))
        #expect(await hooks.next() == "e")
        #expect(try await store.drop("e"))
        hooks.end("e", .failed("x"))
        let summary = await dispatcher.finish()
        #expect(try stored().isEmpty && summary.kept == 0)
        #expect(reports.all.isEmpty)
    }

    @Test("a clock that was wrong does not keep an event longer than an hour")
    func clockStep() async throws {
        var entry = HookEntry(event("e"), at: ManualClock.origin)
        entry.nextTry = ManualClock.origin + .seconds(400 * 86400)
        try store.add(entry)
        let dispatcher = dispatcher()
        try await dispatcher.begin()
        await clock.wake(at: .seconds(1))
        await clock.wake(at: .seconds(2), movingTo: .seconds(3600))
        #expect(await hooks.next() == "e")
        hooks.end("e")
        _ = await dispatcher.finish()
    }

    @Test("an event that the store cannot take is run, and stays with the feed until it succeeds")
    func full() async throws {
        // A file in the place of the folder, as a full disk would refuse to make one.
        try folder.plant("", "hooks")
        let dispatcher = dispatcher()
        #expect(await dispatcher.add(event("e")) == false)
        #expect(await hooks.next() == "e")
        #expect(await dispatcher.add(event("e")) == false)
        hooks.end("e")
        while await dispatcher.add(event("e")) == false { await Task.yield() }
        #expect(hooks.running.isEmpty)
        #expect(await dispatcher.finish().kept == 0)
        #expect(reports.all.count == 1)
    }

    @Test("a failed event that the store could not take is kept once there is room")
    func roomLater() async throws {
        try folder.plant("", "hooks")
        let dispatcher = dispatcher()
        #expect(await dispatcher.add(event("e")) == false)
        #expect(await hooks.next() == "e")
        #expect(unlink(folder.file("hooks")) == 0)
        hooks.end("e", .failed("x"))
        await clock.wake(at: .seconds(1))
        #expect(try stored().map(\.tries) == [1])
        #expect(await dispatcher.add(event("e")))
        #expect(await dispatcher.finish().kept == 1)
    }
}
