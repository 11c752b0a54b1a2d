import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

/// What the index of today's server does with searches, as observed.
@Suite("search on today's server")
struct RealSearchTests {
    private let fake = FakeTransport()
    private let notes = MessageLog()

    private static let newest = #"{"id":"n","timestamp":"2026-11-20T22:00:00Z","description":"#
    private static let van =
        #"{"id":"v","timestamp":"2026-11-20T21:00:00Z","description":"A white van"}"#
    private static let cat =
        #"{"id":"c","timestamp":"2026-11-20T20:00:00Z","description":"A cat, 雨の中を歩く 🐈 front-door"}"#

    private func list(
        _ query: String, _ rows: String..., more: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let events = rows.joined(separator: ",")
        fake.stub(
            .get, "/api/v1/events?" + query, body: #"{"events":[\#(events)],"has_more":\#(more)}"#,
            sourceLocation: sourceLocation)
    }

    private func found(_ text: String, wanted: Int? = 20) async throws -> [String] {
        var filter = EventFilter()
        filter.search = text
        let notes = self.notes
        let pager = EventService(session: .test(fake)).list(filter, wanted: wanted) {
            notes.add("\($0)")
        }
        var ids: [String] = []
        while let rows = try await pager.next() { ids += rows.map(\.event.id) }
        fake.verify()
        return ids
    }

    @Test("pages after a failed search are matched here too, a full page at a time")
    func failedSearch() async throws {
        fake.stub(
            .get, "/api/v1/events?limit=20&search_query=%22zebra%22%2A&per_page=20", status: 500,
            body: #"{"detail":"Failed to list events"}"#)
        list("limit=20&per_page=20", Self.van, more: true)
        list("end_time=2026-11-20T21%3A00%3A00.000001Z&limit=500&per_page=100", Self.cat)
        #expect(try await found("zebra").isEmpty)
        #expect(notes.all.count == 1, "said once, not for each page")
    }

    @Test("an index that does not know the newest event is not believed")
    func staleIndex() async throws {
        list("limit=20&search_query=%22van%22%2A&per_page=20")
        list("limit=1&per_page=1", Self.newest + #""Two people talking near"}"#)
        list(
            "start_time=2026-11-20T22%3A00%3A00.000000Z&end_time=2026-11-20T22%3A00%3A00.000000Z"
                + "&limit=500&search_query=%22two%20people%20talking%22%2A&per_page=100")
        list("limit=20&per_page=20", Self.newest + #""Two people talking near"}"#, Self.van)
        #expect(try await found("van") == ["v"])
    }

    @Test("an index that finds the newest event by its words is believed")
    func goodIndex() async throws {
        list("limit=20&search_query=%22van%22%2A&per_page=20", Self.van)
        list("limit=1&per_page=1", Self.newest + #""Dog"}"#)
        list(
            "start_time=2026-11-20T22%3A00%3A00.000000Z&end_time=2026-11-20T22%3A00%3A00.000000Z"
                + "&limit=500&search_query=%22dog%22%2A&per_page=100", Self.newest + #""Dog"}"#)
        #expect(try await found("van") == ["v"])
    }

    @Test("an index that has found the newest event is asked nothing more")
    func newestIsFound() async throws {
        list("limit=20&search_query=%22van%22%2A&per_page=20", Self.van)
        list("limit=1&per_page=1", Self.van)
        #expect(try await found("VAN", wanted: 20).isEmpty == false)
    }

    @Test(
        "what no index of words can find is never searched on the server",
        arguments: [
            ("雨の中", ["c"]), ("🐈", ["c"]), ("-", ["c"]), ("%", []),
            (String(repeating: "long ", count: 120), []),
        ])
    func lettersAndSigns(text: String, expected: [String]) async throws {
        list("limit=500&per_page=100", Self.van, Self.cat)
        #expect(try await found(text) == expected)
    }

    @Test(
        "words are matched here as the index matches them",
        arguments: [
            ("front door", true), ("front do", true), ("fro door", false), ("FRONT-DOOR", true),
            ("a cat", true), ("cat a", false),
            ("door front", false), ("ront", false), ("cat front", false), ("it's", false),
        ])
    func words(text: String, isExpected: Bool) async throws {
        fake.stub(.get, target(searching: text), status: 500)
        list("limit=20&per_page=20", Self.cat)
        #expect(try await found(text) == (isExpected ? ["c"] : []))
    }

    private func target(searching text: String) -> String {
        let phrase = text.lowercased().replacing(" ", with: "%20").replacing("'", with: "%27")
        return "/api/v1/events?limit=20&search_query=%22\(phrase)%22%2A&per_page=20"
    }
}
