import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents

@Suite("AlarmGate")
struct AlarmGateTests {
    private let folder: TemporaryFolder
    private var file: StateFile<AlarmState> {
        StateFile(folder.file("alarms.json"), for: .state)
    }

    init() throws { folder = try TemporaryFolder() }

    private func event(
        _ id: String, at seconds: Int64, camera: String = "c1", type: String = "person",
        visit: String? = nil
    ) -> Event {
        var event = Event(id: id)
        event.timestamp = Timestamp(seconds: seconds)
        (event.cameraID, event.smartDetectionType) = (camera, type)
        event.visitID = visit
        return event
    }

    private func gate(
        _ cooldown: AlarmCooldown? = nil, mutes: @escaping @Sendable () -> [Mute] = { [] }
    ) throws -> AlarmGate {
        try AlarmGate(cooldown, keptIn: file, mutes: mutes)
    }

    private func rule(_ id: String, minutes: Int) throws -> AlertRule {
        let text = #"{"id":"\#(id)","name":"\#(id.uppercased())","cooldown_minutes":\#(minutes)}"#
        return try #require(AlertRule(try JSONView.parse(Array(text.utf8))))
    }

    /// The number of suppressed events before an alarm; nil for an event without one.
    private func suppressed(
        _ gate: AlarmGate, _ event: Event, rules: [AlertRule]? = nil
    ) -> String? {
        let (decision, error) = gate.decide(
            event, matching: rules, at: event.timestamp ?? Timestamp(seconds: 0))
        #expect(error == nil)
        guard case .alarm(let variables) = decision else { return nil }
        return variables["SUPPRESSED"]
    }

    @Test("the first event of a visit counts, and the next visit has the number of the others")
    func cooldown() throws {
        let gate = try gate(AlarmCooldown(.seconds(600), per: .camera))
        #expect(suppressed(gate, event("a", at: 1000)) == "0")
        #expect(suppressed(gate, event("b", at: 1010)) == nil)
        #expect(suppressed(gate, event("c", at: 1599)) == nil)
        #expect(suppressed(gate, event("d", at: 1300, camera: "c2")) == "0")
        #expect(suppressed(gate, event("e", at: 1600)) == "2")
        // One that comes late belongs to the visit, too.
        #expect(suppressed(gate, event("f", at: 1100)) == nil)
    }

    @Test(
        "what belongs together is a matter of the scope",
        arguments: [
            (AlarmCooldown.Scope.all, [true, false, false, false]),
            (.camera, [true, true, false, false]), (.type, [true, false, true, false]),
            (.cameraAndType, [true, true, true, false]), (.visit, [true, false, true, true]),
        ])
    func scopes(scope: AlarmCooldown.Scope, alarms: [Bool]) throws {
        let gate = try gate(AlarmCooldown(.seconds(600), per: scope))
        let events = [
            event("a", at: 1, visit: "v"), event("b", at: 2, camera: "c2", visit: "v"),
            event("c", at: 3, type: "animal"), event("d", at: 4),
        ]
        #expect(events.map { suppressed(gate, $0) != nil } == alarms)
    }

    @Test("a restart keeps cooldowns, and decides the same again of an event that was not accepted")
    func restart() throws {
        let cooldown = AlarmCooldown(.seconds(600), per: .all)
        let first = try gate(cooldown)
        #expect(suppressed(first, event("a", at: 1000)) == "0")
        let second = try gate(cooldown)
        #expect(suppressed(second, event("a", at: 1000)) == "0")
        second.accepted("a")
        #expect(suppressed(second, event("b", at: 1001)) == nil)
        let third = try gate(cooldown)
        #expect(suppressed(third, event("b", at: 1001)) == nil)
        #expect(suppressed(third, event("c", at: 1700)) == "1")
    }

    @Test("an event that comes late is an alarm of an earlier visit, and moves no cooldown back")
    func late() throws {
        let gate = try gate(AlarmCooldown(.seconds(600), per: .all))
        func isAlarm(_ id: String, at seconds: Int64) -> Bool {
            let event = event(id, at: seconds)
            if case .alarm = gate.decide(event, at: Timestamp(seconds: 5100)).0 { return true }
            return false
        }
        #expect(isAlarm("a", at: 5000))
        #expect(isAlarm("b", at: 1000))
        #expect(!isAlarm("c", at: 1001))
        #expect(!isAlarm("d", at: 5001))
        #expect(isAlarm("e", at: 3000))
        #expect(!isAlarm("f", at: 5050))
        let again = try self.gate(AlarmCooldown(.seconds(600), per: .all))
        #expect(suppressed(again, self.event("g", at: 3001)) == nil)
    }

    @Test("a time of a wrong clock holds no later event")
    func wrongClock() throws {
        let gate = try gate(AlarmCooldown(.seconds(600), per: .all))
        #expect(suppressed(gate, event("a", at: 9_000_000_000)) == "0")
        #expect(suppressed(gate, event("b", at: 1000)) == "0")
        #expect(suppressed(gate, event("c", at: 1001)) == nil)
    }

    @Test("each rule has its own cooldown, and an alarm names those that are due")
    func rules() throws {
        let gate = try gate()
        let rules = [try rule("r1", minutes: 10), try rule("r2", minutes: 0)]
        func names(_ id: String, at seconds: Int64, _ rules: [AlertRule]) -> String? {
            let (decision, _) = gate.decide(
                event(id, at: seconds), matching: rules, at: Timestamp(seconds: seconds))
            guard case .alarm(let variables) = decision else { return nil }
            #expect(
                variables["RULE_ID"]
                    == variables["RULE_NAME"]?.lowercased().replacing(",", with: ""))
            return variables["RULE_NAME"]
        }
        #expect(names("a", at: 1000, rules) == "R1, R2")
        #expect(names("b", at: 1001, rules) == "R2")
        #expect(names("c", at: 1002, [rules[0]]) == nil)
        #expect(names("d", at: 1600, rules) == "R1, R2")
        #expect(names("e", at: 1601, []) == nil)
    }

    @Test("a mute holds what it covers, and says at its end how many that were")
    func mutes() throws {
        var mute = Mute(
            number: 1, server: "s", from: Timestamp(seconds: 1000),
            until: Timestamp(seconds: 2000), cameraID: "c1", reason: "party")
        let current = mute
        let gate = try gate(mutes: { [current] })
        func reason(_ event: Event, at seconds: Int64) -> AlarmHold? {
            guard case .held(let hold) = gate.decide(event, at: Timestamp(seconds: seconds)).0
            else { return nil }
            return hold
        }
        #expect(
            reason(event("a", at: 1500), at: 1500)
                == AlarmHold(.muted, "party", until: Timestamp(seconds: 2000)))
        #expect(reason(event("b", at: 1500, camera: "c2"), at: 1500) == nil)
        // Taken up while it lasts, or captured then.
        #expect(reason(event("c", at: 900), at: 1500) != nil)
        #expect(reason(event("d", at: 1999), at: 3000) != nil)
        #expect(reason(event("e", at: 2000), at: 2000) == nil)
        #expect(gate.endedMutes(at: Timestamp(seconds: 1999)).isEmpty)
        mute.number = 1
        #expect(
            gate.endedMutes(at: Timestamp(seconds: 2000))
                == [AlarmGate.EndedMute(mute: current, count: 3)])
        #expect(gate.endedMutes(at: Timestamp(seconds: 2000)).isEmpty)
    }

    @Test("a clock that jumps neither mutes for ever nor ends a mute for good")
    func clockJump() {
        let mute = Mute(
            server: "s", from: Timestamp(seconds: 1000), until: Timestamp(seconds: 2000))
        let future = event("a", at: 9_000_000_000)
        #expect(mute.covers(future, at: Timestamp(seconds: 1500)))
        #expect(!mute.covers(future, at: Timestamp(seconds: 2500)))
        // A machine that starts in 1970 raises alarms, and is quiet again when it knows the time.
        #expect(!mute.covers(event("b", at: 1500), at: Timestamp(seconds: 0)))
        #expect(mute.covers(event("b", at: 1500), at: Timestamp(seconds: 1501)))
        // A clock that is set back by less than its length does not end it.
        #expect(mute.covers(event("c", at: 400), at: Timestamp(seconds: 400)))
        #expect(!mute.covers(event("d", at: 400), at: Timestamp(seconds: 3000)))
    }

    @Test("a damaged file holds no alarm")
    func damaged() throws {
        _ = try folder.plant(#"{"version":1,"groups":{"a":{"last":"x"}}}"#, "alarms.json")
        let gate = try gate(AlarmCooldown(.seconds(600), per: .all))
        #expect(suppressed(gate, event("a", at: 1)) == "0")
    }
}

@Suite("MuteStore")
struct MuteStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

    @Test("mutes are kept with all they say, end by number or all at once, and are forgotten later")
    func lifetime() async throws {
        let store = MuteStore(in: .folder(folder.file("state")))
        #expect(try store.all().isEmpty)
        let first = try await store.add(
            Mute(
                server: "s1", from: time(10), until: time(100), cameraID: "c", cameraName: "Door",
                type: "person", reason: "party"))
        #expect(first.number == 1)
        #expect(first.scope == "person on Door")
        let second = try await store.add(Mute(server: "s2", from: time(10), until: time(100)))
        #expect(second.number == 2)
        #expect(second.scope == "everything")
        #expect(try store.all() == [first, second])
        #expect(try await store.end(at: time(50)) { $0.number == 2 }.map(\.number) == [2])
        #expect(try await store.end(at: time(50)) { $0.number == 2 }.isEmpty)
        #expect(try await store.end(at: time(60)) { _ in true }.map(\.number) == [1])
        #expect(try store.all().map(\.until) == [time(60), time(50)])
        _ = try await store.end(at: time(10 * 86_400)) { _ in true }
        #expect(try store.all().isEmpty)
    }
}
