import NIOCore

/// A page of an event list.
struct EventPage {
    /// The number of matching events.
    var total: Int
    /// The rows of this page in the requested order.
    var rows: [Event]

    /// Selects the page after `offset` matching events, newest first unless `isAscending`.
    init(
        of store: EventStore, _ filter: EventFilter, offset: Int, limit: Int,
        isAscending: Bool = false
    ) {
        if filter.isTimeOnly {
            let range = store.indices(from: filter.start, through: filter.end)
            total = range.count
            rows = EventPage.places(total, offset, limit, isAscending).map { place in
                store.rows[range.lowerBound + place]
            }
        } else {
            let matches = filter.matches(in: store)
            total = matches.count
            rows = EventPage.places(total, offset, limit, isAscending).map { place in
                store.rows[matches[place]]
            }
        }
    }

    /// True if there are events after a page that begins at `offset`.
    func hasMore(after offset: Int) -> Bool { offset + rows.count < total && !rows.isEmpty }

    private static func places(
        _ total: Int, _ offset: Int, _ limit: Int, _ isAscending: Bool
    ) -> [Int] {
        guard offset < total else { return [] }
        let places = offset..<min(total, offset + limit)
        return isAscending ? Array(places) : places.map { total - 1 - $0 }
    }
}
