import ArgusAccount
import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit
@testable import ArgusPush

@Suite("the store of queued writes")
struct WriteStoreTests {
    private let folder: TemporaryFolder
    private let store: WriteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try #require(WriteStore(in: .folder(folder.path)))
    }

    @Test("records keep their order, are 0600, and leave no folder behind")
    func order() async throws {
        #expect(try store.servers.isEmpty && !store.mayHold("sz6tejcs"))
        let first = try await store.add(
            .sample(.camera(SetCameraEnabled(camera: "c1", isOn: false))))
        let second = try await store.add(
            .sample(.camera(SetCameraEnabled(camera: "c1", isOn: true))))
        #expect(try store.servers == ["sz6tejcs"] && store.mayHold("sz6tejcs"))
        #expect(store.writes(of: "sz6tejcs").writes == [first, second])
        #expect(first.number == 1 && second.number == 2 && first.id != second.id)
        #expect(first.id.utf8.count == 16)
        let place = folder.path + "/queue/sz6tejcs"
        for name in FolderNames.all(in: place) {
            var status = stat()
            #expect(stat("\(place)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(try await store.remove(first))
        #expect(try await store.remove(first) == false)
        #expect(try await store.remove(second))
        #expect(try store.servers.isEmpty && !store.mayHold("sz6tejcs"))
    }

    @Test("every kind of write is read as it was written")
    func documents() async throws {
        let night = try #require(QuietHours("22:00-07:05"))
        var change = PushPreferencesChange()
        change.cameras = .init(["c2", "c1"])
        change.objects = .init(nil)
        change.quiet = .some(night)
        change.timezone = "Europe/Paris"
        change.hasSound = false
        var off = PushPreferencesChange()
        off.quiet = .some(nil)
        off.defaultTimezone = "Europe/Berlin"
        let all: [QueueableWrite] = [
            .feedback(GiveFeedback(event: "e1", rating: "helpful")),
            .feedback(
                GiveFeedback(event: "e1", rating: "not_helpful", correction: "a \u{1B}[31mcat")),
            .camera(SetCameraEnabled(camera: "c1", isOn: true)),
            .camera(SetCameraEnabled(camera: "c1", isOn: false)),
            .device(RenameDevice(device: "d1", to: "attic")),
            .preferences(SetPreferences(.device("d1"), change)),
            .preferences(SetPreferences(.subscription("s1"), off)),
        ]
        for write in all {
            #expect(try QueueableWrite(state: write.state) == write)
            var record = QueuedWrite.sample(write)
            record.label = "Garage"
            record.reason = "status 503"
            let added = try await store.add(record)
            let conflict = try await store.change(added) {
                $0.conflict(with: ObjectVersion(values: ["name": .null], wanted: [:]))
            }
            #expect(conflict?.status == .conflict)
            #expect(try store.current(added) == conflict)
        }
        #expect(store.writes(of: "sz6tejcs").writes.map(\.write) == all)
    }

    @Test("each unreadable file is reported with its reason, and hides nothing")
    func unreadable() async throws {
        let kept = try await store.add(.sample(.device(RenameDevice(device: "d1", to: "a"))))
        let place = folder.path + "/queue/sz6tejcs"
        let record = try folder.text("queue/sz6tejcs/0000000001-\(kept.id).json")
        try folder.plant("{", "queue/sz6tejcs/a-damaged.json")
        try folder.plant(record, "queue/sz6tejcs/b-renamed.json")
        // What is wrong with these is not their content.
        for (number, id) in [(2, "0000000000000002"), (3, "0000000000000003")] {
            let text = record.replacing("\"number\":1,", with: "\"number\":\(number),")
                .replacing(kept.id, with: id)
            let name = "queue/sz6tejcs/000000000\(number)-\(id).json"
            if number == 2 {
                try folder.plant(text, name, mode: 0o666)
            } else {
                try folder.plant(text + String(repeating: " ", count: 1 << 20), name)
            }
        }
        let newer = record.replacing("\"version\":1", with: "\"version\":2")
        try folder.plant(newer, "queue/sz6tejcs/c-newer.json")
        symlink("d-link.json", place + "/d-link.json")
        let stored = store.writes(of: "sz6tejcs")
        #expect(stored.writes == [kept])
        #expect(
            stored.unreadable.map { "\($0.path.dropFirst(place.utf8.count + 1)): \($0.reason)" }
                == [
                    "0000000002-0000000000000002.json: "
                        + "other users may read or change it (mode 666)",
                    "0000000003-0000000000000003.json: it is larger than 1048576 bytes",
                    "a-damaged.json: it is damaged", "b-renamed.json: it is damaged",
                    "c-newer.json: it was written by a newer argus",
                    "d-link.json: it is a symbolic link",
                ])
        #expect(stored.unreadable.first?.remedy?.contains("chmod 600") == true)
    }

    @Test("a folder that cannot be read is no empty queue")
    func unreadableFolder() throws {
        mkdir(folder.file("queue"), 0o700)
        symlink("sz6tejcs", folder.file("queue/sz6tejcs"))
        let stored = store.writes(of: "sz6tejcs")
        #expect(stored.writes.isEmpty)
        #expect(stored.unreadable.map(\.path) == [folder.file("queue/sz6tejcs")])
        unlink(folder.file("queue/sz6tejcs"))
        rmdir(folder.file("queue"))
        symlink("queue", folder.file("queue"))
        #expect(throws: FileSystemError.self) { try store.servers }
        let queue = QueueStore(in: .folder(folder.path))
        #expect(queue.items().unreadable.map(\.path) == [folder.file("queue")])
    }

    @Test("a record is based on the members that its write changes, as they were seen last")
    func seen() async throws {
        let seen = try #require(SeenVersions(in: .folder(folder.path)))
        let write = QueueableWrite.device(RenameDevice(device: "d1", to: "loft"))
        #expect(try await store.add(.sample(write)).base == [:])
        seen.note(["name": .text("attic"), "device_id": .text("h1")], of: "device d1", at: "s1")
        seen.note(["name": .text("cellar")], of: "device d1", at: "sz6tejcs")
        seen.note(["device_id": .text("h1")], of: "device d1", at: "sz6tejcs")
        #expect(try await store.add(.sample(write)).base == ["name": .text("cellar")])
        // The oldest of too many is forgotten, and so is one that is too long.
        for number in 2...257 { seen.note(["name": .null], of: "device d\(number)", at: "s1") }
        #expect(seen.values(of: "device d1", at: "s1").isEmpty)
        #expect(seen.objects("device", at: "s1").count == 256)
        let long = String(repeating: "x", count: 20_000)
        seen.note(["name": .text(long)], of: "device d257", at: "s1")
        #expect(seen.values(of: "device d257", at: "s1").isEmpty)
        // What a killed process has left is removed by the next one that writes.
        let left = try folder.plant("x", "seen/s1/.argus-0123456789abcdef.tmp")
        seen.note(["name": .null], of: "device d1", at: "s1")
        #expect(!FileContents.exists(left))
        seen.erase("s1")
        #expect(seen.objects("device", at: "s1").isEmpty)
        #expect(!FolderNames.all(in: folder.path + "/seen").contains("s1"))
    }

    @Test("a record that could not be read again is refused, and a long server text is cut")
    func large() async throws {
        let long = String(repeating: "x", count: 2_000_000)
        await #expect(throws: FileSystemError.self) {
            try await store.add(.sample(.device(RenameDevice(device: "d1", to: long))))
        }
        var record = QueuedWrite.sample(.device(RenameDevice(device: "d1", to: "a")))
        (record.label, record.reason) = (long, long)
        let kept = try await store.add(record)
        let conflict = try await store.change(kept) {
            $0.conflict(
                with: ObjectVersion(values: ["name": .text(long), "other": .null], wanted: [:]))
        }
        #expect(conflict?.found == [:] && conflict?.status == .conflict)
        #expect(store.writes(of: "sz6tejcs").writes.count == 1)
    }

    @Test("tasks that add at once lose nothing, and share no number")
    func concurrent() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    _ = try await store.add(
                        .sample(.device(RenameDevice(device: "d\(number % 8)", to: "n"))))
                }
            }
            try await group.waitForAll()
        }
        let numbers = store.writes(of: "sz6tejcs").writes.map(\.number)
        #expect(numbers == Array(1...64))
    }

    @Test("a removed record cannot be changed, and does not come back")
    func gone() async throws {
        let write = try await store.add(.sample(.device(RenameDevice(device: "d1", to: "a"))))
        #expect(try await store.remove(write))
        #expect(try await store.change(write) { $0.tries = 1 } == nil)
        #expect(try store.current(write) == nil)
        #expect(!store.mayHold("sz6tejcs"))
    }

    @Test("the pauses double to four minutes, and the third failure sets aside")
    func backoff() {
        let now = ManualClock.origin
        var write = QueuedWrite.sample(.device(RenameDevice(device: "d1", to: "a")))
        #expect(QueuedWrite.pause(beforeTry: 1, jitter: 1) == .seconds(60))
        write.fail("status 503", at: now, retryAfter: nil, jitter: 1)
        #expect(write.nextTry == now + .seconds(120) && write.tries == 1)
        write.fail("status 429", at: now, retryAfter: 600, jitter: 1.25)
        #expect(write.nextTry == now + .seconds(600) && write.status == .waiting)
        write.fail("status 503", at: now, retryAfter: nil, jitter: 0.75)
        #expect(write.nextTry == nil && write.status == .setAside && write.tries == 3)
        write.retry(at: now)
        #expect(write.status == .waiting && write.tries == 0)
        #expect(QueuedWrite.pause(beforeTry: 3, jitter: 0.75) == .seconds(180))
    }

    @Test("a try that a wrong clock has put off for years is due")
    func wrongClock() {
        let far = QueuedWrite(
            .camera(SetCameraEnabled(camera: "c1", isOn: false)), of: .init(name: "anna"),
            at: .random(),
            addedAt: ManualClock.origin, nextTry: ManualClock.origin + .seconds(86_400 * 365))
        #expect(far.isDue(at: ManualClock.origin))
        var near = far
        near.nextTry = ManualClock.origin + .seconds(86_400)
        #expect(!near.isDue(at: ManualClock.origin))
        near.nextTry = nil
        #expect(!near.isDue(at: ManualClock.origin))
    }

    @Test("a base follows an earlier write in the members that both change")
    func following() {
        var sound = PushPreferencesChange()
        sound.hasSound = false
        var zone = PushPreferencesChange()
        (zone.timezone, zone.hasSound) = ("Europe/Rome", true)
        let earlier = QueueableWrite.preferences(SetPreferences(.device("d"), sound))
        let wanted: [String: JSONValue] = [
            "sound": .bool(false), "timezone": .text("Europe/Paris"), "types": .text("all"),
        ]
        var later = QueuedWrite.sample(.preferences(SetPreferences(.device("d"), zone)))
        later.base = ["sound": .bool(true), "timezone": .text("UTC")]
        later.follow(earlier, wanted)
        #expect(later.base == ["sound": .bool(false), "timezone": .text("UTC")])
        // A member that was never seen stays so.
        later.base = [:]
        later.follow(earlier, wanted)
        #expect(later.base == ["sound": .bool(false)])
    }

    @Test("quiet hours are compared as times, whatever way a server writes them")
    func quietHours() {
        func values(_ end: String) -> [String: JSONValue] {
            var preferences = PushPreferences()
            (preferences.isQuietEnabled, preferences.quietStart) = (true, "22:00")
            preferences.quietEnd = end
            return ObjectVersion.values(preferences)
        }
        #expect(values("7:00") == values("07:00"))
        #expect(values("7:00") != values("07:30"))
        #expect(values("soon") != values("later"))
    }

    @Test("users are the same by id, then by name, then by key, and never by nothing")
    func users() {
        typealias User = QueuedWrite.User
        #expect(User(id: "1", name: "a").isSame(as: User(id: "1", name: "b")))
        #expect(!User(id: "1", name: "a").isSame(as: User(id: "2", name: "a")))
        #expect(User(name: "a").isSame(as: User(id: "2", name: "a")))
        #expect(!User(name: "a").isSame(as: User(id: "2")))
        #expect(User(keyDigest: "f").isSame(as: User(keyDigest: "f")))
        #expect(!User(keyDigest: "f").isSame(as: User(keyDigest: "e")))
        #expect(!User().isSame(as: User()))
    }
}

extension QueuedWrite {
    /// A write of the user `anna`, due at the origin of the test's clock.
    static func sample(_ write: QueueableWrite) -> QueuedWrite {
        var record = QueuedWrite(
            write, of: User(name: "anna"), at: .random(), addedAt: ManualClock.origin,
            nextTry: ManualClock.origin)
        record.server = "sz6tejcs"
        return record
    }
}
