import ArgusTestSupport
import ArgusTransport
import CommandLineKit
import Synchronization
import Testing

@testable import argus

/// What verbs declare that they do at most, and what they ask of a server.
@Suite("effects")
struct EffectTests {
    /// A server that notes what is asked of it.
    private final class Recorder: WholeAnswerTransport {
        private let server = DamagedServer(seed: nil, refusesAfter: 100)
        private let targets = Mutex<[String]>([])

        /// What was asked by other methods than GET.
        var changes: [String] { targets.withLock { $0 } }

        func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let isRead = request.method == .get || request.purpose != .answer
            if !isRead { targets.withLock { $0.append("\(request.method) \(request.target)") } }
            return try await server.answer(request)
        }
    }

    /// The ends of targets that change nothing: a sign-in is renewed before anything else, a rule is only
    /// tried, and preferences are asked for with a secret, which no address may contain.
    private static let harmless = ["/auth/refresh", "/test", "/preferences"]

    @Test(
        "a verb that asks for more than to read does not claim to read",
        arguments: FuzzTests.operations)
    func requests(operation: FuzzTests.Operation) async throws {
        let test = try await FuzzTests.fixture(
            signedInWith: operation.changesSignIn ? FuzzTests.endedSession : TestSystem.session)
        for line in operation.lines {
            let words = line.map { $0.replacing("OUT", with: test.folder.file("out")) }
            let recorder = Recorder()
            _ = await FuzzTests.run(words, in: test, by: recorder)
            guard case .run(_, _, let path, _) = try Tool.commandLine.parse(words) else { return }
            let effect = Tool.commandLine.description.command(path)?.about.effect
            guard effect == .reads || effect == .waits else { continue }
            let changes = recorder.changes.filter { target in
                !Self.harmless.contains { target.hasSuffix($0) }
            }
            #expect(changes == [], "\(path)")
        }
    }

    @Test("every command that runs declares an effect, and one that only groups others none")
    func declared() {
        for command in Tool.commandLine.description.root.visibleTree {
            #expect((command.about.effect != nil) == command.runsItself, "\(command.path)")
        }
    }

    @Test(
        "what deletes, sends and changes says so",
        arguments: [
            ("events delete", Effect.deletes), ("api", .deletes), ("archive forget", .deletes),
            ("notify send", .sends), ("drill", .sends), ("cameras disable", .changes),
            ("events watch", .waits), ("events list", .reads), ("token", .reads),
        ])
    func examples(path: String, effect: Effect) {
        let words = path.split(separator: " ").map(String.init)
        #expect(Tool.commandLine.description.command(words)?.about.effect == effect)
    }
}
