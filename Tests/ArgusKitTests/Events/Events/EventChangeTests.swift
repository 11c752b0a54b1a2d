import ArgusEvents
import ArgusTestSupport
import ArgusTransport
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

    @Test(
        "an answer about more events than were sent is not believed",
        arguments: ["9223372036854775807", "3", "-1", "1e400"], ["0", "9223372036854775807", "2"])
    func tooMany(deleted: String, gone: String) async throws {
        fake.stub(
            .delete, "/api/v1/events/bulk?event_ids=a&event_ids=b",
            body: #"{"deleted_count":\#(deleted),"not_found_count":\#(gone)}"#)
        var tally = EventChangeRoutes.Deleted(deleted: 1, alreadyGone: 0)
        let error = await failure { () async throws(APIError) in
            try await service.delete(["a", "b"], tally: &tally) { _ in }
        }
        #expect(error?.kind == .malformedAnswer)
        #expect(tally == .init(deleted: 1, alreadyGone: 0))
        fake.verify()
    }

    @Test("feedback that exists is replaced")
    func feedback() async throws {
        fake.stub(
            .post, "/api/v1/events/e1/feedback", status: 409,
            body: try Samples.text("error-409-feedback"))
        fake.stub(.put, "/api/v1/events/e1/feedback", body: try Samples.text("feedback"))
        let given = try await service.give(
            .init(eventID: "e1", rating: "helpful", correction: "A \"cat\""), over: .unknown)
        #expect(given.rating == "helpful")
        #expect(
            fake.requests.map { $0.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }
                == Array(repeating: #"{"rating":"helpful","correction":"A \"cat\""}"#, count: 2))
        fake.verify()
    }
}
