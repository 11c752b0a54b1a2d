import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents

/// A row of the table: conditions, what differs from `base` in the event, and the verdict.
struct VerdictRow: Sendable, CustomTestStringConvertible {
    var conditions: String
    var event: String
    var verdict: RuleVerdict
    var zone = "UTC"

    init(
        _ conditions: String, on event: String = "", _ verdict: RuleVerdict,
        zone: String = "UTC"
    ) {
        (self.conditions, self.event, self.verdict) = (conditions, event, verdict)
        self.zone = zone
    }

    var testDescription: String { "\(conditions) \(event) \(zone)" }
}

enum VerdictTable {
    static func conditions(
        _ members: String, on event: String = "", _ verdict: RuleVerdict, zone: String = "UTC"
    ) -> VerdictRow {
        VerdictRow(#""conditions":{\#(members)}"#, on: event, verdict, zone: zone)
    }

    static let plain: [VerdictRow] = [
        conditions("", .matches),
        conditions(#""object_types":["vehicle","person"]"#, .matches),
        conditions(#""object_types":["vehicle"]"#, .fails(.objectTypes)),
        // As the server spells them.
        conditions(#""object_types":["Person"]"#, .fails(.objectTypes)),
        conditions(
            #""object_types":["person"]"#, on: #""objects_detected":[]"#, .fails(.objectTypes)),
        conditions(
            #""object_types":["person"]"#, on: #""objects_detected":null"#, .fails(.objectTypes)),
        conditions(#""cameras":["c2","c1"]"#, .matches),
        conditions(#""cameras":["c2"]"#, .fails(.cameras)),
        conditions(#""cameras":["c2"]"#, on: #""camera_id":null"#, .fails(.cameras)),
        conditions(#""min_confidence":80"#, .matches),
        conditions(#""min_confidence":81"#, .fails(.minConfidence)),
        conditions(#""min_confidence":0"#, on: #""confidence":null"#, .fails(.minConfidence)),
        conditions(#""rule_type":"package_delivery""#, .fails(.ruleType)),
        conditions(
            #""rule_type":"package_delivery""#, on: #""smart_detection_type":"package""#,
            .fails(.ruleType)),
        conditions(
            #""rule_type":"package_delivery""#,
            on: #""smart_detection_type":"package","delivery_carrier":"ups""#, .matches),
        conditions(#""carriers":["UPS"]"#, on: #""delivery_carrier":"ups""#, .matches),
        conditions(#""carriers":["ups"]"#, on: #""delivery_carrier":"UPS""#, .matches),
        conditions(#""carriers":["ups"]"#, .fails(.carriers)),
        conditions(#""carriers":["dhl"]"#, on: #""delivery_carrier":"ups""#, .fails(.carriers)),
        // The first one that fails, in the server's order.
        conditions(#""min_confidence":81,"cameras":["c2"]"#, .fails(.cameras)),
        // Unknown ones are never true, and a known one that fails decides.
        conditions(#""weather":"rain""#, .undecided("weather")),
        conditions(#""weather":"rain","cameras":["c2"]"#, .fails(.cameras)),
        conditions(#""rule_type":"glass""#, .undecided("rule_type 'glass'")),
    ]

    static let entities: [VerdictRow] = [
        VerdictRow(#""entity_match_mode":"unknown""#, .matches),
        VerdictRow(#""entity_match_mode":"unknown""#, on: #""entity_id":"e1""#, .fails(.entity)),
        VerdictRow(#""entity_match_mode":"specific","entity_id":"e1""#, .fails(.entity)),
        VerdictRow(
            #""entity_match_mode":"specific","entity_id":"e1""#, on: #""entity_id":"e1""#, .matches),
        VerdictRow(
            #""entity_match_mode":"specific","entity_id":"e1""#,
            on: #""matched_entity":{"id":"e1","name":"Ann"},"entity_id":null"#, .matches),
        VerdictRow(
            #""entity_match_mode":"specific","entity_id":"e1""#, on: #""entity_id":"e2""#,
            .fails(.entity)),
    ]

    /// The event is of Friday, 23:32:59 UTC.
    static let times: [VerdictRow] = [
        conditions(#""time_of_day":{"start":"23:32","end":"23:32"}"#, .matches),
        conditions(#""time_of_day":{"start":"23:33","end":"23:40"}"#, .fails(.hours)),
        conditions(#""time_of_day":{"start":"23:00","end":"23:31"}"#, .fails(.hours)),
        conditions(#""time_of_day":{"start":"22:00","end":"06:00"}"#, .matches),
        conditions(
            #""time_of_day":{"start":"22:00","end":"06:00"}"#,
            on: #""timestamp":"2026-11-21T06:00:59Z""#, .matches),
        conditions(
            #""time_of_day":{"start":"22:00","end":"06:00"}"#,
            on: #""timestamp":"2026-11-21T06:01:00Z""#, .fails(.hours)),
        conditions(
            #""time_of_day":{"start":"22:00","end":"06:00"}"#, on: #""timestamp":null"#,
            .fails(.hours)),
        conditions(#""days_of_week":[5]"#, .matches),
        conditions(#""days_of_week":[6]"#, .fails(.days)),
        conditions(#""days_of_week":[7]"#, on: #""timestamp":"2026-11-22T00:00:00Z""#, .matches),
        conditions(#""days_of_week":[1]"#, on: #""timestamp":"2026-11-23T00:00:00Z""#, .matches),
        // In Berlin it is Saturday, 00:32.
        conditions(#""days_of_week":[5]"#, .fails(.days), zone: "Europe/Berlin"),
        conditions(#""days_of_week":[6]"#, .matches, zone: "Europe/Berlin"),
        conditions(
            #""time_of_day":{"start":"00:00","end":"01:00"}"#, .matches, zone: "Europe/Berlin"),
        // In Kathmandu it is 05:17 on Saturday.
        conditions(
            #""time_of_day":{"start":"05:17","end":"05:17"},"days_of_week":[6]"#, .matches,
            zone: "Asia/Kathmandu"),
        // The hour that Berlin skips on 29 March: 01:30 UTC is 03:30, and nothing is 02:30.
        conditions(
            #""time_of_day":{"start":"02:00","end":"02:59"}"#,
            on: #""timestamp":"2026-03-29T01:30:00Z""#, .fails(.hours), zone: "Europe/Berlin"),
        conditions(
            #""time_of_day":{"start":"03:00","end":"03:59"}"#,
            on: #""timestamp":"2026-03-29T01:30:00Z""#, .matches, zone: "Europe/Berlin"),
        // The hour that Berlin repeats on 25 October: both 00:30 and 01:30 UTC are 02:30.
        conditions(
            #""time_of_day":{"start":"02:00","end":"02:59"}"#,
            on: #""timestamp":"2026-10-25T00:30:00Z""#, .matches, zone: "Europe/Berlin"),
        conditions(
            #""time_of_day":{"start":"02:00","end":"02:59"}"#,
            on: #""timestamp":"2026-10-25T01:30:00Z""#, .matches, zone: "Europe/Berlin"),
        conditions(
            #""time_of_day":{"start":"02:00","end":"02:59"}"#,
            on: #""timestamp":"2026-10-25T02:30:00Z""#, .fails(.hours), zone: "Europe/Berlin"),
    ]
}

@Suite("RuleVerdict")
struct RuleVerdictTests {
    private func view(_ text: String) throws -> JSONView { try JSONView.parse(Array(text.utf8)) }

    private func verdict(_ row: VerdictRow) throws -> RuleVerdict {
        // Of several members with a name the last one counts.
        let rule = try #require(AlertRule(try view(#"{"id":"r",\#(row.conditions)}"#)))
        let event = try #require(
            Event(
                try view(
                    #"{"id":"e","camera_id":"c1","timestamp":"2026-11-20T23:32:59.9Z","#
                        + #""objects_detected":["person"],"confidence":80,"entity_id":null,"#
                        + #""smart_detection_type":null,"delivery_carrier":null"#
                        + (row.event.isEmpty ? "}" : ",\(row.event)}"))))
        let zone = try #require(LocalZone.rules(named: row.zone, environment: [:]))
        return rule.conditions.verdict(on: event, in: zone)
    }

    @Test("conditions on what an event shows", arguments: VerdictTable.plain)
    func plain(row: VerdictRow) throws { #expect(try verdict(row) == row.verdict) }

    @Test("conditions on who was recognised", arguments: VerdictTable.entities)
    func entities(row: VerdictRow) throws { #expect(try verdict(row) == row.verdict) }

    @Test("times of day and weekdays are those of the zone", arguments: VerdictTable.times)
    func times(row: VerdictRow) throws { #expect(try verdict(row) == row.verdict) }

    @Test("a server that lists no entities leaves rules about them undecided")
    func withoutEntities() throws {
        let event = try #require(Event(try view(#"{"id":"e","confidence":80}"#)))
        for mode in ["unknown", "specific"] {
            let rule = try #require(
                AlertRule(
                    try view(#"{"id":"r","entity_match_mode":"\#(mode)","entity_id":"e1"}"#)))
            #expect(
                rule.conditions.verdict(on: event, in: .utc) == .undecided("entity_match_mode"))
        }
    }

    @Test("huge lists are applied")
    func hugeLists() throws {
        let ids = (0..<100_000).map { #""c\#($0)""# }.joined(separator: ",")
        let row = VerdictTable.conditions(
            #""cameras":[\#(ids)]"#, on: #""camera_id":"c99999""#, .matches)
        #expect(try verdict(row) == .matches)
    }
}
