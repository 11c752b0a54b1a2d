import ArgusCore

/// A range of capture times that a listing reads by itself, since the server fails for a longer one.
struct EventRange: Sendable, Equatable {
    /// The shortest range that is halved: what is left is named as the instant of a row.
    fileprivate static let shortest = Duration.milliseconds(1)

    /// The first and the last instant, inclusive; nil where the range has no end.
    var since: Timestamp?
    var until: Timestamp?

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
    var gap: EventGap { EventGap(reason: .unreadable, from: since, until: until ?? .beyond) }
}

extension EventQuery {
    /// A request that lists nothing, and shows whether the server lists anything.
    static var ofNothing: EventQuery { EventQuery(filter: EventFilter(), limit: 1).emptied }

    /// The same request, but for a time that has no events.
    var emptied: EventQuery {
        var query = self
        (query.since, query.until, query.limit) = (.beyond, .beyond, 1)
        return query
    }
}

extension EventGap {
    /// True for what a listing leaves out for a single row.
    package var isInstant: Bool { from.map { until - $0 <= EventRange.shortest } ?? false }

    /// True if no end of the range is known.
    var isOpenEnded: Bool { until >= .beyond }
}

extension Timestamp {
    /// The beginning of 2100, after every event.
    fileprivate static let beyond = Timestamp(seconds: 4_102_444_800)
}
