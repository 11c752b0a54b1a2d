import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@testable import ArgusEvents
@testable import ArgusKit
@testable import ArgusPush

@Suite("drill")
struct DrillTests {
    private let folder: TemporaryFolder
    private let log: DeliveryLog
    private let phone: DeliveryToken

    init() throws {
        folder = try TemporaryFolder()
        log = DeliveryLog(folder.file("push"))
        phone = DeliveryToken(
            id: "p1",
            address: .fcm(token: try PushToken(String(repeating: "f", count: 140), for: .fcm)),
            device: DeviceDescription(name: "Ann's phone"), createdAt: ManualClock.origin)
    }

    private let new = NewEvent(
        ofCamera: "c1", at: ManualClock.origin, description: Drill.description(mark: "7f3a"),
        objects: ["person"], confidence: 100, picture: Drill.picture)

    /// Takes the state of a watch, which runs as long as it is held.
    private func hold(_ name: String) async throws -> WatchState {
        try await WatchState(
            name, of: "s1", "", in: .folder(folder.path), at: ManualClock.origin)
    }

    private func run(
        _ script: ScriptedDrillServer.Script = .init(), watches: [Drill.Watch] = [],
        receivers: Bool = false, keepsEvent: Bool = false, stop: DrillStop = DrillStop(),
        report: @escaping (DrillLink) -> Void = { _ in }
    ) async -> (report: DrillReport, server: ScriptedDrillServer) {
        let server = ScriptedDrillServer(script)
        let followers = Drill.Followers(
            watches: watches, in: WatchStates(in: .folder(folder.path)),
            receivers: receivers ? [.init(id: phone.id, name: "Ann's phone")] : [], in: log)
        let drill = Drill(
            on: server, followers, SteppingClock().clock, keepsEvent: keepsEvent, endedBy: stop)
        return (await drill.run(new, report: report), server)
    }

    /// The links as `stored ok`.
    private func words(_ report: DrillReport) -> [String] {
        report.links.map { "\($0.step.word) \($0.result.word)" }
    }

    @Test("every link holds, in the order of the chain, and the event is deleted")
    func allHold() async throws {
        let state = try await hold("door")
        var script = ScriptedDrillServer.Script()
        script.whenStored = { [log, phone] event in
            try? state.ledger.append(
                [.event(.init(event.id), capturedAt: ManualClock.origin)], to: EventLedger())
            try? log.append(
                DeliveryRecord(event.id, phone, .silent, at: ManualClock.origin))
        }
        var reported: [Duration] = []
        let (report, server) = await run(
            script, watches: [Drill.Watch("door", command: "/bin/true")], receivers: true
        ) { reported.append($0.after) }
        #expect(
            words(report) == [
                "stored done", "listed done", "announced done", "door done", "command of door done",
                "Ann's phone done", "deleted done",
            ])
        #expect(report.firstBroken == nil)
        #expect(reported.count == 7 && reported == reported.sorted())
        #expect(server.stored == [new] && server.deleted == [ScriptedDrillServer.id])
        #expect(try ImageKind.ofComplete(Base64.decodeDataURI(Drill.picture) ?? []) == .jpeg)
    }

    @Test("a refused event is the whole chain; one whose answer was lost is found and deleted")
    func notStored() async throws {
        var script = ScriptedDrillServer.Script()
        script.refusal = APIError(.rejected, "no", status: 422)
        let (refused, first) = await run(script)
        #expect(words(refused) == ["stored broken"] && first.deleted.isEmpty)
        script.refusal = APIError(transport: TransportError(.timedOut(.total), "no answer"))
        let (absent, second) = await run(script)
        #expect(words(absent) == ["stored broken"] && second.deleted.isEmpty)
        script.storesAnyway = true
        let (lost, third) = await run(script)
        #expect(words(lost) == ["stored broken", "deleted done"])
        #expect(third.deleted == [ScriptedDrillServer.id])
    }

    @Test("a list and a stream that lack the event are late, those that fail are broken")
    func server() async throws {
        var script = ScriptedDrillServer.Script()
        (script.isListed, script.isAnnounced) = (false, false)
        let (late, _) = await run(script)
        #expect(words(late) == ["stored done", "listed late", "announced late", "deleted done"])
        #expect(late.firstBroken?.step == .listed)
        #expect(late.links[1].after >= Drill.usualTimeout)
        script.listFailure = APIError(.serverError, status: 500)
        script.streamEnd = "the server refused a WebSocket (404)"
        let (broken, server) = await run(script)
        #expect(
            words(broken) == ["stored done", "listed broken", "announced broken", "deleted done"])
        #expect(server.deleted.count == 1)
    }

    @Test("a watch that does not run, one whose filter does not match, and one that is late")
    func watches() async throws {
        let held = try await hold("hangs")
        let filter = EventFilter().with { $0.types = ["package"] }
        let alerts = EventFilter().with { $0.alertsOnly = true }
        let search = EventFilter().with { $0.search = "parcel" }
        let (report, _) = await run(watches: [
            Drill.Watch("gone"),
            Drill.Watch("parcels", filterText: "--type package", filter: filter),
            Drill.Watch("alarms", filterText: "--alerts", filter: alerts),
            Drill.Watch("words", filterText: "--search parcel", filter: search),
            Drill.Watch("hangs", command: "/bin/true"),
        ])
        #expect(
            words(report).dropFirst(3).dropLast() == [
                "gone broken", "parcels skipped", "alarms skipped", "words skipped", "hangs late",
            ])
        #expect(held.name == "hangs" && report.firstBroken?.step == .handedOver(state: "gone"))
    }

    @Test("a command that fails is named with its reason, and is not tried for a deleted event")
    func command() async throws {
        let state = try await hold("door")
        let store = HookStore(state.hooks)
        var script = ScriptedDrillServer.Script()
        script.whenStored = { event in
            var entry = HookEntry(event, at: ManualClock.origin)
            entry.fail("ended with status 3", at: ManualClock.origin, tries: 5)
            try? store.add(entry)
        }
        let watch = Drill.Watch("door", command: "/bin/false")
        let (kept, _) = await run(script, watches: [watch], keepsEvent: true)
        #expect(
            words(kept).suffix(2) == ["door done", "command of door broken"] && kept.event != nil)
        guard case .broken(.command(let entry))? = kept.firstBroken?.result else {
            Issue.record("\(words(kept))")
            return
        }
        #expect(entry.reason == "ended with status 3" && store.contains(entry.id))
        let (deleted, _) = await run(script, watches: [watch])
        #expect(words(deleted).last == "deleted done" && !store.contains(entry.id))
    }

    @Test(
        "the verdict about a receiver decides, and what it did not choose is no broken link",
        arguments: [
            ("sent", nil, "done"), ("skipped", "type", "skipped"),
            ("skipped", "quiet_hours", "skipped"), ("skipped", "inactive", "broken"),
            ("skipped", "too_old", "broken"), ("failed", "503", "broken"),
            ("removed", "gone", "broken"), ("deactivated", "503", "broken"),
        ] as [(String, String?, String)])
    func receivers(outcome: String, reason: String?, expected: String) async throws {
        let outcome = try #require(DeliveryRecord.Outcome(rawValue: outcome))
        var script = ScriptedDrillServer.Script()
        script.whenStored = { [log, phone] event in
            try? log.append(
                DeliveryRecord(event.id, phone, outcome, reason, at: ManualClock.origin))
        }
        let (report, _) = await run(script, receivers: true)
        #expect(words(report).dropLast().last == "Ann's phone \(expected)")
    }

    @Test("a receiver without a verdict is late")
    func silentReceiver() async throws {
        let (report, _) = await run(receivers: true)
        #expect(words(report).dropLast().last == "Ann's phone late")
    }

    @Test("a deletion that fails is a broken link")
    func notDeleted() async throws {
        var script = ScriptedDrillServer.Script()
        script.deletionFailure = APIError(.serverError, status: 500)
        let (report, _) = await run(script)
        #expect(report.firstBroken?.step == .deleted && report.event?.id == ScriptedDrillServer.id)
    }

    @Test("a stop ends the drill, names nothing as late, and deletes the event")
    func stopped() async throws {
        let held = try await hold("door")
        let stop = DrillStop()
        var script = ScriptedDrillServer.Script()
        script.isListed = false
        let (report, server) = await run(script, watches: [Drill.Watch("door")], stop: stop) {
            if $0.step == .announced { stop.request() }
        }
        #expect(words(report) == ["stored done", "announced done", "deleted done"])
        #expect(server.deleted.count == 1 && held.name == "door")
        let (early, unused) = await run(script, stop: stop)
        #expect(early.links.isEmpty && unused.stored.isEmpty)
    }
}

extension EventFilter {
    fileprivate func with(_ change: (inout EventFilter) -> Void) -> EventFilter {
        var filter = self
        change(&filter)
        return filter
    }
}

extension DrillLink.Step {
    fileprivate var word: String {
        switch self {
        case .stored: "stored"
        case .listed: "listed"
        case .announced: "announced"
        case .handedOver(let state): state
        case .commandEnded(let state): "command of \(state)"
        case .pushed(let receiver): receiver.name
        case .deleted: "deleted"
        }
    }
}

extension DrillLink.Result {
    fileprivate var word: String {
        switch self {
        case .done: "done"
        case .skipped: "skipped"
        case .broken: "broken"
        case .late: "late"
        }
    }
}
