import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus notify run")
struct NotifyRunTests {
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"

    @Test(
        "the age of an event counts by the server's clock, whatever this machine's says",
        arguments: [
            ("Sat, 21 Nov 2026 12:00:00 GMT", "type"), ("Sat, 21 Nov 2026 14:00:00 GMT", "too_old"),
        ])
    func age(date: String, reason: String) async throws {
        for days in [0, 365, -365] {
            let test = try TestSystem()
            try await test.know()
            test.time = TestSystem.now + .seconds(days * 86_400)
            let token = String(repeating: "f", count: 140)
            #expect(await test.run("notify", "receivers", "add", "--fcm-token", token) == .done)
            let list = ["notify", "receivers", "list", "--format", "csv", "--no-header"]
            #expect(await test.run(list + ["--fields", "id"]) == .done)
            let receiver = try #require(test.stdout.split(separator: "\n").last).description
            // It wants nothing, so that nothing is sent.
            let set = ["push", "prefs", "set", "--receiver", receiver, "--types", "vehicle"]
            #expect(await test.run(set) == .done)
            test.fake.stub(
                .get, "/api/v1/events/" + Self.id, headers: [("Date", date)],
                body: """
                    {"id":"\(Self.id)","timestamp":"2026-11-21T11:55:00Z",
                    "smart_detection_type":"person","objects_detected":["person"]}
                    """)
            let line = ["notify", "run", Self.id, "--max-age", "1h", "--format", "csv"]
            #expect(await test.run(line + ["--fields", "outcome,reason", "--no-header"]) == .done)
            #expect(test.stdout.hasSuffix("\nskipped,\(reason)\n"), "\(days): \(test.stdout)")
        }
    }

    @Test(
        "without receivers a run and an explanation warn, also in a pipe",
        arguments: [["notify", "run"], ["notify", "why"]])
    func noReceivers(command: [String]) async throws {
        let warning =
            "argus: warning: there are no receivers; 'argus notify receivers add' adds one\n"
        for (more, expected) in [([], warning), (["-q"], "")] {
            let test = try TestSystem()
            try await test.know()
            test.fake.stub(.get, "/api/v1/events/" + Self.id, body: #"{"id":"\#(Self.id)"}"#)
            if command.last == "why" { test.fake.stub(.get, "/api/v1/devices", body: "[]") }
            #expect(await test.run(command + [Self.id, "--json"] + more) == .done)
            #expect(test.stdout == "[]\n")
            #expect(test.stderr == expected)
        }
    }
}
