import ArgusKit
import ArgusTestSupport
import Testing

@testable import argus

@Suite("argus events delete")
struct EventsDeleteTests {
    private let test: TestWorld
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let path = "/api/v1/events/" + id
    private static let missing = #"{"detail":"Event x not found"}"#

    init() async throws {
        test = try TestWorld()
        try await test.know()
    }

    @Test("an event that is gone is told as such by a server that deletes")
    func gone() async throws {
        test.fake.stub(.get, Self.path, status: 404, body: Self.missing)
        test.fake.stub(.delete, Self.path, status: 404, body: Self.missing)
        #expect(await test.run("events", "delete", Self.id, "--yes") == .done)
        #expect(test.stderr == "deleted 0 of 1 events, 1 was gone already\n")
    }

    @Test("a server that cannot delete is status 14, also for an event that it does not have")
    func unsupported() async throws {
        test.fake.stub(.get, Self.path, status: 404, body: Self.missing)
        test.fake.stub(
            .delete, Self.path, status: 405, body: #"{"detail":"Method Not Allowed"}"#)
        #expect(await test.run("events", "delete", Self.id, "--yes") == .unsupported)
        #expect(test.stderr.contains("'home' does not offer deletion of events"))
    }

    @Test("a name that means nothing is told in the words of what was tried")
    func slip() async throws {
        test.fake.stub(.get, "/api/v1/events/nope", status: 404, body: Self.missing)
        #expect(await test.run("events", "delete", "nope", "--yes") == .notFound)
        #expect(test.stderr.hasPrefix("argus: cannot delete event 'nope' on 'home'"))
    }

    @Test("where nobody can be asked, the question is told, and nothing is sent")
    func nobodyToAsk() async throws {
        #expect(await test.run("events", "delete", "latest", "--no-input") == .usage)
        #expect(
            test.stderr == """
                argus: cannot ask "Delete event 'latest' for good?": nobody may be asked, or there \
                is no terminal; give --yes

                """)
        #expect(test.fake.requests.isEmpty)
    }
}
