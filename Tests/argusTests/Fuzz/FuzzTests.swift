import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

@testable import argus

/// Whole commands against a server whose answers are damaged.
///
/// `ARGUS_FUZZ` says how many runs each operation gets; `make fuzz` gives them 10,000.
@Suite("Fuzz")
struct FuzzTests {
    /// A command line, and what its operations' answers begin from.
    struct Operation: Sendable, CustomTestStringConvertible {
        var words: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    private static let runs = getenv("ARGUS_FUZZ").flatMap { Int(String(cString: $0)) } ?? 25
    private static let event = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let device = "550e8400-e29b-41d4-a716-446655440000"
    private static let camera = "83e8482b-3da8-42c3-a4f1-6806e221aaa0"

    /// Every command that reads an answer; a new one gets its line here.
    static let operations =
        [
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
        ].map { Operation(words: $0.split(separator: " ").map(String.init)) }

    @Test(
        "damaged answers neither crash nor hang a command, and end in a known status",
        arguments: operations)
    func damaged(operation: Operation) async throws {
        let test = try TestWorld()
        try await test.know()
        let folder = test.folder.file("out")
        let words =
            operation.words.map { $0.replacing("OUT", with: folder) }
            + (operation.words.contains("--format") ? [] : ["--format", "ndjson"])
        mkdir(folder, 0o700)
        for seed in 0..<Self.runs {
            let server = DamagedServer(seed: UInt64(seed))
            var world = test.world
            let streams = Streams(out: .memory(), err: .memory(), terminal: .none)
            world.streams = streams
            world.makeTransport = { _, _ in server }
            let kind =
                switch Run(CommandLineReading(words), world).plan() {
                case .over(let kind): kind
                case .work(let context, let invocation):
                    await Run(CommandLineReading(words), world).work(context, invocation)
                }
            #expect(server.requestCount < DamagedServer.mostRequests, "seed \(seed): asks for ever")
            if kind == .done { continue }
            let line = streams.err.text.split(separator: "\n").last ?? ""
            let error = (try? JSONView.parse(Array(line.utf8)))?["error"]
            #expect(error?["exit_code"]?.int == Int64(kind.rawValue), "seed \(seed): \(line)")
        }
    }
}
