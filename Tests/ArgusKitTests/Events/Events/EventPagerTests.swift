import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

/// A server that fails for some of its requests, by their number, counted from 1, and their target.
private final class FailingServer: WholeAnswerTransport {
    private let list: EventServer
    private let status: @Sendable (Int, String) -> Int?
    private let count = Mutex(0)

    init(_ rows: [EventServer.Row], status: @escaping @Sendable (Int, String) -> Int?) {
        list = EventServer(rows)
        self.status = status
    }

    var requests: Int { count.withLock { $0 } }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if let status = status(number, request.target) {
            let body = Array(#"{"detail":"Failed to list events"}"#.utf8)
            return HTTPResponse(status: status, body: body)
        }
        return try await list.answer(request)
    }
}

@Suite("EventPager")
struct EventPagerTests {
    typealias Row = EventServer.Row

    /// Rows `e1` to `eN`, newest first, a second apart.
    static func rows(_ count: Int) -> [Row] {
        (1...count).map { Row("e\($0)", at: 10_000 - Int64($0)) }
    }

    private func ids(_ range: ClosedRange<Int>) -> [String] { range.map { "e\($0)" } }

    private static func smallPages(_ size: Int) -> EventServer.Behavior {
        var habits = EventServer.Behavior()
        habits.largestPage = size
        return habits
    }

    @Test("a list ends after as many events as are wanted, and no request is made for the rest")
    func limit() async throws {
        let server = EventServer(Self.rows(10))
        let cursor = try await PagerRun(server, wanted: 3)
        #expect(cursor.ids == ids(1...3))
        #expect(server.queries.map { $0["limit"] } == ["3"])
    }

    @Test("every event of many pages comes once, in order")
    func manyPages() async throws {
        let server = EventServer(Self.rows(1200))
        let cursor = try await PagerRun(server)
        #expect(cursor.ids == ids(1...1200))
        #expect(server.queries.count == 3)
        #expect(server.queries.allSatisfy { $0["offset"] == nil })
    }

    @Test("events of one instant at a page's end come once", arguments: 1...6)
    func equalTimestamps(pageSize: Int) async throws {
        let rows = [
            Row("a", at: 50), Row("b", at: 40), Row("c", at: 40), Row("d", at: 40),
            Row("e", at: 40), Row("f", at: 30), Row("g", at: 30), Row("h", at: 20),
        ]
        let server = EventServer(rows, Self.smallPages(pageSize))
        #expect(try await PagerRun(server).ids == rows.map(\.id))
    }

    @Test("a whole page of one instant is left by counting, which ends with the instant")
    func wholePageOfOneInstant() async throws {
        let rows =
            (1...1300).map { Row("e\($0)", at: 500) } + (1301...1400).map { Row("e\($0)", at: 400) }
        let server = EventServer(rows)
        #expect(try await PagerRun(server).ids == ids(1...1400))
        #expect(server.queries.count < 10)
    }

    @Test("events that arrive between pages neither repeat a row nor hide one")
    func inserts() async throws {
        let server = EventServer(Self.rows(1200)) { number, rows in
            rows.insert(Row("new\(number)", at: 20_000 + Int64(number)), at: 0)
        }
        let cursor = try await PagerRun(server)
        #expect(cursor.ids == ["new1"] + ids(1...1200))
    }

    @Test("events that are deleted between pages hide none of the others")
    func deletes() async throws {
        let server = EventServer(Self.rows(1200)) { number, rows in
            if number == 2 { rows.removeAll { ["e3", "e4", "e500", "e501"].contains($0.id) } }
        }
        #expect(try await PagerRun(server).ids == ids(1...500) + ids(502...1200))
    }

    @Test("a server that ignores end_time is counted through, and no event comes twice")
    func ignoredCursor() async throws {
        var habits = EventServer.Behavior()
        habits.ignoresEndTime = true
        let server = EventServer(Self.rows(1700), habits)
        let cursor = try await PagerRun(server)
        #expect(cursor.ids == ids(1...1700))
        #expect(cursor.notices == ["the server ignores end_time; argus pages by number instead"])
    }

    @Test("counting through a server that gets events meanwhile repeats none")
    func ignoredCursorWithInserts() async throws {
        var habits = EventServer.Behavior()
        habits.ignoresEndTime = true
        let server = EventServer(Self.rows(1700), habits) { number, rows in
            rows.insert(Row("new\(number)", at: 20_000 + Int64(number)), at: 0)
        }
        #expect(try await PagerRun(server).ids == ["new1"] + ids(1...1700))
    }

    @Test("the documents' pages are walked by their own size and has_next")
    func documentedPages() async throws {
        var habits = EventServer.Behavior()
        habits.usesPages = true
        let server = EventServer(Self.rows(250), habits)
        #expect(try await PagerRun(server).ids == ids(1...250))
        habits.ignoresEndTime = true
        #expect(try await PagerRun(EventServer(Self.rows(250), habits)).ids == ids(1...250))
    }

    @Test(
        "without has_more a full page is taken for one that others follow",
        arguments: [499, 500, 501])
    func untoldEnd(count: Int) async throws {
        var habits = EventServer.Behavior()
        habits.tellsWhetherMoreFollow = false
        let server = EventServer(Self.rows(count), habits)
        #expect(try await PagerRun(server).ids == ids(1...count))
        #expect(server.queries.count == (count < 500 ? 1 : 2))
    }

    @Test("an id may have 256 bytes; a longer one is none, so that memory stays small")
    func longIDs() async throws {
        let id = String(repeating: "a", count: 256)
        var habits = EventServer.Behavior()
        habits.fixedBody = #"{"events":[{"id":"\#(id)"},{"id":"\#(id)b"}],"has_more":false}"#
        let cursor = try await PagerRun(EventServer([], habits))
        #expect(cursor.ids == [id])
        #expect(cursor.unreadable == 1)
    }

    @Test("rows that are no events are counted, and cost none of the others")
    func unreadableRows() async throws {
        var habits = EventServer.Behavior()
        habits.fixedBody = """
            {"events":[{"id":"a","timestamp":"2026-11-20T22:00:00Z"},{"id":7},"row",null,{},
            {"id":"b","timestamp":"yesterday"}],"has_more":false}
            """
        let cursor = try await PagerRun(EventServer([], habits))
        #expect(cursor.ids == ["a", "b"])
        #expect(cursor.unreadable == 4)
    }

    @Test("a server that promises more and repeats a page is a gap, and is not asked for ever")
    func repeatedPage() async throws {
        var habits = EventServer.Behavior()
        habits.fixedBody = """
            {"events":[{"id":"a","timestamp":"2026-11-20T22:00:00Z"},
            {"id":"b","timestamp":"2026-11-20T21:00:00Z"}],"has_more":true}
            """
        let server = EventServer([], habits)
        let failure = await #expect(throws: APIError.self) { try await PagerRun(server) }
        #expect(failure?.kind == .unsteady)
        #expect(server.queries.count < 10)
    }

    @Test(
        "pages of the oldest events again and again end a listing as a gap",
        arguments: [1, 2, 500], [0, 2])
    func endless(pageSize: Int, cameras: Int) async throws {
        var habits = Self.smallPages(pageSize)
        habits.repeatsOldest = true
        let server = EventServer(Self.rows(1200), habits)
        var filter = EventFilter()
        filter.cameraIDs = (0..<cameras).map { "c\($0)" }
        for order in [EventOrder.newestFirst, .oldestFirst] {
            let failure = await #expect(throws: APIError.self) {
                try await PagerRun(server, filter, order: order)
            }
            #expect(failure?.kind == .unsteady)
        }
        #expect(server.queries.count < 50)
    }

    @Test(
        "a row for which the server fails costs no other event, in either order, and is named",
        arguments: ["e1", "e700", "e1200"], [EventOrder.newestFirst, .oldestFirst])
    func unreadableRow(id: String, order: EventOrder) async throws {
        let rows = Self.rows(1200)
        var habits = EventServer.Behavior()
        habits.unreadable = [id]
        let server = EventServer(rows, habits)
        let run = try await PagerRun(server, order: order)
        let others = rows.map(\.id).filter { $0 != id }
        #expect(run.ids == (order == .newestFirst ? others : others.reversed()))
        let gap = try #require(run.gaps.first)
        let time = try #require(rows.first { $0.id == id }).time
        #expect(gap.contains(time) && gap.until - (gap.from ?? time) <= .milliseconds(1))
        #expect(run.gaps.count == 1)
        #expect(server.queries.count < 250)
    }

    @Test("several unreadable rows are each left out, and a listing of a range keeps to it")
    func unreadableRowsOfRange() async throws {
        let rows = Self.rows(1200)
        var habits = EventServer.Behavior()
        habits.unreadable = ["e2", "e3", "e600", "e1199"]
        var filter = EventFilter()
        (filter.since, filter.until) = (rows[999].time, rows[1].time)
        let run = try await PagerRun(EventServer(rows, habits), filter)
        #expect(run.ids == rows[1...999].map(\.id).filter { !habits.unreadable.contains($0) })
        #expect(run.gaps.count == 3)
    }

    @Test("a list that ends before an unreadable row is complete")
    func unreadableLater() async throws {
        var habits = EventServer.Behavior()
        habits.unreadable = ["e5"]
        let run = try await PagerRun(EventServer(Self.rows(10), habits), wanted: 4)
        #expect(run.ids == ids(1...4) && run.gaps.isEmpty)
        let server = EventServer(Self.rows(10), habits)
        let more = try await PagerRun(server, wanted: 6)
        #expect(more.ids == ids(1...4) + ids(6...7) && more.gaps.count == 1)
        #expect(server.queries.count < 100)
    }

    @Test("an unreadable row of an instant that fills pages costs that instant only")
    func unreadableInstant() async throws {
        let rows =
            [Row("a", at: 900)] + (1...8).map { Row("e\($0)", at: 500) } + [Row("z", at: 100)]
        var habits = Self.smallPages(3)
        habits.unreadable = ["e7"]
        let run = try await PagerRun(EventServer(rows, habits))
        #expect(run.ids.first == "a" && run.ids.last == "z")
        #expect(run.gaps.map(\.from) == [Timestamp(seconds: 500)])
    }

    @Test("thousands of unreadable rows cost a bounded number of requests")
    func allUnreadable() async throws {
        let rows = Self.rows(3000)
        var habits = EventServer.Behavior()
        habits.unreadable = Set(rows[500..<2500].map(\.id))
        let server = EventServer(rows, habits)
        let run = try await PagerRun(server)
        #expect(Set(run.ids).isSuperset(of: ids(1...500)))
        #expect(!run.gaps.isEmpty)
        #expect(server.queries.count < 1200)
    }

    @Test("a server that fails whatever it is asked for is asked once more, and its error is told")
    func failsAltogether() async throws {
        let server = FakeTransport()
        for target in [
            "/api/v1/events?limit=500&per_page=100",
            "/api/v1/events?start_time=2100-01-01T00%3A00%3A00.000000Z"
                + "&end_time=2100-01-01T00%3A00%3A00.000000Z&limit=1&per_page=1",
        ] {
            server.stub(.get, target, status: 500, body: #"{"detail":"Failed to list events"}"#)
        }
        let service = EventService(session: .test(server))
        let list = service.list(EventFilter(), wanted: nil, notify: { _ in })
        let error = await #expect(throws: APIError.self) { _ = try await list.next() }
        #expect(error?.status == 500)
        server.verify()
    }

    @Test("a server that fails for the listing's own conditions is not asked for halves")
    func failsForCondition() async throws {
        let server = FailingServer(Self.rows(10)) { _, target in
            target.contains("camera_id=X") ? 500 : nil
        }
        var filter = EventFilter()
        filter.cameraIDs = ["X"]
        let error = await #expect(throws: APIError.self) { try await PagerRun(server, filter) }
        #expect(error?.status == 500 && server.requests == 2)
    }

    @Test("a server that lists nothing but the year 2100 is given up")
    func failsForEveryRange() async throws {
        let server = FailingServer(Self.rows(10)) { _, target in
            target.contains("start_time=2100") ? nil : 500
        }
        let error = await #expect(throws: APIError.self) { try await PagerRun(server) }
        #expect(error?.status == 500 && server.requests < 200)
    }

    @Test("one failure costs no event and few requests")
    func failsOnce() async throws {
        let server = FailingServer(Self.rows(1200)) { number, _ in number == 2 ? 500 : nil }
        let run = try await PagerRun(server)
        #expect(run.ids == ids(1...1200) && run.gaps.isEmpty)
        #expect(server.requests < 15)
    }

    @Test("a rate limit that begins after a failure is told, not taken for the rows' fault")
    func rateLimit() async throws {
        let server = FailingServer(Self.rows(1200)) { number, _ in
            switch number {
            case 1: nil
            case 2: 500
            default: 429
            }
        }
        let error = await #expect(throws: APIError.self) { try await PagerRun(server) }
        #expect(error?.kind == .rateLimited)
    }

    @Test("rows without a time are counted from the cursor's position")
    func rowsWithoutTime() async throws {
        let all = Self.rows(2000)
        let server = EventServer(
            all.enumerated().map { index, row in
                guard index == 1497 else { return row }
                return Row(row.id, at: row.time.seconds, #","timestamp":"never""#)
            })
        #expect(try await PagerRun(server).ids == all.map(\.id))
    }

    @Test("an empty server gives no event, and a list that is none is an error")
    func emptyAndNonsense() async throws {
        #expect(try await PagerRun(EventServer([])).ids == [])
        for body in ["{}", "[1", #"{"events":{}}"#, "null"] {
            var habits = EventServer.Behavior()
            habits.fixedBody = body
            let server = EventServer([], habits)
            let error = await #expect(throws: APIError.self) { try await PagerRun(server) }
            #expect(error?.kind == .malformedAnswer, "\(body)")
        }
    }

    @Test("the next page is requested ahead, and cancelled with its cursor")
    func pageAhead() async throws {
        let arrived = Signal()
        let cancelled = Signal()
        let server = EventServer(
            Self.rows(1200),
            arrival: { number in
                guard number == 2 else { return }
                arrived.raise()
                await withTaskCancellationHandler {
                    await cancelled.wait()
                } onCancel: {
                    cancelled.raise()
                }
            })
        var pager: (any EventCursor)? = EventService(session: .test(server)).list(
            EventFilter(), wanted: nil, notify: { _ in })
        let first = try await pager?.next()
        #expect(first?.count == 500)
        await arrived.wait()
        #expect(server.queries.count == 2)
        pager = nil
        await cancelled.wait()
    }
}

/// A walk through all events that match, as commands make it.
struct PagerRun {
    var ids: [String] = []
    var unreadable = 0
    var gaps: [EventGap] = []
    var notices: [String] = []

    init(
        _ server: any Transport, _ filter: EventFilter = EventFilter(), wanted: Int? = nil,
        order: EventOrder = .newestFirst
    ) async throws {
        let notes = MessageLog()
        let service = EventService(session: .test(server))
        let pager =
            order == .newestFirst
            ? service.list(filter, wanted: wanted, notify: { notes.add("\($0)") })
            : service.listOldestFirst(filter, notify: { notes.add("\($0)") })
        while let rows = try await pager.next() { ids += rows.map(\.event.id) }
        unreadable = pager.unreadableRows
        gaps = pager.gaps
        notices = notes.all
    }
}
