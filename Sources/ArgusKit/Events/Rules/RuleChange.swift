import ArgusCore

/// The changes of a rule, or the parts of a new one; nil leaves a part as it is.
package struct RuleChange: Sendable, Equatable {
    package var name: String?
    package var isEnabled: Bool?
    /// Empty for any.
    package var objectTypes: [String]?
    /// Ids; empty for any.
    package var cameras: [String]?
    /// An inner nil for any time.
    package var hours: QuietHours??
    /// 1 for Monday to 7 for Sunday; empty for any.
    package var days: [Int]?
    package var minConfidence: Int?
    package var entity: RuleConditions.Entity?
    package var isPackageDelivery: Bool?
    /// Empty for any.
    package var carriers: [String]?
    package var notifiesDashboard: Bool?
    /// An inner nil for no webhook.
    package var webhookURL: String??
    /// All header fields of the webhook.
    package var webhookHeaders: [RuleActions.Header]?
    package var cooldownMinutes: Int?

    package init() {}

    /// The members to send, over the server's own object of the rule (nil for a new one).
    ///
    /// The server replaces conditions and actions as a whole, so that a part of them goes with the others
    /// as they are, also those that argus does not know.
    func body(over rule: JSONView?) -> JSONValue {
        var object = JSONObject()
        object.put("name", name)
        object.put("is_enabled", isEnabled.map(JSONValue.bool))
        object.put("cooldown_minutes", cooldownMinutes.map(Self.number))
        if changesConditions {
            object.put("conditions", conditions(over: Self.members(rule?["conditions"])))
        }
        if changesActions { object.put("actions", actions(over: Self.members(rule?["actions"]))) }
        switch entity {
        case nil: break
        case .any: object.put("entity_match_mode", "any")
        case .unknown: object.put("entity_match_mode", "unknown")
        case .specific(let id, _):
            object.put("entity_match_mode", "specific")
            object.put("entity_id", id)
        }
        return object.value
    }

    private var changesConditions: Bool {
        objectTypes != nil || cameras != nil || hours != nil || days != nil || minConfidence != nil
            || isPackageDelivery != nil || carriers != nil
    }

    private var changesActions: Bool {
        notifiesDashboard != nil || webhookURL != nil || webhookHeaders != nil
    }

    private func conditions(over old: [String: JSONValue]) -> JSONValue {
        var object = JSONObject(old)
        func put(_ condition: RuleCondition, _ value: JSONValue) {
            object.put(condition.rawValue, value)
        }
        if let objectTypes { put(.objectTypes, Self.texts(objectTypes)) }
        if let cameras { put(.cameras, Self.texts(cameras)) }
        if let carriers { put(.carriers, Self.texts(carriers)) }
        if let days { put(.days, .list(days.map(Self.number))) }
        if let minConfidence { put(.minConfidence, Self.number(minConfidence)) }
        if let isPackageDelivery {
            put(.ruleType, .text(isPackageDelivery ? "package_delivery" : "any"))
        }
        if let hours {
            put(
                .hours,
                hours.map {
                    .object([
                        "start": .text($0.start.minuteText), "end": .text($0.end.minuteText),
                    ])
                } ?? .null)
        }
        return object.value
    }

    private func actions(over old: [String: JSONValue]) -> JSONValue {
        var object = JSONObject(old)
        if let notifiesDashboard { object.put("dashboard_notification", .bool(notifiesDashboard)) }
        if case .some(.none) = webhookURL { object.put("webhook", .null) }
        guard webhookURL ?? nil != nil || webhookHeaders != nil else { return object.value }
        var hook = JSONObject(Self.members(old["webhook"]))
        if let url = webhookURL ?? nil {
            // Secrets of one receiver are not for another.
            if case .text(let old)? = hook.rest["url"],
                RuleWebhook.address(old)?.origin != RuleWebhook.address(url)?.origin
            {
                hook.put("headers", .null)
            }
            hook.put("url", url)
        }
        if let webhookHeaders {
            hook.put(
                "headers",
                .object(
                    Dictionary(
                        webhookHeaders.map { ($0.name, .text($0.value.reveal())) },
                        uniquingKeysWith: { $1 })))
        }
        object.put("webhook", hook.value)
        return object.value
    }

    private static func members(_ view: JSONView?) -> [String: JSONValue] {
        members(view.map(JSONValue.init))
    }

    private static func members(_ value: JSONValue?) -> [String: JSONValue] {
        if case .object(let members)? = value { members } else { [:] }
    }

    private static func texts(_ list: [String]) -> JSONValue { .list(list.map(JSONValue.text)) }

    private static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
