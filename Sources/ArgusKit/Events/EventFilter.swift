/// Which events are wanted; every condition that is set must hold.
package struct EventFilter: Sendable, Equatable {
    /// Ids of cameras; empty means all.
    package var cameraIDs: [String] = []
    /// Types of which one must match; empty means all.
    package var types: [String] = []
    /// The first instant that counts, inclusive.
    package var since: Timestamp?
    /// The last instant that counts, inclusive.
    package var until: Timestamp?
    /// Words looked for in the description; see `EventSearch`.
    package var search: String?
    /// Percent, 0–100.
    package var minConfidence: Int?
    package var alertsOnly = false
    package var source: String?

    package init() {}

    /// Whether some condition is one that no server can be asked for, so that rows are dropped here.
    package var needsLocalMatching: Bool {
        !types.isEmpty || cameraIDs.count > 1 || (search != nil && searchPhrase == nil)
    }

    /// Tells the conditions that are left to this side where a server filters by those it knows.
    ///
    /// A search is told by itself, and so are times, where a server ignores them.
    func notifyOfConditions(besides known: [EventCondition], _ notify: (EventNotice) -> Void) {
        let given: [(condition: EventCondition, isSet: Bool)] = [
            (.type, !types.isEmpty), (.camera, cameraIDs.count == 1),
            (.cameras, cameraIDs.count > 1), (.confidence, minConfidence != nil),
            (.alerts, alertsOnly), (.source, source != nil),
        ]
        let left = given.filter { $0.isSet && !known.contains($0.condition) }.map { $0.condition }
        if !left.isEmpty { notify(.filtersHere(left)) }
    }

    /// The search as today's server understands it; nil where it cannot.
    var searchPhrase: String? { search.flatMap { EventSearch($0).phrase } }

    /// Whether an event fulfils everything except the search, which servers judge by words.
    package func matches(_ event: Event) -> Bool {
        if !cameraIDs.isEmpty, !cameraIDs.contains(event.cameraID ?? "") { return false }
        if !types.isEmpty, !types.contains(where: event.isOfType) { return false }
        if let minConfidence, event.confidence.map({ $0 < minConfidence }) ?? true { return false }
        if alertsOnly, event.alertTriggered != true { return false }
        if let source, event.source?.lowercased() != source { return false }
        guard let timestamp = event.timestamp else { return since == nil && until == nil }
        if let since, timestamp < since { return false }
        if let until, timestamp > until { return false }
        return true
    }
}

/// A condition on events, as notices name it.
package enum EventCondition: String, Sendable {
    case type, camera, cameras, confidence, alerts, source
}
