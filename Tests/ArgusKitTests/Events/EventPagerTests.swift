import ArgusKit
import ArgusTestSupport
import Testing

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
    var notices: [String] = []

    init(
        _ server: EventServer, _ filter: EventFilter = EventFilter(), wanted: Int? = nil,
        order: EventOrder = .newestFirst
    ) async throws {
        let notes = MessageLog()
        let service = EventService(session: .test(server))
        let pager =
            order == .newestFirst
            ? service.list(filter, wanted: wanted, notify: { notes.add("\($0)") })
            : service.listOldestFirst(filter, notify: { notes.add("\($0)") })
        while let rows = try await pager.next() { ids += try rows.map { try $0.event.id } }
        unreadable = pager.unreadableRows
        notices = notes.all
    }
}
