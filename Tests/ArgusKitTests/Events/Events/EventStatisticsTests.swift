import Testing

@testable import ArgusCore
@testable import ArgusEvents

@Suite("EventStatistics")
struct EventStatisticsTests {
    private func statistics(_ events: String...) throws -> EventStatistics {
        var statistics = EventStatistics(zone: .utc)
        for text in events {
            let view = try JSONView.parse(Array(text.utf8))
            statistics.count(try #require(Event(view)))
        }
        return statistics
    }

    @Test("alerts are unknown where no event says anything of them, and not none")
    func unknownAlerts() throws {
        let silent = try statistics(#"{"id":"a"}"#, #"{"id":"b"}"#)
        #expect(silent.rows(.total).map(\.count) == [2])
        #expect(silent.rows(.total).map(\.alerts) == [nil])
    }

    @Test("hours, weekdays and the days between two events are listed without events, too")
    func empty() throws {
        let counts = try statistics(
            #"{"id":"a","timestamp":"2026-11-20T23:32:00Z","alert_triggered":true}"#,
            #"{"id":"b","timestamp":"2026-11-23T05:00:00Z"}"#)
        #expect(
            counts.rows(.day).map(\.key) == [
                "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23",
            ])
        #expect(counts.rows(.day).map(\.count) == [1, 0, 0, 1])
        #expect(counts.rows(.day).map(\.alerts) == [1, 0, 0, nil])
        #expect(counts.rows(.hour).map(\.key) == (0...23).map { $0 < 10 ? "0\($0)" : "\($0)" })
        #expect(counts.rows(.hour).filter { $0.count > 0 }.map(\.key) == ["05", "23"])
        #expect(counts.rows(.weekday).map(\.count) == [1, 0, 0, 0, 1, 0, 0])
        #expect(counts.rows(.weekday).first?.name == "monday")
        // Friday to Monday.
        #expect(
            counts.rows(.weekday).map { counts.days(ofWeekday: $0.key ?? "") }
                == [1, 0, 0, 0, 1, 1, 1])
        #expect(counts.hours(ofWeekday: "monday").firstIndex(of: 1) == 5)
        #expect(counts.hours(ofWeekday: "friday").count(where: { $0 == 0 }) == 23)
        #expect(counts.hours(ofWeekday: "tuesday").allSatisfy { $0 == nil })
        let long = try statistics(
            #"{"id":"a","timestamp":"2026-11-12T23:32:00Z"}"#,
            #"{"id":"b","timestamp":"2026-11-20T05:00:00Z"}"#)
        #expect(
            long.rows(.weekday).map { long.days(ofWeekday: $0.key ?? "") }
                == [1, 1, 1, 2, 2, 1, 1])
        let none = try statistics()
        #expect(none.rows(.total) == [.init(group: .total, count: 0, alerts: 0)])
        #expect(none.rows(.camera) == [] && none.rows(.day) == [])
    }

    @Test("hours and weekdays outside the period have no count, and one with an event has")
    func period() throws {
        var counts = try statistics(
            #"{"id":"a","timestamp":"2026-11-20T22:32:00Z"}"#,
            #"{"id":"b","timestamp":"2026-11-21T03:10:00Z"}"#)
        counts.since = Timestamp(serverText: "2026-11-20T21:30:00Z")
        counts.until = Timestamp(serverText: "2026-11-21T01:30:00Z")
        #expect(counts.isShort)
        let friday = counts.hours(ofWeekday: "friday")
        #expect(friday.compactMap(\.self) == [0, 1, 0] && friday.last == 0)
        let saturday = counts.hours(ofWeekday: "saturday")
        #expect(saturday.compactMap(\.self) == [0, 0, 1] && saturday[3] == 1)
        #expect(counts.countedRows(.hour).map(\.key) == ["00", "01", "03", "21", "22", "23"])
        #expect(counts.countedRows(.weekday).map(\.key) == ["friday", "saturday"])
        #expect(counts.rows(.weekday).count == 7)
        #expect(counts.hoursByDay.map(\.day) == ["2026-11-20", "2026-11-21"])
        // From a Friday evening over a week to the next one, each hour is counted.
        counts.until = Timestamp(serverText: "2026-11-27T21:10:00Z")
        #expect(!counts.isShort)
        #expect(counts.hours(ofWeekday: "friday").allSatisfy { $0 != nil })
    }

    @Test("alerts are counted among the events that say so")
    func alerts() throws {
        let mixed = try statistics(
            #"{"id":"a","camera_id":"c1","alert_triggered":true}"#,
            #"{"id":"b","camera_id":"c1"}"#,
            #"{"id":"c","camera_id":"c2","alert_triggered":false}"#,
            #"{"id":"d","camera_id":"c3"}"#)
        #expect(mixed.rows(.total).map(\.alerts) == [1])
        let cameras = mixed.rows(.camera).sorted { ($0.key ?? "") < ($1.key ?? "") }
        #expect(cameras.map(\.key) == ["c1", "c2", "c3"])
        #expect(cameras.map(\.alerts) == [1, 0, nil])
    }
}
