import NIOCore

/// A part of a list of events.
struct EventPage {
    /// How many match in all.
    var total: Int
    /// The rows of this page in the order asked for.
    var rows: [Event]

    /// Takes the page after `offset` matching events, newest first unless `isAscending`.
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

    /// Whether there are events after a page that begins at `offset`.
    func hasMore(after offset: Int) -> Bool { offset + rows.count < total && !rows.isEmpty }

    private static func places(
        _ total: Int, _ offset: Int, _ limit: Int, _ isAscending: Bool
    ) -> [Int] {
        guard offset < total else { return [] }
        let places = offset..<min(total, offset + limit)
        return isAscending ? Array(places) : places.map { total - 1 - $0 }
    }
}
