package import ArgusCore

/// Enabled alert rules, and the zone of their times of day.
package struct RuleSet: Sendable, Equatable {
    package var rules: [AlertRule]
    package var zone: TimeZoneRules

    package init(_ rules: [AlertRule], in zone: TimeZoneRules) {
        (self.rules, self.zone) = (rules, zone)
    }

    /// The rules that match an event, in the order of the server.
    package func matching(_ event: Event) -> [AlertRule] {
        rules.filter { $0.conditions.verdict(on: event, in: zone) == .matches }
    }
}

/// A choice of rules as a user writes it.
package struct RuleChoice: Sendable, Equatable {
    /// The word for all enabled rules.
    package static let all = "all"

    /// Names of rules, their ids, starts of ids, or `all`.
    package var names: [String]
    package var zone: TimeZoneRules

    package init(_ names: [String], in zone: TimeZoneRules) {
        (self.names, self.zone) = (names, zone)
    }
}
