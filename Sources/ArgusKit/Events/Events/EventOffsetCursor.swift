/// A place in a list of events that pages by number, for servers that ignore times.
///
/// Pages overlap to show a shift by deleted rows. The memory grows with the list.
package struct EventOffsetCursor: Sendable {
    /// Rows that are read twice, so that a shift shows.
    private static let overlap = 50

    /// The request of the next page.
    package private(set) var query: EventQuery
    package private(set) var isAtEnd = false
    private var seen: Set<String>
    /// The page begins with rows that are known, unless they are gone.
    private var overlaps = false
    /// The page was passed before, and is read again for rows that slipped into it.
    private var isRewound = false

    /// Begins after a page of the same list at a row, counted from 0; `seen` were handed out.
    package init(_ query: EventQuery, from row: Int, seen: Set<String>, after page: EventPage) {
        self.query = query
        self.seen = seen
        self.query.since = query.filter.since
        self.query.until = query.filter.until
        move(to: row, after: page)
    }

    /// Moves past a page.
    /// - Returns: the rows that no earlier page had; nil when more rows have vanished than pages
    ///   overlap, so that an earlier page is read again.
    package mutating func advance(over page: EventPage) -> [EventRow]? {
        let rows = page.rows
        let fresh = rows.filter { !seen.contains($0.id) }
        if overlaps, query.offset > 0, !rows.isEmpty, fresh.count == rows.count {
            query.offset = max(0, query.offset - query.limit)
            isRewound = true
            return nil
        }
        // A server that ignores the offset, too, repeats its pages.
        let isRepeated =
            fresh.isEmpty && query.offset > 0 && !isRewound && page.hasMore != true
        isAtEnd = rows.isEmpty || isRepeated || query.isPastEnd(rows.last?.timestamp)
        guard !isAtEnd, query.continues(after: page) else {
            isAtEnd = true
            return fresh
        }
        isRewound = false
        seen.formUnion(fresh.lazy.map(\.id))
        move(to: query.offset + page.rowCount, after: page)
        return fresh
    }

    private mutating func move(to row: Int, after page: EventPage) {
        // Where the server counts pages, one begins at a multiple of its size only.
        overlaps = !page.countsPages && row > 0
        query.offset = overlaps ? max(0, row - min(Self.overlap, page.rowCount / 2)) : row
    }
}
