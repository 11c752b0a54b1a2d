package import ArgusCore

/// Enabled alert rules, and the zone of their times of day.
package struct RuleSet: Sendable, Equatable {
    package var rules: [AlertRule]
    package var zone: TimeZoneRules
    /// The ids of all that were chosen, enabled or not.
    var ids: Set<String>

    /// Makes the set of all rules among `known` that are enabled.
    package init(_ known: [AlertRule], in zone: TimeZoneRules) {
        self.init(known, of: Set(known.map(\.id)), in: zone)
    }

    /// Makes the set of the rules among `known` that are enabled and chosen.
    /// - Throws: `FilterError`.
    package init(_ known: [AlertRule], _ choice: RuleChoice) throws(FilterError) {
        self.init(known, of: try choice.ids(among: known), in: choice.zone)
    }

    init(_ known: [AlertRule], of ids: Set<String>, in zone: TimeZoneRules) {
        (self.ids, self.zone) = (ids, zone)
        rules = known.filter { $0.isEnabled && ids.contains($0.id) }
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

    /// The ids of the rules that are chosen of all those of a server.
    /// - Throws: `FilterError`.
    func ids(among known: [AlertRule]) throws(FilterError) -> Set<String> {
        var ids: Set<String> = []
        for name in NameLookup.entries(of: names, among: known.map(\.name)) {
            if name == Self.all {
                ids.formUnion(known.map(\.id))
                continue
            }
            let found = NameLookup.find(name, in: known, id: \.id, name: \.name)
            guard let rule = found.only else { throw .ruleName(name, found, among: known) }
            ids.insert(rule.id)
        }
        return ids
    }
}
