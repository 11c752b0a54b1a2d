import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// Lists a server's events a page at a time: by time, or by number where a server ignores times.
///
/// A server that fails for a row is asked for halves of the range, so that one instant is left out.
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

    /// The failures after which a range for which the server fails is not halved any more: those that
    /// find about a dozen rows.
    private static let mostFailures = 500
    /// The failures before the first row after which a listing is given up; one row costs about 45.
    private static let mostFailuresAtFirst = 100
    /// The pages without a new row after which a listing ends; one may overlap the one before.
    private static let mostIdlePages = 2

    private let session: Session
    private let notify: @Sendable (EventNotice) -> Void
    private var place: Place
    private var ahead: Task<Result<EventPage, APIError>, Never>?
    private var remaining: Int?
    private let order: EventOrder
    private var matcher: EventMatcher
    package private(set) var unreadableRows = 0
    package private(set) var hasUnreadablePages = false
    package private(set) var total: Int?
    package private(set) var serverTime: Timestamp?
    private var isFirstPage = true
    private var idlePages = 0
    private var failures = 0
    private var hasReadRow = false
    /// The range that is asked for once more before it is a gap.
    private var failed: EventRange?
    /// The ranges that follow the one that is read, the next one last.
    private var ranges: [EventRange] = []
    private var unreadable: [EventGap] = []

    package var gaps: [EventGap] { unreadable.coalesced }

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
        order = query.order
        matcher = EventMatcher(query.filter)
        place = .time(EventTimeCursor(query))
    }

    deinit {
        ahead?.cancel()
    }

    package func next() async throws(APIError) -> [EventRow]? {
        guard remaining != 0 else { return nil }
        if case .time(var cursor) = place, case .instant(let time) = cursor.next {
            guard let instant = try await read(time, cursor.query) else { return [] }
            let fresh = cursor.advance(over: instant)
            place = .time(cursor)
            if !fresh.isEmpty { idlePages = 0 }
            return try nextBatch(fresh, isSearched: cursor.query.searchesOnServer)
        }
        guard let query = place.query else { return nil }
        let page: EventPage
        do throws(APIError) {
            if let fetched = await ahead?.value {
                ahead = nil
                page = try fetched.get()
            } else {
                page = try await EventSearch.page(query, isFirst: true, session)
            }
        } catch  where error.status == 500 {
            try await narrow(error)
            fetchAhead()
            return []
        }
        serverTime = page.serverTime
        if page.rowCount > 0 { hasReadRow = true }
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
            total = isSearchedHere || isFilteredHere || failures > 0 ? nil : page.total
        }
        let batch = try nextBatch(fresh, isSearched: page.isSearched)
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
                ranges = []
            case .end:
                cursor.query.searchesOnServer = page.isSearched
                place = nextRange(after: cursor)
                return fresh
            }
            return try fresh.map(expectProgress)
        case .offset(var cursor):
            let fresh = cursor.advance(over: page)
            place = cursor.isAtEnd ? .end : .offset(cursor)
            return cursor.isAtEnd ? fresh : try fresh.map(expectProgress)
        case .end: return []
        }
    }

    /// Ends a listing whose pages bring nothing new, such as that of a server that ignores what it is
    /// asked for.
    private func expectProgress(_ fresh: [EventRow]) throws(APIError) -> [EventRow] {
        idlePages = fresh.isEmpty ? idlePages + 1 : 0
        guard idlePages < Self.mostIdlePages else {
            throw APIError(.unsteady, "the server reports more events but repeats a page")
        }
        return fresh
    }

    /// Goes on with half of the range for which the server failed, or past it if it is an instant.
    /// - Throws: the error of a server that counts rows, or whose rows are not to blame.
    private func narrow(_ error: APIError) async throws(APIError) {
        guard case .time(var cursor) = place else { throw error }
        try await count(error, of: cursor.query)
        let range = EventRange(since: cursor.query.since, until: cursor.query.until)
        if failures < Self.mostFailures, let (older, newer) = range.halves {
            ranges.append(order == .newestFirst ? older : newer)
            cursor.begin(order == .newestFirst ? newer : older)
            place = .time(cursor)
        } else if try await leavesOut(range, of: cursor.query) {
            place = nextRange(after: cursor)
        }
    }

    /// Counts a failure of the server.
    /// - Throws: the error of a server that fails for everything, or has failed often for no row.
    private func count(_ error: APIError, of query: EventQuery) async throws(APIError) {
        if failures == 0 { try await expectAnswer(to: query) }
        failures += 1
        if failures > Self.mostFailuresAtFirst, !hasReadRow { throw error }
    }

    /// Asks by the listing's own conditions for nothing at all.
    /// - Throws: `APIError`; the rows are not to blame then.
    private func expectAnswer(to query: EventQuery) async throws(APIError) {
        _ = try await EventSearch.page(query.emptied, isFirst: false, session)
    }

    /// Notes a range as a gap; false if it is to be asked for once more.
    private func leavesOut(
        _ range: EventRange, of query: EventQuery
    ) async throws(APIError) -> Bool {
        guard range == failed else {
            failed = range
            return false
        }
        // The server may have begun to fail for everything meanwhile.
        try await expectAnswer(to: query)
        unreadable.append(range.gap)
        return true
    }

    private func nextRange(after cursor: EventTimeCursor) -> Place {
        guard let range = ranges.popLast() else { return .end }
        var cursor = cursor
        cursor.begin(range)
        return .time(cursor)
    }

    /// Reads the events of one instant, none if the server fails for one of them; nil if it is to be
    /// read once more.
    private func read(
        _ time: Timestamp, _ query: EventQuery
    ) async throws(APIError) -> EventInstant? {
        do throws(APIError) {
            return try await EventInstant.read(time, query, session)
        } catch  where error.status == 500 {
            try await count(error, of: query)
            guard try await leavesOut(EventRange(since: time, until: time), of: query) else {
                return nil
            }
            return EventInstant(time: time, rows: [], includesBounds: true)
        }
    }

    private func nextBatch(_ fresh: [EventRow], isSearched: Bool) throws(APIError) -> [EventRow] {
        // The server works while this page is decoded.
        if remaining == nil { fetchAhead() }
        let matching = try matcher.matching(fresh, isSearched: isSearched, notify: notify)
        guard let remaining else { return matching }
        let batch = Array(matching.prefix(remaining))
        self.remaining = remaining - batch.count
        fetchAhead()
        return batch
    }

    /// Requests the page that `next` returns, unless there is none.
    func fetchAhead() {
        guard let query = place.query, remaining != 0 else { return }
        ahead = Task { [session, isFirstPage] () async -> Result<EventPage, APIError> in
            do throws(APIError) {
                return .success(try await EventSearch.page(query, isFirst: isFirstPage, session))
            } catch {
                return .failure(error)
            }
        }
    }
}
