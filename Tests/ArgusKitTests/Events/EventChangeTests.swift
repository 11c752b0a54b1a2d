import ArgusKit
import ArgusTestSupport
import Testing

@Suite("Changes of events")
struct EventChangeTests {
    private let fake = FakeTransport()
    private var service: EventService { EventService(session: .test(fake)) }

    @Test("events are deleted a hundred at a time, each id under a key of its own")
    func batches() async throws {
        let ids = (1...101).map { "e\($0)" }
        let query = ids.prefix(100).map { "event_ids=\($0)" }.joined(separator: "&")
        fake.stub(
            .delete, "/api/v1/events/bulk?\(query)",
            body: #"{"deleted_count":98,"not_found_count":2}"#)
        fake.stub(
            .delete, "/api/v1/events/e101", status: 404, body: #"{"detail":"Event e101 not found"}"#
        )
        var tally = EventChangeRoutes.Deleted(deleted: 0, alreadyGone: 0)
        var sizes: [Int] = []
        try await service.delete(ids, tally: &tally) { sizes.append($0) }
        #expect(tally == .init(deleted: 98, alreadyGone: 3))
        #expect(sizes == [100, 1])
        fake.verify()
    }

    @Test("a batch of which nothing is left is no failure, an answer without a count is one")
    func gone() async throws {
        let target = "/api/v1/events/bulk?event_ids=a&event_ids=b"
        fake.stub(.delete, target, status: 404, body: #"{"detail":"No events found"}"#)
        var tally = EventChangeRoutes.Deleted(deleted: 0, alreadyGone: 0)
        try await service.delete(["a", "b"], tally: &tally) { _ in }
        #expect(tally.alreadyGone == 2)
        fake.stub(.delete, target, body: "{}")
        let error = await failure { () async throws(APIError) in
            try await service.delete(["a", "b"], tally: &tally) { _ in }
        }
        #expect(error?.kind == .malformedAnswer)
        fake.verify()
    }

    @Test("feedback that exists is replaced")
    func feedback() async throws {
        fake.stub(
            .post, "/api/v1/events/e1/feedback", status: 409,
            body: try Samples.text("error-409-feedback"))
        fake.stub(.put, "/api/v1/events/e1/feedback", body: try Samples.text("feedback"))
        let given = try await service.give(
            .init(eventID: "e1", rating: "helpful", correction: "A \"cat\""))
        #expect(given.rating == "helpful")
        #expect(
            fake.requests.map { $0.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }
                == Array(repeating: #"{"rating":"helpful","correction":"A \"cat\""}"#, count: 2))
        fake.verify()
    }
}

@Suite("ExportTail")
struct ExportTailTests {
    private static let csv = ExportTail.Layout.separated(by: UInt8(ascii: ","), quoted: true)

    private func tail(
        _ layout: ExportTail.Layout, _ text: String,
        _ columns: [String] = ["id", "timestamp", "d"],
        hasHeader: Bool = true
    ) throws(ExportTailError) -> ExportTail {
        var tail = ExportTail(layout, columns: columns, hasHeader: hasHeader)
        // Pieces of every length must give the same.
        for byte in text.utf8 { try tail.read([byte]) }
        return tail
    }

    @Test("the last whole row counts, quoted line ends are none, and one instant's ids are kept")
    func csv() throws {
        let whole = """
            id,timestamp,d
            a,2026-11-20T22:00:00.000000Z,"x, ""y""
            z"
            b,2026-11-20T22:00:01.000000Z,
            c,2026-11-20T22:00:01.000000Z,'=1

            """
        let tail = try tail(Self.csv, whole + "d,2026-11-20T22:00:02.000000Z,\"cut\n")
        #expect(tail.size == whole.utf8.count)
        #expect(tail.rowCount == 3)
        #expect(tail.ids == ["b", "c"])
        #expect(tail.time == Timestamp(serverText: "2026-11-20T22:00:01Z"))
        #expect(tail.header == ["id", "timestamp", "d"])
    }

    @Test("lines of JSON and files without a header are read, rows without a key are not")
    func others() throws {
        let line = #"{"id":"a","timestamp":"2026-11-20T22:00:00.000000Z"}"# + "\n"
        #expect(try tail(.lines, line + line.dropLast()).size == line.utf8.count)
        let bare = "a,2026-11-20T22:00:00.000000Z,x\n"
        #expect(try tail(Self.csv, bare, hasHeader: false).ids == ["a"])
        #expect(throws: ExportTailError.self) { try tail(.lines, "{}\n") }
        #expect(throws: ExportTailError.self) { try tail(Self.csv, "id,d\na,b\n", ["id", "d"]) }
        #expect(try tail(Self.csv, "").size == 0)
    }
}
