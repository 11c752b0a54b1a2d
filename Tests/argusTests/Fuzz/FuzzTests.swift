import ArgusKit
import ArgusTestSupport
import CommandLineKit
import Glibc
import Synchronization
import Testing

@testable import argus

/// Whole commands against a server whose answers are damaged.
///
/// `ARGUS_FUZZ` says how many runs each operation gets; `make fuzz` gives them 10,000.
@Suite("Fuzz")
struct FuzzTests {
    /// A command line, after others that lead up to it.
    struct Operation: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [[String]]

        init(_ text: String) {
            testDescription = text
            lines = text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
        }

        /// Whether it leaves another sign-in behind, or none.
        var changesSignIn: Bool {
            lines.contains { ["login", "logout", "pair", "token"].contains($0.first) }
        }
    }

    private static let runs = getenv("ARGUS_FUZZ").flatMap { Int(String(cString: $0)) } ?? 25
    private static let event = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let device = "550e8400-e29b-41d4-a716-446655440000"
    private static let camera = "83e8482b-3da8-42c3-a4f1-6806e221aaa0"

    static let operations =
        [
            "login https://home.example -u ann --password-file OUT/old", "logout", "token",
            "passwd --password-file OUT/old --new-password-file OUT/new",
            "pair https://home.example", "pair https://home.example --no-wait; pair resume",
            "pair https://home.example --code 376529", "pair confirm 376529 --yes",
            "pair reject 376529",
            "whoami", "events list", "events list --all", "events list --all --reverse",
            "events list --search person --type person", "events list --raw",
            "events show \(event)", "events show \(event.prefix(12))", "events show latest",
            "events thumbnail \(event) -o OUT/ --force", "events frames \(event) -o OUT/ --force",
            "events video \(event) -o OUT/ --force", "events export",
            "events export --server-side --fields id,timestamp",
            "events export -o OUT/e.ndjson --force", "events stats",
            "events delete \(event) --yes", "events delete --type person --yes",
            "events feedback \(event) helpful", "events reanalyze \(event)", "cameras list",
            "cameras show \(camera)", "cameras snapshot \(camera) -o OUT/ --force",
            "cameras snapshot --all -o OUT/ --force", "cameras enable \(camera)",
            "cameras disable --capture \(camera)", "cameras reconnect \(camera)", "server show",
            "pair pending", "devices list", "devices show attic", "devices rename \(device) attic",
            "devices preferences \(device) --critical on", "devices revoke \(device) --yes",
            "sessions list", "sessions revoke --others --yes", "keys list", "keys create cron",
            "keys revoke sample", "push key",
            "push register --push-token \(PushTests.apns) --platform ios --yes",
            "push update --push-token \(PushTests.apns) --yes", "push unregister --yes",
            "push subscriptions", "push subscriptions --raw",
            "push subscribe --endpoint \(PushTests.endpoint) --p256dh \(PushTests.point) "
                + "--auth \(PushTests.auth)",
            "push test", "push prefs --endpoint \(PushTests.endpoint)",
            "push prefs set --endpoint \(PushTests.endpoint) --yes --sound off", "push prefs",
            "push unsubscribe --endpoint \(PushTests.endpoint) --yes", "api events",
            "api events --raw", "api -i events", "api --paginate events?limit=5", "api --list",
            "api --paginate cameras --format csv", "api DELETE events/\(event)", "doctor",
        ].map(Operation.init)

    /// They look at certificates and at nothing that a server answers.
    private static let looksAtCertificates = ["server set", "server trust"]

    @Test("every command that a server may keep from its end is among them")
    func complete() throws {
        let fuzzed = Self.operations.flatMap(\.lines).compactMap { words -> String? in
            guard case .run(_, _, let path)? = try? Tool.commandLine.parse(words) else {
                return nil
            }
            return path.joined(separator: " ")
        }
        #expect(fuzzed.count == Self.operations.flatMap(\.lines).count)
        let asking = Tool.commandLine.description.root.visibleTree.filter { command in
            command.about.exitStatuses.contains { $0.code == Int(ExitKind.unreachable.rawValue) }
        }
        let missing = asking.map { $0.path.joined(separator: " ") }.filter { !fuzzed.contains($0) }
        #expect(missing.sorted() == Self.looksAtCertificates)
    }

    @Test(
        "damaged answers neither crash nor hang a command, and end in a known status",
        arguments: operations)
    func damaged(operation: Operation) async throws {
        let house = try await Self.house(signedInWith: TestWorld.session)
        for seed in 0..<Self.runs {
            let server = DamagedServer(seed: UInt64(seed))
            let test =
                operation.changesSignIn
                ? try await Self.house(signedInWith: Self.endedSession) : house
            for line in operation.lines {
                let words = line.map { $0.replacing("OUT", with: test.folder.file("out")) }
                let isPlain = words.contains("--format") || words == ["token"]
                let (kind, errors) = await Self.run(
                    words + (isPlain ? [] : ["--format", "ndjson"]), in: test, by: server)
                #expect(
                    server.requestCount < DamagedServer.mostRequests, "seed \(seed): asks for ever")
                if kind == .done { continue }
                let last = errors.split(separator: "\n").last ?? ""
                let error = (try? JSONView.parse(Array(last.utf8)))?["error"]
                #expect(error?["exit_code"]?.int == Int64(kind.rawValue), "seed \(seed): \(last)")
            }
        }
    }

    /// Runs an operation in a world of its own, and gives the status of its last command.
    static func run(
        _ operation: Operation, by server: any Transport,
        as more: [String] = ["--format", "ndjson"],
        on streams: Streams = Streams(out: .memory(), err: .memory(), terminal: .none)
    ) async throws -> ExitKind {
        let test = try await house(
            signedInWith: operation.changesSignIn ? endedSession : TestWorld.session)
        var last = ExitKind.done
        for line in operation.lines {
            let words = line.map { $0.replacing("OUT", with: test.folder.file("out")) }
            let isPlain = words.contains("--format") || words == ["token"]
            last = await run(words + (isPlain ? [] : more), in: test, by: server, on: streams).kind
        }
        return last
    }

    @Test("what a run used is let go when it ends")
    func lettingGo() async throws {
        let test = try await Self.house(signedInWith: TestWorld.session)
        weak var server: DamagedServer?
        do {
            let used = DamagedServer(seed: 0)
            server = used
            _ = await Self.run(["events", "list", "--all"], in: test, by: used)
        }
        #expect(server == nil)
    }

    /// What has to be renewed before anything else.
    static let endedSession = Credential.session(
        StoredSession(
            kind: .web, accessToken: Redacted("token-1"), refreshToken: Redacted("refresh"),
            username: "ann", expiresAt: TestWorld.now))

    /// A world that is signed in, with two files of passwords.
    static func house(signedInWith credential: Credential) async throws -> TestWorld {
        let test = try TestWorld()
        try await test.know(signedInWith: credential)
        mkdir(test.folder.file("out"), 0o700)
        for name in ["old", "new"] {
            try test.folder.plant("password-\(name)", "out/\(name)", mode: 0o600)
        }
        test.environment["ARGUS_ERRORS"] = "json"
        return test
    }

    /// Runs a command line by a clock that goes on only while it waits.
    static func run(
        _ words: [String], in test: TestWorld, by server: any Transport,
        on streams: Streams = Streams(out: .memory(), err: .memory(), terminal: .none)
    ) async -> (kind: ExitKind, errors: String) {
        let clock = SteppingClock(TestWorld.now)
        var world = test.world
        world.streams = streams
        world.makeTransport = { _, _ in server }
        world.now = { clock.now }
        world.sleep = { clock.step($0) }
        let run = Run(CommandLineReading(words), world)
        let kind =
            switch run.plan() {
            case .over(let kind): kind
            case .work(let context, let invocation): await run.work(context, invocation)
            }
        return (kind, streams.err.text)
    }
}

/// A clock that goes on when somebody waits.
private final class SteppingClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp) { time = Mutex(start) }

    var now: Timestamp { time.withLock { $0 } }

    func step(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}
