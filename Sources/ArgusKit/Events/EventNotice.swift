/// What a walk through events leaves to this side, which takes longer.
package enum EventNotice: String, Sendable, CustomStringConvertible {
    case matchesHere = "the server does not search for this; descriptions are matched here"
    case countsPages = "the server ignores end_time; its pages are counted instead"
    case readsPages = "the server gives no export of its own; its pages are read"

    package var description: String { rawValue }
}
