import ArgusKit
import Testing

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
