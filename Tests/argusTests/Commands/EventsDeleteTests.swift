import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus events delete")
struct EventsDeleteTests {
    private let test: TestSystem
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let path = "/api/v1/events/" + id
    private static let missing = #"{"detail":"Event x not found"}"#

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    @Test("an event that is gone is reported as such by a server that deletes")
    func gone() async throws {
        test.fake.stub(.get, Self.path, status: 404, body: Self.missing)
        test.fake.stub(.delete, Self.path, status: 404, body: Self.missing)
        #expect(await test.run("events", "delete", Self.id, "--yes") == .done)
        #expect(test.stderr == "deleted 0 of 1 event, 1 was already gone\n")
    }

    @Test("a server that cannot delete is status 14, also for an event that it does not have")
    func unsupported() async throws {
        test.fake.stub(.get, Self.path, status: 404, body: Self.missing)
        test.fake.stub(
            .delete, Self.path, status: 405, body: #"{"detail":"Method Not Allowed"}"#)
        #expect(await test.run("events", "delete", Self.id, "--yes") == .unsupported)
        #expect(test.stderr.contains("'home' does not offer deletion of events"))
    }

    @Test("a condition that the list cannot decide deletes nothing, and a partial one warns")
    func untoldConditions() async throws {
        let list = "/api/v1/events?limit=500&per_page=100"
        let rows = """
            {"events":[{"id":"e2","timestamp":"2026-11-20T22:00:00Z",
            "smart_detection_type":"person"},
            {"id":"e1","timestamp":"2026-11-20T21:00:00Z"}],"has_more":false}
            """
        for type in ["motion", "ring"] {
            test.fake.stub(.get, list, body: rows)
            #expect(await test.run("events", "delete", "--type", type, "--yes") == .unsupported)
        }
        test.fake.stub(.get, list, body: rows)
        test.fake.stub(.delete, "/api/v1/events/e2", status: 204)
        #expect(await test.run("events", "delete", "--type", "person", "--yes") == .done)
        #expect(test.stderr.contains("warning: the server lists only the main detection"))
        #expect(test.stderr.hasSuffix("deleted 1 event\n"))
    }

    @Test(
        "what counts from a clock an hour from the server's deletes nothing, whatever is confirmed",
        arguments: [
            (["--until", "90d"], "2026-08-23T12:00:00.000000Z"),
            (["--until", "yesterday"], "2026-11-20T23:59:59.999999Z"),
        ])
    func wrongClock(words: [String], end: String) async throws {
        let time = end.replacing(":", with: "%3A")
        let rows = #"[{"id":"e1","timestamp":"2026-01-01T00:00:00Z"}]"#
        func stub(_ date: String) {
            test.fake.stub(
                .get, "/api/v1/events?end_time=\(time)&limit=500&per_page=100",
                headers: [("Date", date)], body: #"{"events":\#(rows),"has_more":false}"#)
        }
        let line = ["events", "delete", "--yes"] + words
        stub("Fri, 21 Nov 2025 12:00:00 GMT")
        #expect(await test.run(line + ["--json"]) == .failed)
        let error = try test.errorObject()
        #expect(error["reason"]?.string == "clock")
        #expect(
            error["message"]?.string
                == "the clock of this machine says 2026-11-21 12:00:00 UTC, but 'home' says "
                + "2025-11-21 12:00:00 UTC: nothing is deleted by age")
        stub("Sat, 21 Nov 2026 13:00:01 GMT")
        #expect(await test.run(line) == .failed)
        stub("Fri, 21 Nov 2025 12:00:00 GMT")
        #expect(await test.run(line + ["--dry-run"]) == .done)
        #expect(test.stderr.contains("warning: the clock of this machine says"))
        #expect(test.fake.requests.allSatisfy { $0.method == .get })
        for (date, more) in [
            ("Fri, 21 Nov 2025 12:00:00 GMT", ["--trust-clock"]),
            ("Sat, 21 Nov 2026 12:59:00 GMT", []),
        ] {
            stub(date)
            test.fake.stub(.delete, "/api/v1/events/e1", status: 204)
            #expect(await test.run(line + more) == .done)
        }
    }

    @Test("a date needs no clock")
    func dateWithoutClock() async throws {
        test.fake.stub(
            .get,
            "/api/v1/events?end_time=2020-01-01T23%3A59%3A59.999999Z&limit=500&per_page=100",
            headers: [("Date", "Fri, 21 Nov 2025 12:00:00 GMT")],
            body: #"{"events":[],"has_more":false}"#)
        #expect(await test.run("events", "delete", "--until", "2020-01-01", "--yes") == .done)
    }

    @Test("an unknown name is reported in the words of the command")
    func slip() async throws {
        test.fake.stub(.get, "/api/v1/events/nope", status: 404, body: Self.missing)
        #expect(await test.run("events", "delete", "nope", "--yes") == .notFound)
        #expect(test.stderr.hasPrefix("argus: cannot delete event 'nope' on 'home'"))
    }

    @Test("without a terminal the way without a question is named, and nothing is sent")
    func noTerminal() async throws {
        #expect(await test.run("events", "delete", "latest", "--no-input") == .usage)
        #expect(
            test.stderr == """
                argus: 'events delete' asks first, and prompts are off
                hint: use --yes, or --dry-run to see what would go

                """)
        #expect(test.fake.requests.isEmpty)
    }
}
