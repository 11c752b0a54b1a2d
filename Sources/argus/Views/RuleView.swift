import ArgusCore
import ArgusEvents

/// An alert rule with the names of its cameras, and what is wrong with it.
struct RuleRow: Sendable {
    var rule: AlertRule
    /// Names, or ids of cameras that are gone.
    var cameras: [String] = []
    var problems: [String] = []
}

/// The canonical fields of alert rules (docs/scripting.md, "Fields").
enum RuleView {
    static let fields: [Field<RuleRow>] = [
        .column("id", "the rule's id") { $0.rule.id }.shortened,
        .column("name", "its name") { $0.rule.name }.shrinking(2).asHeadline,
        .column("enabled", "whether it is in use") { $0.rule.isEnabled }
            .dimmingRows(with: .bool(false)),
        .column("matches", "its conditions in words") { sentence($0) }.shrinking(1, to: 16),
        .hidden("types", "types of objects; empty for any") { $0.rule.conditions.objectTypes },
        .hidden("cameras", "names of cameras; empty for any") { $0.cameras },
        .hidden("camera_ids", "their ids") { $0.rule.conditions.cameras },
        .hidden("between", "the time of day, HH:MM-HH:MM; null for any") {
            $0.rule.conditions.hours?.text
        },
        .hidden("days", "days of the week, mon to sun; empty for any") {
            $0.rule.conditions.days.map(DayList.name)
        },
        .hidden("min_confidence", "the least confidence, in percent") {
            $0.rule.conditions.minConfidence
        },
        .hidden("entity", "the id of a recognised person or vehicle, or none for strangers") {
            row -> String? in
            switch row.rule.conditions.entity {
            case .any: nil
            case .unknown: "none"
            case .specific(let id, _): id
            }
        },
        .hidden("entity_name", "its name") { row -> String? in
            if case .specific(_, let name) = row.rule.conditions.entity { name } else { nil }
        },
        .hidden("package_delivery", "whether it needs a package with a known carrier") {
            $0.rule.conditions.isPackageDelivery
        },
        .hidden("carriers", "carriers of packages; empty for any") { $0.rule.conditions.carriers },
        .column("cooldown_minutes", "the shortest time between two alarms, in minutes") {
            $0.rule.cooldownMinutes
        }.headed("cooldown", label: "cooldown minutes"),
        .hidden("dashboard", "whether the server's dashboard shows its alarms") {
            $0.rule.actions.notifiesDashboard
        },
        .column("webhook", "where its alarms are posted") {
            $0.rule.actions.webhook.map { WebhookAddress.withoutUser($0.url) }
        }.shrinking(0),
        .hidden("webhook_headers", "the names of the header fields; the values are secret") {
            $0.rule.actions.webhook?.headers.map(\.name)
        },
        .hidden("last_triggered_at", "when the server last raised an alarm") {
            $0.rule.lastTriggeredAt
        },
        .hidden("trigger_count", "how many alarms the server has raised") { $0.rule.triggerCount },
        .hidden("created_at", "when it was created") { $0.rule.createdAt },
        .hidden("updated_at", "when it was last changed") { $0.rule.updatedAt },
        .column("problems", "what is wrong with it") { $0.problems }
            .colored { $0 == .list([]) ? nil : .yellow }.shrinking(0, to: 12),
    ]

    static let detailFields: [Field<RuleRow>] = fields.reading(asColumns: true) { $0 }

    /// The conditions in words: `person on Front Door, 22:00-06:00, mon-fri, 80 %`.
    static func sentence(_ row: RuleRow) -> String {
        let conditions = row.rule.conditions
        var what = conditions.objectTypes.joined(separator: " or ")
        if conditions.isPackageDelivery || !conditions.carriers.isEmpty {
            let carriers = conditions.carriers.joined(separator: " or ")
            what += (what.isEmpty ? "" : " and ") + "delivery"
            if !carriers.isEmpty { what += " by \(carriers)" }
        }
        if what.isEmpty { what = "anything" }
        if !row.cameras.isEmpty { what += " on \(row.cameras.joined(separator: " or "))" }
        var words = [what]
        switch conditions.entity {
        case .any: break
        case .unknown: words.append("strangers only")
        case .specific(let id, let name): words.append("only \(name ?? id)")
        }
        if let hours = conditions.hours { words.append(hours.text) }
        if !conditions.days.isEmpty { words.append(DayList.text(of: conditions.days)) }
        if let percent = conditions.minConfidence, percent > 0 { words.append("\(percent) %") }
        return words.joined(separator: ", ")
    }
}
