package import ArgusCore
import ArgusTransport

/// A choice of events; every condition that is set must hold.
package struct EventFilter: Sendable, Equatable {
    /// Ids of cameras; empty means all.
    package var cameraIDs: [String] = []
    /// Types of which one must match; empty means all.
    package var types: [String] = []
    /// The first instant that counts, inclusive.
    package var since: Timestamp?
    /// The last instant that counts, inclusive.
    package var until: Timestamp?
    /// Words to find in the description; see `EventSearch`.
    package var search: String?
    /// Percent, 0–100.
    package var minConfidence: Int?
    package var alertsOnly = false
    package var source: String?
    /// The recognised people and vehicles; nil for any or none.
    package var entities: EntityCondition?
    /// The alert rules of which one must match; nil for no such condition.
    package var rules: RuleSet?

    package init() {}

    /// The types that servers are known to use; a list may show others.
    package static let knownTypes = [
        "person", "vehicle", "package", "animal", "motion", "ring", "face", "licensePlate",
        "manual_trigger", "unknown",
    ]

    /// The known type for another word, such as `people`; nil if it is no such word.
    package static func type(meantBy word: String) -> String? {
        switch word.lowercased() {
        case "people", "human", "humans": "person"
        case "car", "cars", "truck": "vehicle"
        case "parcel", "parcels", "delivery": "package"
        case "pet", "pets", "cat", "dog": "animal"
        case "doorbell": "ring"
        default: nil
        }
    }

    /// True if no server applies one of the conditions, so that argus drops rows itself.
    package var needsLocalMatching: Bool {
        !types.isEmpty || cameraIDs.count > 1 || entities != nil || rules != nil
            || (search != nil && searchPhrase == nil)
    }

    /// Reports the conditions, other than search and times, that the server leaves to argus.
    func notifyOfConditions(besides known: [EventCondition], _ notify: (EventNotice) -> Void) {
        let left = conditions(besides: known)
        if !left.isEmpty { notify(.filtersHere(left)) }
    }

    /// The conditions, other than search and times, that a server with `known` ones leaves to argus.
    func conditions(besides known: [EventCondition]) -> [EventCondition] {
        let given: [(condition: EventCondition, isSet: Bool)] = [
            (.type, !types.isEmpty), (.camera, cameraIDs.count == 1),
            (.cameras, cameraIDs.count > 1), (.confidence, minConfidence != nil),
            (.alerts, alertsOnly), (.source, source != nil), (.entity, entities != nil),
            (.rule, rules != nil),
        ]
        return given.filter { $0.isSet && !known.contains($0.condition) }.map { $0.condition }
    }

    /// The search as today's server understands it; nil where it cannot.
    package var searchPhrase: String? { search.flatMap { EventSearch($0).phrase } }

    /// Returns true for an event that fulfils all conditions but the search, which is one of words.
    package func matches(_ event: Event) -> Bool {
        if !cameraIDs.isEmpty, !cameraIDs.contains(event.cameraID ?? "") { return false }
        if !types.isEmpty, !types.contains(where: event.isOfType) { return false }
        if let minConfidence, event.confidence.map({ $0 < minConfidence }) ?? true { return false }
        if alertsOnly, event.alertTriggered != true { return false }
        if let source, event.source?.lowercased() != source { return false }
        if let entities, !entities.matches(event) { return false }
        if let rules, rules.matching(event).isEmpty { return false }
        guard let timestamp = event.timestamp else { return since == nil && until == nil }
        if let since, timestamp < since { return false }
        if let until, timestamp > until { return false }
        return true
    }
}

/// A condition on the recognised person or vehicle of an event.
package struct EntityCondition: Sendable, Equatable {
    /// True if events in which nobody was recognised match.
    package var includesNone = false
    /// The ids of those of whom one must be recognised.
    package var ids: Set<String> = []

    package init() {}

    /// Returns false for an event of which it is unknown.
    func matches(_ event: Event) -> Bool {
        guard let hasEntity = event.hasEntity else { return false }
        return hasEntity ? event.entityID.map(ids.contains) ?? false : includesNone
    }
}

/// A condition on events, as notices name it.
package enum EventCondition: String, Sendable {
    case type, camera, cameras, confidence, alerts, source, entity, rule
}

/// A notice of a listing of events: a task that argus does itself, or a gap in the data.
package enum EventNotice: Hashable, Sendable, CustomStringConvertible {
    case matchesHere
    /// Conditions by which the server does not filter are applied by argus.
    case filtersHere([EventCondition])
    /// Objects are not listed, so that an event is known by its main detection alone.
    case knowsMainDetection
    /// Pages begin at a number instead of a time.
    case countsPages
    /// The export is assembled from pages.
    case readsPages

    package var description: String {
        switch self {
        case .matchesHere:
            return "the server cannot search for this; argus searches the descriptions itself"
        case .filtersHere(let conditions):
            let names = conditions.map(\.rawValue)
            let first = names.dropLast().joined(separator: ", ")
            let words = [first, names.last ?? ""].filter { !$0.isEmpty }.joined(separator: " and ")
            return "the server does not filter by \(words); argus does"
        case .knowsMainDetection:
            return """
                the server lists only the main detection of each event; events in which the type \
                was seen beside another are missing
                """
        case .countsPages:
            return "the server ignores end_time; argus pages by number instead"
        case .readsPages:
            return "the server has no export; argus reads its pages instead"
        }
    }
}

/// Drops the rows that do not match a filter, and checks that rows have the fields that it needs.
struct EventMatcher {
    let filter: EventFilter
    /// The fields that no row had so far, though the rows of another page may have them.
    private var missing = Self.fields

    init(_ filter: EventFilter) { self.filter = filter }

    /// A field that servers may leave out; its name completes the sentence of status 14.
    private struct Field: Sendable {
        let name: String
        let isNeeded: @Sendable (EventFilter) -> Bool
        let isIn: @Sendable (Event) -> Bool
    }

    // Motion is the absence of objects, which a list without them shows of every event.
    private static let motion = "the type motion"
    private static let fields = [
        Field(name: "alert flags", isNeeded: \.alertsOnly, isIn: { $0.alertTriggered != nil }),
        Field(name: "sources", isNeeded: { $0.source != nil }, isIn: { $0.source != nil }),
        Field(
            name: "confidences", isNeeded: { $0.minConfidence != nil },
            isIn: { $0.confidence != nil }),
        Field(
            name: "recognised people and vehicles", isNeeded: { $0.entities != nil },
            isIn: { $0.hasEntity != nil }),
        Field(
            name: "the type ring", isNeeded: { $0.types.contains("ring") },
            isIn: { $0.isDoorbellRing != nil }),
        Field(
            name: motion, isNeeded: { $0.types.contains("motion") }, isIn: { $0.objects != nil }),
    ]

    /// Returns the rows that match; the descriptions are searched unless the server did it.
    /// - Throws: `APIError`; `.unsupported` when no row has a field that the filter needs.
    mutating func matching(
        _ rows: [EventRow], isSearched: Bool, notify: (EventNotice) -> Void
    ) throws(APIError) -> [EventRow] {
        guard filter != EventFilter() else { return rows }
        let search = isSearched ? nil : filter.search.map(EventSearch.init)
        var matching: [EventRow] = []
        for row in rows {
            let event = row.event
            missing.removeAll { $0.isIn(event) }
            guard filter.matches(event), search?.matches(event.description ?? "") ?? true else {
                continue
            }
            matching.append(row.keeping(event))
        }
        if !rows.isEmpty {
            if let field = missing.first(where: { $0.isNeeded(filter) }) {
                throw APIError(.unsupported("\(field.name) in its list of events"))
            }
            // The other types in a list without objects are right, and not all.
            if filter.types.contains(where: { $0 != "ring" }),
                missing.contains(where: { $0.name == Self.motion })
            {
                notify(.knowsMainDetection)
            }
        }
        if search != nil { notify(.matchesHere) }
        return matching
    }
}
