import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusEvents
@testable import ArgusKit

@Suite("the alert rules that a drill sets off")
struct DrillRulesTests {
    /// 12:00 UTC.
    private let event = NewEvent(
        ofCamera: "c1", at: ManualClock.origin, description: "a test", objects: ["person"],
        confidence: 100)

    private func rule(_ members: String) throws -> AlertRule {
        let view = try JSONView.parse(Array("{\"id\":\"r\",\(members)}".utf8))
        return try #require(AlertRule(view))
    }

    @Test(
        "a rule fires if all its conditions hold, or the server would think so",
        arguments: [
            ("\"name\":\"any\"", true),
            ("\"is_enabled\":false", false),
            ("\"conditions\":{\"object_types\":[\"person\"],\"cameras\":[\"c1\"]}", true),
            ("\"conditions\":{\"object_types\":[\"vehicle\"]}", false),
            ("\"conditions\":{\"cameras\":[\"c2\"]}", false),
            ("\"conditions\":{\"time_of_day\":{\"start\":\"22:00\",\"end\":\"06:00\"}}", false),
            ("\"conditions\":{\"time_of_day\":{\"start\":\"06:00\",\"end\":\"12:00\"}}", true),
            ("\"conditions\":{\"anomaly_threshold\":0.5}", true),
            ("\"entity_match_mode\":\"unknown\"", true),
            ("\"entity_match_mode\":\"specific\",\"entity_id\":\"e\"", false),
            (
                "\"cooldown_minutes\":5,\"last_triggered_at\":\"2026-11-21T11:56:00Z\"", false
            ),
            ("\"cooldown_minutes\":5,\"last_triggered_at\":\"2026-11-21T11:55:00Z\"", true),
            ("\"cooldown_minutes\":0,\"last_triggered_at\":\"2026-11-21T12:00:00.5Z\"", true),
        ])
    func fires(members: String, expected: Bool) throws {
        let rules = DrillRules([try rule(members)])
        #expect(rules.rules(setOffBy: event).isEmpty == !expected)
    }

    @Test("another camera or type is found that no rule matches, not even in its cooldown")
    func unmatched() throws {
        let people = try rule(
            "\"conditions\":{\"object_types\":[\"person\"]},\"cooldown_minutes\":5,"
                + "\"last_triggered_at\":\"2026-11-21T11:59:00Z\"")
        let one = DrillRules([people]).unmatched(event, among: ["c1", "c2"])
        #expect(one?.cameraID == "c1" && one?.objects == ["vehicle"])
        let first = try rule("\"conditions\":{\"cameras\":[\"c1\"]}")
        let two = DrillRules([people, first]).unmatched(event, among: ["c1", "c2"])
        #expect(two?.cameraID == "c2" && two?.objects == ["vehicle"])
        #expect(DrillRules([people, first]).unmatched(event, among: ["c1"]) == nil)
        #expect(DrillRules([]).unmatched(event, among: ["c1"]) == event)
    }
}
