import ArgusCore
import ArgusEvents

/// The reason why a rule matches an event, or does not.
struct RuleExplanation: Sendable {
    var row: RuleRow
    var event: Event
    var verdict: RuleVerdict
    var zone: TimeZoneRules

    static let fields: [Field<RuleExplanation>] = [
        .column("event_id", "the event's id") { $0.event.id }.shortened,
        .column("rule_id", "the rule's id") { $0.row.rule.id }.shortened,
        .column("rule_name", "its name") { $0.row.rule.name }.headed("rule"),
        .column("matches", "whether it matches; null if argus cannot tell") { row -> Bool? in
            switch row.verdict {
            case .matches: true
            case .fails: false
            case .undecided: nil
            }
        },
        .column("condition", "the first condition that fails, or that argus cannot apply") {
            row -> String? in
            switch row.verdict {
            case .matches: nil
            case .fails(let condition): condition.rawValue
            case .undecided(let name): name
            }
        },
        .column("explanation", "the reason in words") { $0.sentence }.shrinking(0, to: 24)
            .continuing,
    ]

    var sentence: String {
        switch verdict {
        case .matches: "the event fulfils all conditions"
        case .undecided(let name):
            "the event fulfils the other conditions, but argus cannot apply \(name)"
        case .fails(let condition): words(condition)
        }
    }

    private func words(_ condition: RuleCondition) -> String {
        let conditions = row.rule.conditions
        switch condition {
        case .objectTypes:
            return compare(conditions.objectTypes, (event.objects ?? []).joined(separator: ", "))
        case .cameras: return compare(row.cameras, event.cameraName ?? event.cameraID ?? "")
        case .hours: return compare([conditions.hours?.text ?? ""], time)
        case .days: return compare([DayList.text(of: conditions.days)], time)
        case .minConfidence:
            return compare(
                ["at least \(conditions.minConfidence ?? 0) %"],
                event.confidence.map { "\($0) %" } ?? "")
        case .entity:
            let found = event.entityName ?? event.entityID ?? ""
            if case .specific(let id, let name) = conditions.entity {
                return compare([name ?? id], found)
            }
            return "the rule is for strangers, and the event shows \(found)"
        case .ruleType:
            let type = event.smartDetectionType ?? ""
            return type == "package"
                ? "the rule is for deliveries, and the carrier is unknown"
                : compare(["a package"], type)
        case .carriers: return compare(conditions.carriers, event.carrier ?? "")
        }
    }

    private var time: String {
        guard let time = event.timestamp else { return "" }
        let day = DayList.name(zone.fields(of: time).date.isoWeekday)
        return "\(day) \(time.displayText(in: zone))"
    }

    private func compare(_ wanted: [String], _ found: String) -> String {
        "the rule wants \(wanted.joined(separator: " or ")), and the event has "
            + (found.isEmpty ? "nothing of it" : found)
    }
}
