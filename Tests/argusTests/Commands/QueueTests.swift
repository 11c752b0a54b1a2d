import ArgusTestSupport
import Glibc
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit
@testable import ArgusPush
@testable import ArgusTransport

@Suite("argus queue, and writes with --queue")
struct QueueTests {
    private let test: TestSystem
    private let store: WriteStore
    private let seen: SeenVersions
    private let record: ServerRecord
    private static let cameras = "/api/v1/cameras"
    private static let camera = "/api/v1/cameras/c1"
    private static let devices = "/api/v1/devices"
    private static let preferences = "/api/v1/push/mobile/preferences"
    private static let row = "83e8482b-0000-4000-8000-000000000001"
    private static let down = TransportError(
        .notConnected, "connection refused", nothingSent: true)

    init() async throws {
        test = try TestSystem()
        store = try #require(WriteStore(in: test.paths.state))
        seen = try #require(SeenVersions(in: test.paths.state))
        record = try await test.know()
    }

    /// Runs a command whose second for waiting writes does not pass.
    private func run(_ words: String...) async -> ExitKind {
        var system = test.system
        system.sleep = { _ in try await Task.sleep(for: .seconds(600)) }
        let line = CommandLineReading(words) { test.paths.configurationFile }
        let plan = Run(line: line, system: system).plan()
        defer { test.fake.verify() }
        return switch plan {
        case .over(let kind): kind
        case .work(let work): await work()
        }
    }

    private var writes: [QueuedWrite] { store.writes(of: record.id.text).writes }

    /// Adds a write of the camera `c1`, which was seen enabled; it is due, or was set aside.
    @discardableResult
    private func add(isSetAside: Bool = false) async throws -> QueuedWrite {
        seen.note(
            ["enabled": .bool(true), "name": .text("Garage")], of: "camera c1",
            at: record.id.text)
        var write = QueuedWrite(
            .camera(SetCameraEnabled(camera: "c1", isOn: false)), of: .init(name: "ann"),
            at: record.id,
            label: "Garage", addedAt: TestSystem.now, nextTry: TestSystem.now)
        if isSetAside { write.nextTry = nil }
        return try await store.add(write)
    }

    @Test("a sign-out sends nothing of what it says waits")
    func logout() async throws {
        try await add()
        test.fake.stub(.post, "/api/v1/auth/logout", body: try Samples.text("logout-response"))
        #expect(await run("logout") == .done)
        #expect(test.stderr.contains("wait until you sign in again"))
        #expect(writes.map(\.tries) == [0])
    }

    @Test("nothing is sent with a sign-in that another one has replaced since the run began")
    func replaced() async throws {
        try await add()
        let context = Context(globals: GlobalOptions(), system: test.system)
        let server = try await context.server()
        #expect(context.replay(to: server) != nil)
        try await ServerDirectory(test.paths.state) { _ in }.update {
            list throws(AccountError) in
            try list.change(record.id) {
                $0.account = ServerAccount(kind: .password, username: "bob")
            }
        }
        #expect(context.replay(to: server) == nil)
    }

    @Test("a terminal shows how to send the changes that are due")
    func due() async throws {
        try await add()
        #expect(await run("queue") == .done)
        #expect(test.stderr == "")
        let screen = try TestSystem.onScreen(width: 60)
        let stored = try #require(WriteStore(in: screen.paths.state))
        _ = try await stored.add(try #require(writes.first))
        #expect(await screen.run("queue") == .done)
        #expect(screen.stdout.contains("1 change is due; 'argus queue run' sends it"))
        let heading = screen.stdout.split(separator: "\n").first ?? ""
        #expect(!heading.contains("KIND") && !heading.contains("TRIES"), "\(heading)")
    }

    @Test("a command for several servers sends what waits for each")
    func several() async throws {
        try await test.know("cabin", at: "https://cabin.example")
        try await add()
        for _ in 0..<2 { test.fake.stub(.get, Self.cameras, body: "[]") }
        test.fake.stub(.get, Self.camera, body: #"{"id":"c1","is_enabled":true}"#)
        test.fake.stub(.put, Self.camera, body: #"{"id":"c1","is_enabled":false}"#)
        #expect(await run("cameras", "list", "-s", "all") == .done)
        #expect(writes.isEmpty)
    }

    @Test("behind a change that was set aside none waits unseen: it goes now, or is refused")
    func setAside() async throws {
        let first = try await add(isSetAside: true)
        test.fake.stub(.get, Self.cameras, error: Self.down)
        #expect(
            await run("cameras", "enable", "Garage", "--queue", "--retries", "0") == .rejected)
        #expect(test.stderr.contains("an earlier change of 'Garage' was set aside"))
        #expect(test.stderr.contains("'argus queue retry \(first.id)'"))
        #expect(await run("queue", "run", "-q") == .done)
        #expect(test.stderr.contains("1 change was set aside; 'argus queue list' lists it"))
        #expect(!test.stderr.contains("no change is due"))
        test.fake.stub(
            .get, Self.cameras, body: #"[{"id":"c1","name":"Garage","is_enabled":false}]"#)
        test.fake.stub(.put, Self.camera, body: #"{"id":"c1","is_enabled":true}"#)
        #expect(await run("cameras", "enable", "Garage", "--queue") == .done)
        #expect(writes == [first])
    }

    @Test(
        "without the server a device is named as in lists, and its preferences by its own id",
        arguments: ["attic", "cli-hw-0001", row, "83e8"])
    func device(word: String) async throws {
        seen.note(
            ["name": .text("Attic"), "device_id": .text("cli-hw-0001")], of: "device \(Self.row)",
            at: record.id.text)
        test.fake.stub(.get, Self.devices, error: Self.down)
        #expect(
            await run(
                "push", "prefs", "set", "--device", word, "--sound", "off", "--yes", "--queue",
                "--retries", "0") == .done, "\(test.stderr)")
        #expect(writes.map(\.write.object) == ["preferences of device cli-hw-0001"])
        // What was never seen can only become a conflict, which names that cause.
        #expect(test.stderr.contains("argus has not seen"), "\(test.stderr)")
        test.fake.stub(
            .post, Self.preferences, body: #"{"timezone":"UTC","sound_enabled":true}"#)
        #expect(await run("queue", "run") == .rejected)
        #expect(test.stderr.contains("had not seen"), "\(test.stderr)")
        #expect(!test.stderr.contains("changed on the server"))
    }

    @Test("without the server a subscription of this machine is named by its id")
    func subscription() async throws {
        var push = StoredPush()
        push.keep(
            StoredSubscription(
                endpoint: try PushEndpoint(PushTests.endpoint),
                keys: try PushKeys(p256dh: PushTests.point, auth: PushTests.auth),
                userAgent: nil, subscriptionID: "s1-own"))
        try await SealedFileStore(test.paths.state, machine: TestSystem.machine) { _ in }
            .keep(push, of: record.id)
        test.fake.stub(.get, "/api/v1/push/subscriptions", error: Self.down)
        #expect(
            await run(
                "push", "prefs", "set", "--subscription", "s1-own", "--sound", "off", "--yes",
                "--queue", "--retries", "0") == .done, "\(test.stderr)")
        #expect(writes.map(\.write.object) == ["preferences of subscription s1-own"])
    }

    @Test("a camera that was never seen is refused, since its change could never be sent")
    func unseen() async throws {
        test.fake.stub(.get, Self.cameras, error: Self.down)
        #expect(
            await run("cameras", "disable", Self.row, "--queue", "--retries", "0") == .unreachable)
        #expect(test.stderr.contains("hint: "))
        #expect(writes.isEmpty)
    }

    @Test("without the server an event is named by 8 characters or more, as with it")
    func event() throws {
        let cache = try #require(CompletionCache(test.paths.cache, server: record.id))
        cache.remember(events: [Event(id: "8f85eda1-0000-4000-8000-000000000001")])
        #expect(cache.eventID("8f85") == nil)
        #expect(cache.eventID("8F85eda1") == "8f85eda1-0000-4000-8000-000000000001")
        #expect(cache.eventID(Self.row.uppercased()) == Self.row)
    }

    @Test("a server that is removed takes along what cannot be read")
    func removed() async throws {
        try await add()
        let unreadable = "state/queue/\(record.id.text)/0000000009-x.json"
        try test.folder.plant("{", unreadable)
        #expect(await run("server", "remove", "home") == .done)
        #expect(test.stderr.contains(test.folder.file(unreadable)))
        #expect(!store.mayHold(record.id.text))
        // As a removal that was killed leaves it.
        mkdir(test.folder.file("state/queue/\(record.id.text)"), 0o700)
        #expect(await run("queue", "run") == .done)
        #expect(!store.mayHold(record.id.text))
    }

    @Test("changes for a server that is gone are named as such")
    func gone() async throws {
        let write = try await add()
        try await ServerDirectory(test.paths.state) { _ in }.update {
            list throws(AccountError) in
            try list.remove(record.id)
        }
        #expect(await run("queue", "run") == .notFound)
        #expect(test.stderr.contains("changes wait for a server that argus no longer knows"))
        #expect(await run("queue", "drop", write.id, "--yes") == .done)
        #expect(await run("queue", "run") == .done)
    }

    @Test("a file that cannot be read is named with its reason, and hides nothing else")
    func unreadable() async throws {
        let write = try await add()
        try makeFolder(test.folder.file("state/watch/door/hooks"), isPrivate: true)
        let hook = try test.folder.plant("{}", "state/watch/door/hooks/a.json", mode: 0o666)
        let newer = try test.folder.plant(
            #"{"version":99}"#, "state/queue/\(record.id.text)/0000000008-a.json")
        #expect(await run("queue", "list", "--json") == .done)
        #expect(test.stdout.contains(write.id))
        #expect(test.stderr.contains("'\(hook)': other users may read or change it (mode 666)"))
        #expect(test.stderr.contains("chmod 600 '\(hook)'"))
        #expect(test.stderr.contains("'\(newer)': it was written by a newer argus"))
        #expect(await run("queue", "retry", write.id) == .done)
        let context = Context(globals: GlobalOptions(), system: test.system)
        let findings = MachineChecks(context: context).before.filter { $0.check == "queue" }
        #expect(findings.map(\.state) == [.warning, .warning, .ok])
    }

    @Test("a command whose watch has ended is tried by the next one, and doctor warns of it")
    func stoppedWatch() async throws {
        let screen = try TestSystem.onScreen(width: 120)
        let server = try await screen.know()
        var state: WatchState? = try await WatchState(
            "ppl", of: server.id.text, "", in: screen.paths.state, at: TestSystem.now)
        var entry = HookEntry(Event(id: "e1", cameraName: "Porch"), at: TestSystem.now)
        entry.fail("ended with status 1", at: TestSystem.now, tries: 5)
        try HookStore(try #require(state).hooks).add(entry)
        let checks = MachineChecks(
            context: Context(globals: GlobalOptions(), system: screen.system))
        var findings: [Finding] { checks.before.filter { $0.check == "queue" } }
        #expect(await screen.run(["queue", "list"]) == .done)
        #expect(!screen.stdout.contains("next watch"))
        #expect(findings.map(\.state) == [.ok])
        // The watch ends.
        state = nil
        #expect(state == nil)
        #expect(await screen.run(["queue", "list"]) == .done)
        #expect(screen.stdout.contains("  next watch  "))
        #expect(await screen.run(["queue", "list", "--format", "tsv"]) == .done)
        #expect(screen.stdout.contains("\t2026-11-21T"))
        #expect(findings.map(\.message) == ["1 command waits, but no watch 'ppl' runs"])
    }

    @Test("a run beside one that goes on for a minute has not sent what is due")
    func busy() async throws {
        try await add()
        let lock = try await FileLock(
            test.folder.file("state/queue/\(record.id.text).lock"), timeout: .zero)
        #expect(await test.run("queue", "run") == .failed)
        #expect(test.stderr.contains("another argus still sends the changes for 'home'"))
        lock.release()
    }

    @Test("a credential store that does not answer holds changes of subscriptions, and counts none")
    func silentStore() async throws {
        let keyring = ScriptedKeyring()
        test.keyring = keyring
        let shop = try await test.know(
            "shop", at: "https://shop.example", signedInWith: nil
        ) {
            $0.credentialStore = .secretService
            $0.account = ServerAccount(kind: .password, username: "ann")
        }
        try await keyring.keep(TestSystem.session, of: shop.id)
        var change = PushPreferencesChange()
        change.hasSound = false
        _ = try await store.add(
            QueuedWrite(
                .preferences(SetPreferences(.subscription("s1"), change)), of: .init(name: "ann"),
                at: shop.id,
                addedAt: TestSystem.now, nextTry: TestSystem.now))
        keyring.refuse(
            .read(.push), by: .storeSilent(store: keyring.name, reason: "it gave no answer"))
        _ = await run("queue", "run", "--server", "shop")
        #expect(!test.stderr.contains("has no subscription"))
        let kept = store.writes(of: shop.id.text).writes
        #expect(kept.map(\.status) == [.waiting] && kept.map(\.tries) == [0])
    }
}
