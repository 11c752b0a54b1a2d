import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusEvents
@testable import ArgusKit

@Suite("what checks remember")
struct CheckMemoryTests {
    private static let now = ManualClock.origin

    private static func result(
        _ state: CheckResult.State, _ check: CheckName, _ subject: String? = nil
    ) -> CheckResult { CheckResult(state, check, subject, "words") }

    private static var memory: CheckMemory {
        var memory = CheckMemory()
        memory.activity.add(
            [Event(id: "1", cameraID: "a", timestamp: now - .seconds(86400 * 3))], until: now,
            in: .utc)
        memory.pictures["a"] = .init(sha256: "9f86", since: now)
        _ = memory.changes(in: [result(.fail, .camera, "Front \"Door\" ü\n")], complete: [])
        _ = memory.note(sync: now - .seconds(90_000))
        _ = memory.note(sync: now)
        return memory
    }

    @Test("a memory is what was stored, in a file for its owner alone")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let file = try #require(CheckMemory.file(of: "sz6tejcs", in: .folder(folder.path)))
        guard case .absent = try file.read() else {
            Issue.record("there is no file yet")
            return
        }
        try file.write(Self.memory)
        #expect(try #require(file.value) == Self.memory)
        #expect(try permissions(file.path) == 0o600)
        try file.write(CheckMemory())
        #expect(try #require(file.value) == CheckMemory())
        CheckMemory.forget("sz6tejcs", in: .folder(folder.path))
        #expect(file.value == nil)
    }

    @Test("a file that is cut off anywhere is damaged, and nothing else happens")
    func cutOff() throws {
        let folder = try TemporaryFolder()
        let file = try #require(CheckMemory.file(of: "sz6tejcs", in: .folder(folder.path)))
        try file.write(Self.memory)
        let whole = try folder.text("check/sz6tejcs.json")
        for length in stride(from: 0, to: whole.utf8.count - 2, by: 7) {
            let part = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
            unlink(file.path)
            try folder.plant(part, "check/sz6tejcs.json")
            guard case .damaged = try file.read() else {
                Issue.record("\(length) bytes are a memory")
                return
            }
        }
    }

    @Test(
        "values of another kind are damage",
        arguments: [
            ("\"activity\":{", "\"activity\":[],\"x\":{"),
            ("\"days\":{", "\"days\":{\"x\":\"00\","),
            ("\"days\":{", "\"days\":{\"-1\":\"\","), ("\"days\":{", "\"days\":{\"1\":\"zz\","),
            ("\"days\":{", "\"days\":{\"99999999999999999999\":\"\","),
            ("\"sha256\":\"9f86\"", "\"sha256\":1"), ("\"since\":\"", "\"since\":\"x"),
            ("\"states\":{", "\"state\":{"), ("\"interval\":", "\"interval\":\"x\",\"y\":"),
        ])
    func otherKinds(_ old: String, _ new: String) throws {
        let text = String(decoding: Self.memory.state.document(.compact), as: UTF8.self)
        #expect(text.contains(old), "\(text)")
        let changed = text.replacing(old, with: new)
        let value = try #require(JSONValue(parsing: Array(changed.utf8)), "\(changed)")
        #expect(throws: StateUnreadable.self) { try CheckMemory(state: value) }
    }

    @Test("the layout of a newer argus is not read")
    func newer() throws {
        let text = String(decoding: Self.memory.state.document(.compact), as: UTF8.self)
            .replacing("\"version\":1", with: "\"version\":2")
        let folder = try TemporaryFolder()
        let file = try #require(CheckMemory.file(of: "sz6tejcs", in: .folder(folder.path)))
        try file.write(CheckMemory())
        unlink(file.path)
        try folder.plant(text, "check/sz6tejcs.json")
        guard case .newer = try file.read() else {
            Issue.record("it was read")
            return
        }
    }

    // Changes.

    private func names(_ results: [CheckResult]) -> [String] {
        results.map { "\($0.state.rawValue) \($0.name)" }
    }

    @Test("what begins and what ends is reported once")
    func changes() {
        var memory = CheckMemory()
        let all = Set(CheckName.allCases)
        func run(_ results: CheckResult...) -> [String] {
            names(memory.changes(in: results, complete: all))
        }
        #expect(run(Self.result(.ok, .server), Self.result(.ok, .camera, "Porch")).isEmpty)
        let failing = Self.result(.fail, .camera, "Porch")
        #expect(run(failing, Self.result(.ok, .server)) == ["fail camera Porch"])
        #expect(run(failing, Self.result(.ok, .server)).isEmpty)
        #expect(run(Self.result(.warn, .camera, "Porch")) == ["warn camera Porch"])
        #expect(run(Self.result(.ok, .camera, "Porch")) == ["ok camera Porch"])
        #expect(run(Self.result(.unknown, .disk)) == ["unknown disk"])
        // A camera that was removed while it failed, and the same one once more.
        #expect(run(failing, Self.result(.ok, .disk)) == ["fail camera Porch", "ok disk"])
        #expect(run(Self.result(.ok, .disk)) == ["ok camera Porch"])
        #expect(run(Self.result(.ok, .disk)).isEmpty)
        #expect(run(failing) == ["fail camera Porch"])
    }

    @Test("cameras that are silent together end together, and can be so again")
    func group() {
        var memory = CheckMemory()
        func run(_ results: CheckResult...) -> [String] {
            names(memory.changes(in: results, complete: [.silence]))
        }
        var group = Self.result(.fail, .silence)
        group.isOfSeveral = true
        let porch = Self.result(.fail, .silence, "Porch")
        let garage = Self.result(.ok, .silence, "Garage")
        #expect(run(porch, garage) == ["fail silence Porch"])
        #expect(run(group) == ["fail silence"])
        #expect(run(group).isEmpty)
        // The porch did not come back with the others, which is no news.
        #expect(run(porch, garage) == ["ok silence"])
        #expect(run(group) == ["fail silence"])
        #expect(
            run(Self.result(.ok, .silence, "Porch"), garage).sorted() == [
                "ok silence", "ok silence Porch",
            ])
    }

    @Test("checks that were not made, or could not be, have not ended")
    func incomplete() {
        var memory = CheckMemory()
        let porch = Self.result(.fail, .camera, "Porch")
        #expect(names(memory.changes(in: [porch], complete: [.camera])) == ["fail camera Porch"])
        // Another check, the camera list that failed, a server that is down.
        #expect(memory.changes(in: [Self.result(.ok, .disk)], complete: [.disk]).isEmpty)
        let lost = Self.result(.unknown, .camera)
        #expect(names(memory.changes(in: [lost], complete: [.camera])) == ["unknown camera"])
        let down = Self.result(.fail, .server)
        #expect(names(memory.changes(in: [down], complete: [])) == ["fail server"])
        let back = memory.changes(in: [porch, Self.result(.ok, .server)], complete: [.camera])
        #expect(Set(names(back)) == ["ok server", "ok camera"])
    }

    @Test("two cameras of one name are one, the worse")
    func sameName() {
        var memory = CheckMemory()
        let both = [Self.result(.fail, .camera, "Porch"), Self.result(.ok, .camera, "Porch")]
        #expect(names(memory.changes(in: both, complete: [.camera])) == ["fail camera Porch"])
        #expect(memory.changes(in: both, complete: [.camera]).isEmpty)
    }

    // The archive.

    @Test("an archive is late after twice its usual interval, and a sync by hand changes little")
    func syncs() {
        var memory = CheckMemory()
        var time = Self.now
        func isLate(after seconds: Int64) -> Bool {
            ArchiveFreshness(memory.note(sync: time), at: time + .seconds(seconds)).isLate
        }
        #expect(ArchiveFreshness(memory.note(sync: nil), at: time).isLate)
        #expect(!isLate(after: 2 * 86400))
        #expect(isLate(after: 2 * 86400 + 1))
        time = time + .seconds(86400)
        #expect(!isLate(after: 2 * 86400))
        time = time + .seconds(60)
        #expect(!isLate(after: 86400))
        // Hourly from now on: the interval is learnt.
        for _ in 0..<8 {
            time = time + .seconds(3600)
            _ = memory.note(sync: time)
        }
        #expect(!isLate(after: 7200))
        #expect(isLate(after: 7201))
        // The next check finds the same sync.
        #expect(memory.note(sync: time).interval == .seconds(3600))
        #expect(memory.note(sync: nil).last == nil)
    }
}

@Suite("the activity of cameras")
struct ActivityTests {
    @Test("the stored form is the activity, whatever the slots")
    func roundTrip() throws {
        var random = FixedRandom(state: 7)
        for count in [0, 1, 2, 143, 144, 500] {
            var activity = Activity()
            for _ in 0..<count {
                let seconds = Int64.random(in: 0..<29 * 86400, using: &random)
                activity.add(ManualClock.origin + .seconds(seconds), in: .utc)
            }
            #expect(try Activity(state: activity.state) == activity)
        }
    }

    @Test("a time is in the slot of its ten minutes, before 1970 too")
    func slots() {
        let midnight = Timestamp(seconds: 1_795_219_200)
        let day = 1_795_219_200 / 86400
        for (seconds, slot) in [(0, 0), (599, 0), (600, 1), (86399, 143)] {
            let time = midnight + .seconds(seconds)
            #expect(Activity.slot(of: time, in: .utc) == day * 144 + slot)
        }
        #expect(Activity.slot(of: Timestamp(seconds: -1), in: .utc) == -1)
        var activity = Activity()
        activity.add(Timestamp(seconds: -1), in: .utc)
        #expect(activity.slots == [-1] && activity.hours(of: -1) == [23])
    }

    @Test("what is too old is forgotten, and a clock that is ahead hides no silence")
    func forgets() {
        let now = ManualClock.origin
        var house = HouseActivity()
        func event(_ camera: String?, _ days: Int64) -> Event {
            Event(id: "1", cameraID: camera, timestamp: now - .seconds(days * 86400))
        }
        house.add(
            [event("a", 40), event("a", 2), event("a", -1), event(nil, 1)], until: now, in: .utc)
        #expect(house.cameras["a"]?.slots.count == 1)
        #expect(house.cameras["a"]?.last == now - .seconds(2 * 86400))
        #expect(house.cameras.count == 1)
    }

    @Test("an empty list of cameras costs nothing of what was learnt")
    func emptyList() {
        let now = ManualClock.origin
        var readings = HouseReadings(now: now, zone: .utc)
        readings.activity.add(
            [Event(id: "1", cameraID: "a", timestamp: now)], until: now, in: .utc)
        readings.cameras = .success([])
        var memory = CheckMemory()
        memory.learn(readings)
        #expect(memory.activity.cameras["a"]?.last == now)
    }

    @Test("only what is new is to be read, and all again after the clock went back")
    func since() {
        let now = ManualClock.origin
        var house = HouseActivity()
        #expect(house.since(at: now) == now - .seconds(29 * 86400))
        house.add([], until: now, in: .utc)
        #expect(house.since(at: now + .seconds(300)) == now - .seconds(1800))
        #expect(house.since(at: now - .seconds(2)) == now - .seconds(1802))
        #expect(house.since(at: now - .seconds(1801)) == now - .seconds(29 * 86400 + 1801))
        let later = now + .seconds(60 * 86400)
        #expect(house.since(at: later) == later - .seconds(29 * 86400))
    }
}
