import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("the server of a feed")
struct SessionFeedServerTests {
    private let fake = FakeTransport()
    /// A list that holds no event, whatever rows the server cannot read.
    private static let nothing =
        "/api/v1/events?start_time=2100-01-01T00%3A00%3A00.000000Z"
        + "&end_time=2100-01-01T00%3A00%3A00.000000Z&limit=1&per_page=1"

    private func run(at seconds: Int64) -> ServiceRun {
        ServiceRun(
            RunClock(
                now: { Timestamp(seconds: seconds) }, monotonic: { .seconds(7) }, sleep: { _ in }))
    }

    /// A server of a feed on a machine whose clock stands in 1970.
    private func server(_ filter: EventFilter = EventFilter()) -> SessionFeedServer {
        SessionFeedServer(.test(fake), UnresolvedFilter(filter), in: run(at: 0))
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
        stub(Self.nothing, ids: [], total: 0)
        let server = server()
        for _ in 0..<2 {
            #expect(try await server.clock() == Timestamp(serverText: "2026-11-21T13:00:00Z"))
        }
        fake.verify()
    }

    @Test("a clock that the server does not send is this machine's")
    func noDate() async throws {
        fake.stub(
            .get, Self.nothing, body: #"{"events":[],"total_count":0}"#)
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

    @Test(
        "events are kept for the days that the server says, unless they are more than a century",
        arguments: [
            ("30", Timestamp(serverText: "2026-10-22T13:00:00Z")), ("0", nil), ("-1", nil),
            ("106751991167301", nil), ("9223372036854775807", nil), ("1e400", nil), ("-0", nil),
        ])
    func retention(days: String, kept: Timestamp?) async throws {
        fake.stub(.get, "/api/v1/system/retention", body: #"{"retention_days":\#(days)}"#)
        stub(Self.nothing, ids: [], total: 0)
        #expect(try await server().keptSince() == kept)
        fake.verify()
    }

    @Test("an event without anybody is held back until its entity had time to come")
    func strangersSettle() async throws {
        var filter = EventFilter()
        filter.entities = EntityCondition()
        filter.entities?.includesNone = true
        let server = server(filter)
        let since = try #require(Timestamp(serverText: "2026-11-21T11:00:00Z"))
        let target =
            "/api/v1/events?start_time=2026-11-21T11%3A00%3A00.000000Z&limit=500&per_page=100"
        for (created, isFound) in [("12:59:59", false), ("12:59:57", true), ("14:30:00", true)] {
            fake.stub(
                .get, target,
                headers: [
                    ("Content-Type", "application/json"), ("Date", "Sat, 21 Nov 2026 13:00:00 GMT"),
                ],
                body: #"{"events":[{"id":"a","timestamp":"2026-11-21T12:00:00Z","#
                    + #""entity_id":null,"created_at":"2026-11-21T\#(created)Z"}],"has_more":false}"#
            )
            let found = try await server.events(since: since, until: nil, atMost: 9) { _, _ in true
            }
            #expect(found?.events.map(\.id) == (isFound ? ["a"] : []), "\(created)")
            #expect(found?.isUnsettled == !isFound)
        }
        fake.verify()
    }

    @Test("an announced event is settled when it is read again, whatever the server's clock says")
    func announcedSettles() async throws {
        var conditions = UnresolvedFilter(EventFilter())
        conditions.settles = true
        let server = SessionFeedServer(.test(fake), conditions, in: run(at: 0))
        stub(Self.nothing, ids: [], total: 0)
        _ = try await server.clock()
        for isSettled in [false, true] {
            fake.stub(
                .get, "/api/v1/events/a",
                body: #"{"id":"a","timestamp":"2026-11-21T12:59:57Z","#
                    + #""created_at":"2026-11-21T12:59:57.900Z"}"#)
            #expect(try await server.event("a", isSettled: isSettled)?.matches == isSettled)
        }
        fake.verify()
    }

    @Test("a row that the server cannot read is a gap, beside which nothing is lost")
    func unreadable() async throws {
        let rows = EventPagerTests.rows(100)
        var habits = EventServer.Behavior()
        habits.unreadable = ["e40"]
        let server = SessionFeedServer(
            .test(EventServer(rows, habits)), UnresolvedFilter(EventFilter()), in: run(at: 10_000))
        let found = try await server.events(
            since: Timestamp(seconds: 0), until: nil, atMost: .max, where: { _, _ in true })
        #expect(found?.events.count == 99 && found?.gaps.count == 1)
        #expect(found?.gaps.first?.contains(rows[39].time) == true)
        #expect(
            try await !server.listsOnly(100, since: Timestamp(seconds: 0)) { _, _ in false })
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
