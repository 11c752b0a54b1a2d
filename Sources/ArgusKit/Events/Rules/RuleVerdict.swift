package import ArgusCore

/// A condition of rules; the raw value is its name in the server's JSON.
package enum RuleCondition: String, Sendable, CaseIterable {
    // In the order in which the server applies them.
    case objectTypes = "object_types"
    case cameras
    case hours = "time_of_day"
    case days = "days_of_week"
    case minConfidence = "min_confidence"
    case entity = "entity_match_mode"
    case ruleType = "rule_type"
    case carriers
}

/// The result of applying the conditions of a rule to an event.
package enum RuleVerdict: Sendable, Equatable {
    case matches
    /// The first condition that does not hold.
    case fails(RuleCondition)
    /// All conditions that argus can apply hold, but not this one can be applied; such an event does
    /// not match.
    case undecided(String)
}

extension RuleConditions {
    /// Applies the conditions to an event, with times of day and weekdays in a zone.
    ///
    /// As the server does with UTC (`AlertEngine.evaluate_rule`), except for a condition that is unknown
    /// or malformed: the server takes it for fulfilled.
    package func verdict(on event: Event, in zone: TimeZoneRules) -> RuleVerdict {
        if let failed = RuleCondition.allCases.first(where: { !holds($0, for: event, in: zone) }) {
            return .fails(failed)
        }
        if let name = unsupported.first { return .undecided(name) }
        if entity != .any, event.hasEntity == nil {
            return .undecided(RuleCondition.entity.rawValue)
        }
        return .matches
    }

    private func holds(
        _ condition: RuleCondition, for event: Event, in zone: TimeZoneRules
    ) -> Bool {
        switch condition {
        case .objectTypes:
            return objectTypes.isEmpty
                || (event.objects ?? []).contains(where: objectTypes.contains)
        case .cameras: return cameras.isEmpty || event.cameraID.map(cameras.contains) ?? false
        case .hours:
            guard let hours else { return true }
            return event.timestamp.map { hours.containsAsRule(zone.fields(of: $0)) } ?? false
        case .days:
            return days.isEmpty
                || event.timestamp.map { days.contains(zone.fields(of: $0).date.isoWeekday) }
                    ?? false
        case .minConfidence:
            guard let minConfidence else { return true }
            return event.confidence.map { $0 >= minConfidence } ?? false
        case .entity:
            // An event of which nothing is known fails no condition.
            guard let hasEntity = event.hasEntity else { return true }
            return switch entity {
            case .any: true
            case .unknown: !hasEntity
            case .specific(let id, _): event.entityID == id
            }
        case .ruleType:
            return !isPackageDelivery
                || event.smartDetectionType == "package" && event.carrier?.isEmpty == false
        case .carriers:
            guard !carriers.isEmpty else { return true }
            guard let carrier = event.carrier?.lowercased() else { return false }
            return carriers.contains { $0.lowercased() == carrier }
        }
    }
}

extension CivilDate {
    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var isoWeekday: Int { weekday == 0 ? 7 : weekday }
}
