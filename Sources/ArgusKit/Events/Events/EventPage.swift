package import ArgusCore

/// A request for one page of events.
package struct EventQuery: Sendable {
    package var filter = EventFilter()
    /// Rows wanted, at least 1; a route asks for no more than its server gives.
    package var limit: Int
    /// The order of the rows; servers without the choice send the newest first.
    package var order = EventOrder.newestFirst
    /// The oldest instant of the page, inclusive; replaces the filter's `since`.
    package var since: Timestamp?
    /// The newest instant of the page, inclusive; replaces the filter's `until`.
    package var until: Timestamp?
    /// The smart detection type of the events; servers ignore one that they do not know.
    var type: String?
    /// Rows to leave out before the page.
    package var offset = 0
    /// Lets the server search if it can.
    package var searchesOnServer: Bool

    package init(filter: EventFilter, limit: Int) {
        self.filter = filter
        self.limit = limit
        since = filter.since
        until = filter.until
        searchesOnServer = filter.searchPhrase != nil
    }

    /// Adapts to what a page shows of the server; false for the last page.
    mutating func continues(after page: EventPage) -> Bool {
        let isMatchedHere = filter.search != nil && !page.isSearched
        let size = isMatchedHere ? page.largestPage : min(limit, page.largestPage)
        guard page.hasMore ?? (page.rowCount >= size) else { return false }
        limit = size
        searchesOnServer = searchesOnServer && page.isSearched
        return true
    }

    /// Returns true for a time past the last one wanted, in the order of the rows.
    func isPastEnd(_ time: Timestamp?) -> Bool {
        guard let time else { return false }
        return switch order {
        case .newestFirst: filter.since.map { time < $0 } ?? false
        case .oldestFirst: filter.until.map { time > $0 } ?? false
        }
    }
}

/// The order of a listing of events.
package enum EventOrder: Sendable {
    case newestFirst, oldestFirst
}

/// One page of events from a server.
package struct EventPage: Sendable {
    /// The rows that are events, newest first.
    package var rows: [EventRow]
    /// The number of rows that are not events.
    package var unreadableRows: Int
    /// Bytes of the answer, which its rows keep in memory.
    var byteCount: Int
    /// The server reports that more follow; nil when it does not report it.
    package var hasMore: Bool?
    /// The server's maximum page size.
    package var largestPage: Int
    /// The events that match at the server, where it reports their number.
    package var total: Int?
    /// The server counts pages and not rows, so that a page begins at a multiple of its size.
    package var countsPages = false
    /// The conditions by which the server filters when it is asked to.
    package var knownConditions: [EventCondition]
    /// The server searched, so that its rows need no matching here.
    package var isSearched: Bool
    /// The server's clock, from the answer's `Date`.
    var serverTime: Timestamp?

    var rowCount: Int { rows.count + unreadableRows }
}

/// A row of a list of events: id, time, and the server's own object, decoded when it is used.
package struct EventRow: Sendable {
    package let id: String
    package let timestamp: Timestamp?
    /// The event as the server sent it.
    package let view: JSONView
    private var known: Event?

    /// Finds id and time, which are among the first members; nil without an id of a usual length.
    package init?(_ view: JSONView) {
        var id: String?
        var timestamp: Timestamp?
        view.scanMembers { key, value in
            switch key {
            case "id", "event_id": id = value.string
            case "timestamp": timestamp = value.timestamp
            default: break
            }
            return id == nil || timestamp == nil
        }
        guard let id, Self.isUsual(id: id) else { return nil }
        self.id = id
        self.timestamp = timestamp
        self.view = view
    }

    /// Returns true for an id of 1 to 256 bytes, as a listing keeps many; servers make ids of 36.
    static func isUsual(id: String) -> Bool { (1...256).contains(id.utf8.count) }

    /// The whole event.
    package var event: Event {
        // Of several ids in an object the event takes the last one, which may be empty.
        known ?? Event(view) ?? Event(id: id)
    }

    /// Returns the same row with its event at hand.
    package func keeping(_ event: Event) -> EventRow {
        var row = self
        row.known = event
        return row
    }
}

extension [EventRow] {
    /// Returns the same rows; the first `count` are decoded once, however often they are read.
    package func decodingFirst(_ count: Int) -> [EventRow] {
        prefix(count).map { $0.keeping($0.event) } + dropFirst(count)
    }
}
