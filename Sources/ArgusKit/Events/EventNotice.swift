/// What a walk through events leaves to this side, which takes longer.
package enum EventNotice: String, Sendable, CustomStringConvertible {
    /// Descriptions are matched by argus.
    case matchesHere = "the server does not search for this; descriptions are matched here"
    /// Pages begin at a number instead of a time.
    case countsPages = "the server ignores end_time; its pages are counted instead"
    /// An export is put together from pages.
    case readsPages = "the server gives no export of its own; its pages are read"

    /// The sentence itself.
    package var description: String { rawValue }
}
