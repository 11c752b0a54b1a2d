/// A range of capture times that a listing reads by itself, since the server fails for a longer one.
struct EventRange: Sendable, Equatable {
    /// The shortest range that is halved: what is left is named as the instant of a row.
    private static let shortest = Duration.milliseconds(1)

    /// The first and the last instant, inclusive; nil where the range has no end.
    var since: Timestamp?
    var until: Timestamp?
    /// The server failed for a longer range, and not for the rest of it.
    var isFailing = false

    /// Its two halves, from 1970 to `beyond` where it has no end; nil for an instant.
    var halves: (older: EventRange, newer: EventRange)? {
        let first = since ?? Timestamp(microseconds: 0)
        let last = until ?? .beyond
        guard last - first > Self.shortest else { return nil }
        let middle = Timestamp(microseconds: first.microseconds / 2 + last.microseconds / 2)
        return (
            EventRange(since: since, until: middle), EventRange(since: middle.after, until: until)
        )
    }

    /// The range as one that cannot be read.
    var gap: FeedGap { FeedGap(reason: .unreadable, from: since, until: until ?? .beyond) }
}

extension EventQuery {
    /// A request that lists nothing, and shows whether the server lists anything.
    static var ofNothing: EventQuery {
        var query = EventQuery(filter: EventFilter(), limit: 1)
        (query.since, query.until) = (.beyond, .beyond)
        return query
    }
}

extension Timestamp {
    /// The beginning of 2100, after every event.
    fileprivate static let beyond = Timestamp(seconds: 4_102_444_800)
}
