/// Walks a server's events from the newest to the oldest, a page at a time.
///
/// Each page begins where the last ended in time, not in number: events that arrive or vanish
/// meanwhile neither repeat a row nor hide one (backend-facts 5.1). The next page is on its way
/// while the caller works on this one. Memory does not grow with the list. One task at a time.
package final class EventPager {
    /// How far the walk has come.
    private struct Position {
        var query: EventQuery
        /// Ids already handed out that the next page may hold again.
        var seen: Set<String> = []
        /// Rows passed since the newest one.
        var walked = 0
        /// Set when the server ignores the cursor in time, so that only numbers are left.
        var countsRows = false
    }

    private typealias Fetched = Result<EventPage, APIError>

    private let session: Session
    private let filter: EventFilter
    private let tell: @Sendable (String) -> Void
    private var position: Position?
    private var ahead: Task<Fetched, Never>?
    private var remaining: Int?
    private var hasToldOfSearch = false
    /// Rows that could not be read as events, so far.
    package private(set) var unreadableRows = 0

    /// Prepares a walk that ends after so many events (nil: all); nothing is asked yet.
    ///
    /// `tell` hears in a sentence when the server leaves work to this side.
    package init(
        session: Session, filter: EventFilter, wanted: Int?,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.session = session
        self.filter = filter
        self.tell = tell
        remaining = wanted
        let pageSize = filter.needsLocalMatching ? 500 : min(wanted ?? 500, 500)
        position = Position(query: EventQuery(filter: filter, limit: pageSize))
    }

    deinit {
        ahead?.cancel()
    }

    /// The next events that match, newest first; nil at the end.
    ///
    /// A batch may be empty.
    /// - Throws: `APIError`.
    package func next() async throws(APIError) -> [EventRow]? {
        guard let asked = position, remaining != 0 else { return nil }
        let fetched: Fetched
        if let ahead {
            fetched = await ahead.value
        } else {
            fetched = await EventSearch.page(asked.query, isFirst: true, session)
        }
        ahead = nil
        let page = try fetched.get()
        let rows = page.rows.compactMap(EventRow.init)
        guard !ignoresCursor(rows, asked) else {
            tell("the server ignores end_time; its pages are counted instead")
            position = counting(from: asked.walked, after: asked)
            fetchAhead()
            return []
        }
        unreadableRows += page.rows.count - rows.count
        let fresh = rows.filter { !asked.seen.contains($0.id) }
        position = following(page, rows, fresh, after: asked)
        let matching = try matching(fresh, page)
        let batch = Array(matching.prefix(remaining ?? matching.count))
        if let remaining { self.remaining = remaining - batch.count }
        fetchAhead()
        return batch
    }

    private func fetchAhead() {
        guard let query = position?.query, remaining != 0 else { return }
        ahead = Task { [session] in await EventSearch.page(query, isFirst: false, session) }
    }

    /// Where the page after this one begins; nil when this one was the last.
    private func following(
        _ page: EventPage, _ rows: [EventRow], _ fresh: [EventRow], after asked: Position
    ) -> Position? {
        // Without a new row, a server that ignores the offset too would be asked for ever.
        guard !rows.isEmpty, !fresh.isEmpty || asked.query.offset == 0 else { return nil }
        let isMatchedHere = filter.search != nil && !page.isSearched
        let size = isMatchedHere ? page.largestPage : min(asked.query.limit, page.largestPage)
        guard page.hasMore ?? (page.rows.count >= size) else { return nil }
        var next = asked
        next.query.limit = size
        next.query.searchesOnServer = asked.query.searchesOnServer && page.isSearched
        next.walked += page.rows.count - (rows.count - fresh.count)
        next.seen = Set(rows.map(\.id))
        let oldest = rows.last?.timestamp
        if let since = filter.since, let oldest, oldest < since { return nil }
        if asked.countsRows {
            return counting(from: asked.query.offset + page.rows.count, after: next)
        }
        guard let oldest else { return counting(from: next.walked, after: next) }
        // A microsecond more than the last row, because `before` may or may not mean inclusive.
        let cursor = Timestamp(microseconds: oldest.microseconds + 1)
        if cursor == asked.query.until {
            // A whole page of one instant: only counting leads past it.
            next.query.offset = asked.query.offset + page.rows.count
            next.seen.formUnion(asked.seen)
        } else {
            next.query.until = cursor
            next.query.offset = 0
        }
        return next
    }

    /// The page that begins so many rows after the newest one.
    private func counting(from offset: Int, after position: Position) -> Position {
        var next = position
        next.countsRows = true
        next.query.until = filter.until
        next.query.offset = offset
        return next
    }

    private func ignoresCursor(_ rows: [EventRow], _ asked: Position) -> Bool {
        guard !asked.countsRows, let until = asked.query.until, until != filter.until,
            let newest = rows.lazy.compactMap(\.timestamp).first
        else { return false }
        return newest > until
    }

    private func matching(
        _ rows: [EventRow], _ page: EventPage
    ) throws(APIError) -> [EventRow] {
        if filter.alertsOnly, !rows.isEmpty, rows.allSatisfy({ $0.event.alertTriggered == nil }) {
            throw APIError(.unsupported("alert flags in its list of events"))
        }
        if filter.source != nil, !rows.isEmpty, rows.allSatisfy({ $0.event.source == nil }) {
            throw APIError(.unsupported("sources in its list of events"))
        }
        guard filter != EventFilter() else { return rows }
        let rows = rows.map { $0.read() }.filter { filter.matches($0.event) }
        guard let text = filter.search, !page.isSearched else { return rows }
        if !hasToldOfSearch {
            tell("the server does not search for this; descriptions are matched here")
            hasToldOfSearch = true
        }
        let search = EventSearch(text)
        return rows.filter { search.matches($0.event.description ?? "") }
    }
}
