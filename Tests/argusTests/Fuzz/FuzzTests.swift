import ArgusTestSupport
import CommandLineKit
import Glibc
import Synchronization
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

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

        /// Whether it goes on until the server refuses for good.
        var isWatch: Bool { FuzzedCommands.watches.contains(testDescription) }

        /// Whether it leaves another sign-in behind, or none, or a queue that grows.
        var changesSignIn: Bool {
            lines.contains { ["login", "logout", "pair", "token", "queue"].contains($0.first) }
        }
    }

    private static let runs = getenv("ARGUS_FUZZ").flatMap { Int(String(cString: $0)) } ?? 25
    static let operations = (FuzzedCommands.lines + FuzzedCommands.watches).map(Operation.init)

    /// They look at certificates and at nothing that a server answers.
    private static let looksAtCertificates = ["server set", "server trust"]
    /// It follows an event through other processes, as long as that takes.
    private static let waitsForOthers = ["drill"]

    @Test("every command that a server may keep from its end is among them")
    func complete() throws {
        let fuzzed = Self.operations.flatMap(\.lines).compactMap { words -> String? in
            guard case .run(_, _, let path, _)? = try? Tool.commandLine.parse(words) else {
                return nil
            }
            return path.joined(separator: " ")
        }
        #expect(fuzzed.count == Self.operations.flatMap(\.lines).count)
        let asking = Tool.commandLine.description.root.visibleTree.filter { command in
            command.about.exitStatuses.contains { $0.code == Int(ExitKind.unreachable.rawValue) }
        }
        let missing = asking.map { $0.path.joined(separator: " ") }.filter { !fuzzed.contains($0) }
        #expect(missing.sorted() == Self.waitsForOthers + Self.looksAtCertificates)
    }

    @Test(
        "damaged answers neither crash nor hang a command, and end in a known status",
        arguments: operations)
    func damaged(operation: Operation) async throws {
        let fixture = try await Self.fixture(signedInWith: TestSystem.session)
        for seed in 0..<Self.runs {
            let server = DamagedServer(
                seed: UInt64(seed), refusesAfter: operation.isWatch ? 100 : .max)
            let test =
                operation.changesSignIn
                ? try await Self.fixture(signedInWith: Self.endedSession) : fixture
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
                #expect(error?["exit_code"]?.int == Int(kind.rawValue), "seed \(seed): \(last)")
            }
        }
    }

    /// Runs an operation in a world of its own, and gives the status of its last command.
    static func run(
        _ operation: Operation, by server: any Transport,
        as more: [String] = ["--format", "ndjson"],
        on streams: Streams = Streams(out: .memory(), err: .memory(), terminal: .none)
    ) async throws -> ExitKind {
        let test = try await fixture(
            signedInWith: operation.changesSignIn ? endedSession : TestSystem.session)
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
        let test = try await Self.fixture(signedInWith: TestSystem.session)
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
            username: "ann", expiresAt: TestSystem.now))

    /// A world that is signed in, with two files of passwords.
    static func fixture(signedInWith credential: Credential) async throws -> TestSystem {
        let test = try TestSystem()
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
        _ words: [String], in test: TestSystem, by server: any Transport,
        on streams: Streams = Streams(out: .memory(), err: .memory(), terminal: .none)
    ) async -> (kind: ExitKind, errors: String) {
        let clock = SteppingClock(TestSystem.now)
        var system = test.system
        system.streams = streams
        system.makeTransport = { _, _ in server }
        system.now = { clock.now }
        system.monotonic = { clock.now - TestSystem.now }
        system.sleep = {
            clock.step($0)
            await Task.yield()
        }
        let plan = Run(line: CommandLineReading(words), system: system).plan()
        let kind =
            switch plan {
            case .over(let kind): kind
            case .work(let work): await work()
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
