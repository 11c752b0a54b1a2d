import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("Instants with more events than a page")
struct EventInstantTests {
    typealias Row = EventServer.Row

    /// 1300 events of one instant between ten before and ten after it.
    private static let rows =
        (1...10).map { Row("new\($0)", at: 600 - Int64($0)) }
        + (1...1300).map { Row("e\($0)", at: 500) }
        + (1...10).map { Row("old\($0)", at: 400 - Int64($0)) }

    @Test(
        "every event comes once, whether or not bounds are part of a range",
        arguments: [false, true], [EventOrder.newestFirst, .oldestFirst])
    func whole(excludesBounds: Bool, order: EventOrder) async throws {
        var habits = EventServer.Behavior()
        habits.excludesBounds = excludesBounds
        let cursor = try await PagerRun(EventServer(Self.rows, habits), order: order)
        // The oldest walk ends with the newest event, which an exclusive end leaves out.
        #expect(Set(cursor.ids).isSuperset(of: Self.rows.dropFirst().map(\.id)))
        #expect(cursor.ids.count == Set(cursor.ids).count)
    }

    @Test("an event that vanishes between two pages of an instant hides none of the others")
    func deletion() async throws {
        let server = EventServer(Self.rows) { number, rows in
            // The fourth request is for the second page of the first pass.
            if number == 3 { rows.removeAll { ["e1", "e2", "e3"].contains($0.id) } }
        }
        let cursor = try await PagerRun(server)
        #expect(
            Set(cursor.ids).isSuperset(
                of: Self.rows.map(\.id).filter { !["e1", "e2", "e3"].contains($0) }))
        #expect(cursor.ids.count == Set(cursor.ids).count)
    }

    @Test("an instant that never holds still is a gap, and is not read for ever")
    func unsteady() async throws {
        let server = EventServer(Self.rows) { number, rows in
            rows.insert(Row("more\(number)", at: 500), at: 15)
        }
        let error = await #expect(throws: APIError.self) { try await PagerRun(server) }
        #expect(error?.kind == .unsteady)
        #expect(server.queries.count < 25)
    }

    @Test(
        "an instant that is too long for memory is a gap",
        arguments: [(rows: 4001, bytes: 1), (rows: 1500, bytes: 7000)])
    func tooLong(rows: Int, bytes: Int) async throws {
        let members = #","x":"\#(String(repeating: "x", count: bytes))""#
        let server = EventServer((1...rows).map { Row("e\($0)", at: 500, members) })
        let error = await #expect(throws: APIError.self) { try await PagerRun(server) }
        #expect(error?.kind == .unsteady)
    }
}

@Suite("Orders of events")
struct EventOrderTests {
    typealias Row = EventServer.Row

    @Test("a server that sorts is walked from its oldest event, page by page")
    func ascending() async throws {
        let rows = EventPagerTests.rows(1200)
        let server = EventServer(rows)
        let cursor = try await PagerRun(server, order: .oldestFirst)
        #expect(cursor.ids == rows.map(\.id).reversed())
        #expect(server.queries.filter { $0["sort_order"] == "asc" }.count == 4)
    }

    @Test("a server that does not sort is walked from its end, and turned round")
    func reversed() async throws {
        var habits = EventServer.Behavior()
        habits.ignoresOrder = true
        let rows = EventPagerTests.rows(1200)
        let cursor = try await PagerRun(EventServer(rows, habits), order: .oldestFirst)
        #expect(cursor.ids == rows.map(\.id).reversed())
    }

    @Test("what arrives or vanishes meanwhile neither repeats nor hides an event")
    func ascendingChanges() async throws {
        let server = EventServer(EventPagerTests.rows(1200)) { number, rows in
            rows.insert(Row("new\(number)", at: 20_000 + Int64(number)), at: 0)
            if number == 4 { rows.removeAll { ["e1190", "e1100", "e300"].contains($0.id) } }
        }
        let cursor = try await PagerRun(server, order: .oldestFirst)
        let kept = (1...1200).map { "e\($0)" }.filter { !["e300"].contains($0) }
        #expect(cursor.ids == kept.reversed() + ["new1"])
    }

    @Test("several cameras are asked each by itself and merged by time")
    func merge() async throws {
        let rows = (1...1500).map {
            Row("e\($0)", at: 10_000 - Int64($0), #","camera_id":"c\#($0 % 3)""#)
        }
        let server = EventServer(rows)
        var filter = EventFilter()
        filter.cameraIDs = ["c1", "c2"]
        let expected = (1...1500).filter { $0 % 3 != 0 }.map { "e\($0)" }
        #expect(try await PagerRun(server, filter).ids == expected)
        #expect(Set(server.queries.map { $0["camera_id"] }) == ["c1", "c2"])
        #expect(try await PagerRun(server, filter, wanted: 7).ids == Array(expected.prefix(7)))
        #expect(
            try await PagerRun(server, filter, order: .oldestFirst).ids == expected.reversed())
    }

    @Test(
        "the first pages of several cameras are requested at once, and both ends of a list in reverse",
        arguments: [(8, EventOrder.newestFirst), (2, .oldestFirst)])
    func together(requests: Int, order: EventOrder) async throws {
        let rows = (1...40).map {
            Row("e\($0)", at: 10_000 - Int64($0), #","camera_id":"c\#($0 % 8)""#)
        }
        let arrived = Signal()
        let server = EventServer(
            rows,
            arrival: { number in
                if number == requests { arrived.raise() }
                await arrived.wait()
            })
        var filter = EventFilter()
        if order == .newestFirst { filter.cameraIDs = (0..<8).map { "c\($0)" } }
        let expected = (1...40).map { "e\($0)" }
        #expect(
            try await PagerRun(server, filter, order: order).ids
                == (order == .newestFirst ? expected : expected.reversed()))
    }

    @Test("a counted list from which more vanishes than pages overlap is read again there")
    func countedDeletions() async throws {
        var habits = EventServer.Behavior()
        habits.ignoresEndTime = true
        let rows = EventPagerTests.rows(1700)
        let server = EventServer(rows, habits) { number, rows in
            if number == 4 { rows.removeFirst(120) }
        }
        #expect(try await PagerRun(server, EventFilter()).ids == rows.map(\.id))
    }
}
