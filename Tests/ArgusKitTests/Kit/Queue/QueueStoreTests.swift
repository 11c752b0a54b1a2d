import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusEvents
@testable import ArgusKit

@Suite("the queue of hooks, and the states of watches")
struct QueueStoreTests {
    private let folder: TemporaryFolder
    private let states: WatchStates

    init() throws {
        folder = try TemporaryFolder()
        states = WatchStates(in: .folder(folder.path))
    }

    /// Makes a state as a watch leaves it, which fails for these events.
    private func state(_ name: String, _ ids: [String], server: String = "sz6tejcs") async throws {
        let state = try await WatchState(
            name, of: server, "--type person", in: .folder(folder.path),
            at: ManualClock.origin)
        try state.ledger.append([.pass(ManualClock.origin)], to: EventLedger())
        let store = HookStore(state.hooks)
        for (number, id) in ids.enumerated() {
            let time = ManualClock.origin + .seconds(number)
            var entry = HookEntry(Event(id: id, cameraName: "Porch"), at: time)
            entry.fail("ended with status 1", at: time, tries: number == 0 ? 1 : 5)
            try store.add(entry)
        }
    }

    @Test("the items of all states are listed, oldest first, and one is changed where it is")
    func items() async throws {
        #expect(states.names.isEmpty)
        let queue = QueueStore(in: .folder(folder.path))
        #expect(queue.items().items.isEmpty)
        try await state("door", ["a", "b"])
        try await state("yard", ["b", "c"], server: "other")
        let items = queue.items().items
        #expect(items.map(\.id) == ["a", "b", "b", "c"])
        #expect(items.map(\.status) == [.setAside, .setAside, .waiting, .waiting])
        #expect(items.map(\.tries) == [1, 1, 1, 1])
        let second = try #require(items.first { $0.id == "b" && $0.state == "yard" })
        #expect(second.server == "other" && second.reason == "ended with status 1")
        let now = ManualClock.origin + .seconds(100)
        #expect(try await queue.retry(second, at: now))
        #expect(try await queue.drop(items[0]))
        #expect(try await queue.drop(items[0]) == false)
        let rest = queue.items().items
        #expect(
            Set(rest.map { "\($0.id) \($0.state ?? "") \($0.tries)" }) == [
                "b door 1", "b yard 0", "c yard 1",
            ])
        #expect(rest.first { $0.state == "yard" && $0.id == "b" }?.nextTry == now)
    }

    @Test("what waits needs another watch unless one with its state runs")
    func stopped() async throws {
        let queue = QueueStore(in: .folder(folder.path))
        try await state("door", ["a", "b"])
        #expect(queue.items().items.map(\.needsWatch) == [false, true])
        let running = try await WatchState(
            "door", of: "sz6tejcs", "--type person", in: .folder(folder.path),
            at: ManualClock.origin)
        #expect(queue.items().items.map(\.needsWatch) == [false, false])
        #expect(running.name == "door")
    }

    @Test("a state is listed with its server, filter, owner and last pass")
    func listed() async throws {
        try await state("yard", [])
        let held = try await WatchState(
            "door", of: "sz6tejcs", "", in: .folder(folder.path),
            at: ManualClock.origin)
        mkdir(folder.file("watch/odd"), 0o700)
        let all = try states.all()
        #expect(all.map(\.name) == ["door", "odd", "yard"])
        #expect(all.map(\.isRunning) == [true, false, false])
        #expect(all.map(\.pid) == [getpid(), nil, nil])
        #expect(all.map(\.server) == ["sz6tejcs", nil, "sz6tejcs"])
        #expect(all.map(\.filter) == ["", nil, "--type person"])
        #expect(all.map(\.lastPass) == [nil, nil, ManualClock.origin])
        // Looking does not take the lock, even for a moment.
        #expect(held.name == "door")
    }

    @Test("a state shows what its watch has done with an event, and the command that it runs")
    func handover() async throws {
        try await state("door", ["a"])
        let binding = WatchState.binding(in: folder.file("watch/door"))
        let held = try await WatchState(
            "door", of: "sz6tejcs", "--type person", in: .folder(folder.path),
            at: ManualClock.origin)
        #expect(try states.all().map(\.command) == [nil])
        held.record(command: "/opt/ring.sh")
        #expect(try states.all().map(\.command) == ["/opt/ring.sh"])
        #expect(binding.value?.filter == "--type person")
        guard case .done(let entry?) = try states.handover(of: "a", in: "door") else {
            Issue.record("the event waits for its command")
            return
        }
        #expect(entry.reason == "ended with status 1")
        #expect(try states.handover(of: "b", in: "door") == .none)
        try held.ledger.append([.event(.init("b"), capturedAt: ManualClock.origin)], to: .init())
        #expect(try states.handover(of: "b", in: "door") == .done(waiting: nil))
        let name = try #require(try folder.names(in: "watch/door/hooks").first)
        try folder.plant("{}", "watch/door/hooks/\(name)")
        #expect(throws: UnreadableFile.self) { try states.handover(of: "a", in: "door") }
    }

    @Test("the next watch of a state may run no command")
    func commandOfTheNext() async throws {
        func take() async throws -> WatchState {
            try await WatchState(
                "door", of: "sz6tejcs", "", in: .folder(folder.path), at: ManualClock.origin)
        }
        do {
            let first = try await take()
            first.record(command: "/opt/ring.sh")
            #expect(try states.all().map(\.command) == ["/opt/ring.sh"])
        }
        #expect(try states.all().map(\.command) == [nil])
        let second = try await take()
        #expect(try states.all().map(\.command) == [nil] && second.name == "door")
    }

    @Test(
        "the filter of a state is read as typed, also where an earlier version wrote it",
        arguments: [
            ("--camera Front Door --type person", "--camera Front Door --type person"),
            (
                #"--camera CameraList(text: "Front Door") --camera CameraList(text: "a\"b") --alerts"#,
                #"--camera Front Door --camera a"b --alerts"#
            ),
            ("--search (text: \"", "--search (text: \""),
        ])
    func filter(written: String, typed: String) throws {
        let binding = WatchBinding(server: "s", filter: written, begunAt: ManualClock.origin)
        #expect(try WatchBinding(state: binding.state).filter == typed)
    }

    @Test("a state is forgotten with its events, unless a process uses it")
    func forgotten() async throws {
        try await state("yard", ["a"])
        let held = try await WatchState(
            "door", of: "sz6tejcs", "", in: .folder(folder.path),
            at: ManualClock.origin)
        await #expect(throws: WatchStateError.self) { try await states.forget(held.name) }
        #expect(try await states.forget("yard"))
        #expect(try await states.forget("yard") == false)
        #expect(states.names == ["door"])
        #expect(try folder.names(in: "watch/door").sorted() == ["lock", "pid", "watch.json"])
    }
}
