/// What a walk through events leaves to this side, or what it cannot know.
package enum EventNotice: Hashable, Sendable, CustomStringConvertible {
    /// Descriptions are matched by argus.
    case matchesHere
    /// Conditions by which the server does not filter are applied by argus.
    case filtersHere([EventCondition])
    /// Objects are not listed, so that an event is known by its main detection alone.
    case knowsMainDetection
    /// Pages begin at a number instead of a time.
    case countsPages
    /// An export is put together from pages.
    case readsPages

    /// The sentence itself.
    package var description: String {
        switch self {
        case .matchesHere:
            return "the server does not search for this; descriptions are matched here"
        case .filtersHere(let conditions):
            let names = conditions.map(\.rawValue)
            let first = names.dropLast().joined(separator: ", ")
            let words = [first, names.last ?? ""].filter { !$0.isEmpty }.joined(separator: " and ")
            return "events are filtered by \(words) here, not by the server"
        case .knowsMainDetection:
            return """
                the server lists only the main detection of each event; events in which the type \
                was seen beside another are missing
                """
        case .countsPages:
            return "the server ignores end_time; its pages are counted instead"
        case .readsPages:
            return "the server gives no export of its own; its pages are read"
        }
    }
}
