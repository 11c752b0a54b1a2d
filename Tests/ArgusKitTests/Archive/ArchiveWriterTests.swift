import ArgusTestSupport
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents

@Suite("archive: writing")
struct ArchiveWriterTests {
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    private func row(_ number: Int, _ description: String = "quiet") throws -> ArchiveContent {
        let text = """
            {"id":"e\(number)","timestamp":\(1_900_000 - 60 * number),"description":"\(description)"}
            """
        let row = try #require(EventRow(try JSONView.parse(Array(text.utf8))))
        return ArchiveContent(of: row, withColumns: true)
    }

    @Test(
        "an event that a first sync lists twice is one event, and its last object counts",
        arguments: [0, 4, 9, 10, 11, 21, 24])
    func repeated(place: Int) async throws {
        let archive = try await test.changing()
        let server = try await archive.server(
            record: "id", name: "home", address: "https://home.example",
            from: EventService(session: .test(EventServer([]))), mayAdd: true)
        let writer = try ArchiveWriter(archive, of: server)
        var rows = try (1...25).map { try row($0) }
        // Once as it is, in the same statement or another one, and once changed.
        rows.insert(try row(5), at: place)
        rows.append(try row(7, "loud"))
        try writer.store(rows, at: ArchiveFixture.now)
        try writer.commit()
        #expect(writer.report.added == 25 && writer.report.changed == 1)
        #expect(try test.ids() == (1...25).map { "e\($0)" })
        for (words, ids) in [("loud", [7]), ("quiet", (1...25).filter { $0 != 7 })] {
            var filter = EventFilter()
            filter.search = words
            #expect(try test.ids(filter) == ids.map { "e\($0)" }, "\(words)")
        }
        let objects = try archive.database.number(
            """
            SELECT count(*) FROM event JOIN object ON object.event = event.number
            WHERE raw LIKE '%"id":"' || id || '"%'
            """)
        #expect(objects == 25)
    }
}
