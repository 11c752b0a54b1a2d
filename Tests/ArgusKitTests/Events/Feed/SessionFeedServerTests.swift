import ArgusTestSupport
import Testing

@testable import ArgusKit

@Suite("the server of a feed")
struct SessionFeedServerTests {
    private let fake = FakeTransport()

    /// A server of a feed on a machine whose clock stands in 1970.
    private func server(_ filter: EventFilter = EventFilter()) -> SessionFeedServer {
        SessionFeedServer(
            .test(fake), filter, endedBy: RequestCancellation(), now: { Timestamp(seconds: 0) },
            monotonic: { .seconds(7) }, notify: { _ in }, reportMalformedRow: {})
    }

    private func stub(_ target: String, ids: [String], total: Int) {
        let rows = ids.map { #"{"id":"\#($0)","timestamp":"2026-11-21T12:00:00Z"}"# }
        fake.stub(
            .get, target,
            headers: [
                ("Content-Type", "application/json"), ("Date", "Sat, 21 Nov 2026 13:00:00 GMT"),
            ],
            body: #"{"events":[\#(rows.joined(separator: ","))],"total_count":\#(total)}"#)
    }

    @Test("the first look at the clock asks the server, the next ones do not")
    func clock() async throws {
        stub("/api/v1/events?limit=1&per_page=1", ids: [], total: 0)
        let server = server()
        for _ in 0..<2 {
            #expect(try await server.clock() == Timestamp(serverText: "2026-11-21T13:00:00Z"))
        }
        fake.verify()
    }

    @Test("a clock that the server does not send is this machine's")
    func noDate() async throws {
        fake.stub(
            .get, "/api/v1/events?limit=1&per_page=1", body: #"{"events":[],"total_count":0}"#)
        #expect(try await server().clock() == Timestamp(seconds: 0))
        fake.verify()
    }

    @Test(
        "a range lists only what is known if its number is, and the newest are",
        arguments: [(2, "b", true), (3, "b", false), (2, "x", false)])
    func listsOnly(count: Int, known: String, answer: Bool) async throws {
        stub(
            "/api/v1/events?start_time=2026-11-21T11%3A00%3A00.000000Z&limit=20&per_page=20",
            ids: ["a", "b"], total: 2)
        let since = try #require(Timestamp(serverText: "2026-11-21T11:00:00Z"))
        let found = try await server().listsOnly(count, since: since) { id, _ in
            id != "a" && id != known
        }
        #expect(found == answer)
        fake.verify()
    }

    @Test("a condition that argus applies itself is not counted")
    func localCondition() async throws {
        var filter = EventFilter()
        filter.search = "van"
        let since = Timestamp(seconds: 0)
        #expect(try await !server(filter).listsOnly(0, since: since) { _, _ in false })
        fake.verify()
    }
}
