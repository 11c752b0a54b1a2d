import ArgusKit
import ArgusTestSupport
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
        #expect(test.stderr == "deleted 0 of 1 events, 1 was already absent\n")
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
        #expect(test.stderr.hasSuffix("deleted 1 of 1 events\n"))
    }

    @Test("an unknown name is reported in the words of the command")
    func slip() async throws {
        test.fake.stub(.get, "/api/v1/events/nope", status: 404, body: Self.missing)
        #expect(await test.run("events", "delete", "nope", "--yes") == .notFound)
        #expect(test.stderr.hasPrefix("argus: cannot delete event 'nope' on 'home'"))
    }

    @Test("without a terminal the question is named, and nothing is sent")
    func noTerminal() async throws {
        #expect(await test.run("events", "delete", "latest", "--no-input") == .usage)
        #expect(
            test.stderr == """
                argus: no terminal to ask "Delete event 'latest' for good?"; use --yes

                """)
        #expect(test.fake.requests.isEmpty)
    }
}
