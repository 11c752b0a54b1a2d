/// Lists a server's events a page at a time: by time, or by number where a server ignores times.
///
/// The next page is on its way while the caller works on this one. One task at a time.
package final class EventPager: EventCursor {
    private enum Place {
        case time(EventTimeCursor)
        case offset(EventOffsetCursor)
        case end

        var query: EventQuery? {
            switch self {
            case .time(let cursor): cursor.next == .page ? cursor.query : nil
            case .offset(let cursor): cursor.query
            case .end: nil
            }
        }
    }

    private let session: Session
    private let notify: @Sendable (EventNotice) -> Void
    private var place: Place
    private var ahead: Task<FetchedEvents, Never>?
    private var remaining: Int?
    private var matcher: EventMatcher
    package private(set) var unreadableRows = 0
    package private(set) var hasUnreadablePages = false
    package private(set) var total: Int?
    package private(set) var serverTime: Timestamp?
    private var isFirstPage = true

    /// Prepares a listing that begins with a query and ends after `wanted` events (nil: all); no
    /// request is sent yet.
    ///
    /// `notify` is called with each page's conditions that the server leaves to argus.
    init(
        _ session: Session, _ query: EventQuery, wanted: Int?,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) {
        self.session = session
        self.notify = notify
        remaining = wanted
        matcher = EventMatcher(query.filter)
        place = .time(EventTimeCursor(query))
    }

    deinit {
        ahead?.cancel()
    }

    package func next() async throws(APIError) -> [EventRow]? {
        guard remaining != 0 else { return nil }
        if case .time(var cursor) = place, case .instant(let time) = cursor.next {
            let instant = try await EventInstant.read(time, cursor.query, session)
            let fresh = cursor.advance(over: instant)
            place = .time(cursor)
            return try handOut(fresh, isSearched: cursor.query.searchesOnServer)
        }
        guard let query = place.query else { return nil }
        let page: EventPage
        if let fetched = await ahead?.value {
            ahead = nil
            page = try fetched.get()
        } else {
            page = try await EventSearch.page(query, isFirst: true, session)
        }
        serverTime = page.serverTime
        guard let fresh = try advance(over: page) else {
            fetchAhead()
            return []
        }
        unreadableRows += page.unreadableRows
        if page.rows.isEmpty, page.unreadableRows > 0 { hasUnreadablePages = true }
        if isFirstPage {
            isFirstPage = false
            // The server's number counts, unless argus applies a condition itself.
            let isSearchedHere = matcher.filter.search != nil && !page.isSearched
            let isFilteredHere = !matcher.filter.conditions(besides: page.knownConditions).isEmpty
            total = isSearchedHere || isFilteredHere ? nil : page.total
        }
        let batch = try handOut(fresh, isSearched: page.isSearched)
        matcher.filter.notifyOfConditions(besides: page.knownConditions, notify)
        return batch
    }

    /// Moves past a page; nil when its rows come again later.
    private func advance(over page: EventPage) throws(APIError) -> [EventRow]? {
        switch place {
        case .time(var cursor):
            let fresh = cursor.advance(over: page)
            if fresh == nil { notify(.countsPages) }
            switch cursor.next {
            case .page, .instant: place = .time(cursor)
            case .row(let row):
                place = .offset(
                    EventOffsetCursor(
                        cursor.query, from: row, seen: Set(cursor.seen.keys), after: page))
            case .end: place = .end
            }
            return fresh
        case .offset(var cursor):
            let fresh = try cursor.advance(over: page)
            place = cursor.isAtEnd ? .end : .offset(cursor)
            return fresh
        case .end: return []
        }
    }

    private func handOut(_ fresh: [EventRow], isSearched: Bool) throws(APIError) -> [EventRow] {
        // The server works while this page is decoded.
        if remaining == nil { fetchAhead() }
        let matching = try matcher.matching(fresh, isSearched: isSearched, notify: notify)
        guard let remaining else { return matching }
        let batch = Array(matching.prefix(remaining))
        self.remaining = remaining - batch.count
        fetchAhead()
        return batch
    }

    private func fetchAhead() {
        guard let query = place.query, remaining != 0 else { return }
        ahead = Task { [session] () async -> FetchedEvents in
            do throws(APIError) {
                return .success(try await EventSearch.page(query, isFirst: false, session))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// A page or its failure; not a `Result`, since creating that type at run time searches all
/// conformances of the program.
private enum FetchedEvents: Sendable {
    case success(EventPage)
    case failure(APIError)

    func get() throws(APIError) -> EventPage {
        switch self {
        case .success(let page): return page
        case .failure(let error): throw error
        }
    }
}
