import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTestSupport
import Testing

/// Reads the pages that a cursor asks for.
private func page(_ query: EventQuery, _ server: EventServer) async throws -> EventPage {
    try await Session.test(server).call(EventRoutes.list, query)
}

private func query(
    _ limit: Int, since: Int64? = nil, order: EventOrder = .newestFirst
) -> EventQuery {
    var filter = EventFilter()
    filter.since = since.map { Timestamp(seconds: $0) }
    var query = EventQuery(filter: filter, limit: limit)
    query.order = order
    return query
}

@Suite("EventTimeCursor")
struct EventTimeCursorTests {
    typealias Row = EventServer.Row

    @Test("pages join by time in either order", arguments: [EventOrder.newestFirst, .oldestFirst])
    func joins(order: EventOrder) async throws {
        let rows = EventPagerTests.rows(10)
        let server = EventServer(rows)
        var cursor = EventTimeCursor(query(3, order: order))
        var ids: [String] = []
        while cursor.next == .page {
            let fresh = cursor.advance(over: try await page(cursor.query, server))
            ids += try #require(fresh).map(\.id)
        }
        #expect(cursor.next == .end)
        #expect(ids == (order == .newestFirst ? rows.map(\.id) : rows.map(\.id).reversed()))
        #expect(server.queries.allSatisfy { $0["offset"] == nil })
    }

    @Test("the limit may grow from page to page, and the listing ends at its first instant")
    func grows() async throws {
        let server = EventServer(EventPagerTests.rows(100))
        // `e50` is the last one that counts.
        var cursor = EventTimeCursor(query(4, since: 9950))
        var ids: [String] = []
        while cursor.next == .page {
            let fresh = cursor.advance(over: try await page(cursor.query, server))
            ids += try #require(fresh).map(\.id)
            cursor.query.limit *= 2
        }
        #expect(ids == (1...50).map { "e\($0)" })
        #expect(server.queries.map { $0["limit"] } == ["4", "8", "16", "32"])
    }

    @Test("events that arrive at the front are no part of the listing")
    func arrivals() async throws {
        let server = EventServer(EventPagerTests.rows(10)) { number, rows in
            if number > 1 { rows.insert(Row("new\(number)", at: 20_000 + Int64(number)), at: 0) }
        }
        var cursor = EventTimeCursor(query(4))
        var ids: [String] = []
        while cursor.next == .page {
            let fresh = cursor.advance(over: try await page(cursor.query, server))
            ids += try #require(fresh).map(\.id)
        }
        #expect(ids == (1...10).map { "e\($0)" })
    }

    @Test("a page of one instant leads to that instant")
    func instant() async throws {
        let server = EventServer((1...5).map { Row("e\($0)", at: 500) })
        var cursor = EventTimeCursor(query(3))
        #expect(cursor.advance(over: try await page(cursor.query, server))?.count == 3)
        #expect(cursor.next == .instant(Timestamp(seconds: 500)))
    }

    @Test("a server that ignores times leads to the number of the next row")
    func ignored() async throws {
        var habits = EventServer.Behavior()
        habits.ignoresEndTime = true
        let server = EventServer(EventPagerTests.rows(10), habits)
        var cursor = EventTimeCursor(query(4))
        #expect(cursor.advance(over: try await page(cursor.query, server))?.count == 4)
        #expect(cursor.next == .page)
        #expect(cursor.advance(over: try await page(cursor.query, server)) == nil)
        #expect(cursor.next == .row(4))
    }
}

@Suite("EventOffsetCursor")
struct EventOffsetCursorTests {
    private static var habits: EventServer.Behavior {
        var habits = EventServer.Behavior()
        habits.ignoresEndTime = true
        return habits
    }

    /// Lists the events of a server by number, after its first page of a size.
    private func list(_ server: EventServer, _ limit: Int) async throws -> [String] {
        let first = try await page(query(limit), server)
        var ids = first.rows.map(\.id)
        var cursor = EventOffsetCursor(
            query(limit), from: ids.count, seen: Set(ids), after: first)
        while !cursor.isAtEnd {
            let fresh = cursor.advance(over: try await page(cursor.query, server))
            ids += (fresh ?? []).map(\.id)
        }
        return ids
    }

    @Test("pages overlap, and every row comes once")
    func overlap() async throws {
        let server = EventServer(EventPagerTests.rows(25), Self.habits)
        #expect(try await list(server, 10) == (1...25).map { "e\($0)" })
        #expect(server.queries.map { $0["offset"] } == [nil, "5", "10", "15"])
    }

    @Test("an earlier page is read again when more rows vanish than pages overlap")
    func rewinds() async throws {
        let server = EventServer(EventPagerTests.rows(40), Self.habits) { number, rows in
            if number == 3 { rows.removeFirst(9) }
        }
        let ids = try await list(server, 10)
        #expect(ids == (1...40).map { "e\($0)" })
    }
}
