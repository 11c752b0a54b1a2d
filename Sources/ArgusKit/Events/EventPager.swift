/// Walks a server's events by time, a page at a time.
///
/// Each page begins where the last ended in time, not in number: events that arrive or vanish
/// meanwhile neither repeat a row nor hide one (backend-facts 5.1). The next page is on its way
/// while the caller works on this one. Memory does not grow with the list, except where a server
/// ignores times. One task at a time.
package final class EventPager: EventCursor {
    /// How far the walk has come.
    private struct Position {
        var query: EventQuery
        /// Ids already handed out that the next page may hold again, with their times.
        var seen: [String: Timestamp] = [:]
        /// Rows passed since the first one.
        var walked = 0
        /// Set when the server ignores the cursor in time, so that only numbers are left.
        var countsRows = false
        /// Whether the page begins with rows that are known, unless they are gone.
        var overlaps = false
        /// Whether the page was passed before, and is read again for what slipped into it.
        var isRewound = false
        /// The instant at which the walk stands, where a page holds nothing else.
        var instant: Timestamp?
    }

    /// Rows that are asked for twice where pages are counted, so that a shift shows.
    private static let overlap = 50

    private let session: Session
    private let filter: EventFilter
    private let order: EventOrder
    private let notify: @Sendable (EventNotice) -> Void
    private var position: Position?
    private var ahead: Task<FetchedEvents, Never>?
    private var remaining: Int?
    /// What some row has told so far; a single page may do without.
    private var reported: Told = []
    package private(set) var unreadableRows = 0

    /// Prepares a walk that ends after so many events (nil: all); nothing is asked yet.
    ///
    /// `tell` hears, with each page, what the server leaves to this side. A walk from the oldest
    /// event on is for servers that sort so. So many `walks` go on at the same time, which share
    /// the memory.
    package init(
        session: Session, filter: EventFilter, order: EventOrder = .newestFirst, wanted: Int?,
        trustsSearch: Bool = true, walks: Int = 1,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) {
        self.session = session
        self.filter = filter
        self.order = order
        self.notify = notify
        remaining = wanted
        let pageSize = filter.needsLocalMatching ? 500 : min(wanted ?? 500, 500)
        var query = EventQuery(filter: filter, limit: pageSize)
        query.order = order
        query.held /= walks
        query.searchesOnServer = query.searchesOnServer && trustsSearch
        position = Position(query: query)
    }

    deinit {
        ahead?.cancel()
    }

    package func next() async throws(APIError) -> [EventRow]? {
        guard let asked = position, remaining != 0 else { return nil }
        if let instant = asked.instant { return try await nextOf(instant, asked) }
        let fetched: FetchedEvents
        if let ahead {
            fetched = await ahead.value
        } else {
            fetched = await EventSearch.page(asked.query, isFirst: true, session)
        }
        ahead = nil
        let page = try fetched.get()
        let rows = page.rows
        if let other = alternative(page, asked) {
            position = other
            fetchAhead()
            return []
        }
        unreadableRows += page.unreadableRows
        let fresh = rows.filter { asked.seen[$0.id] == nil }
        // Where the next page would begin is for those who want one.
        let isLast = remaining.map { $0 <= fresh.count && filter == EventFilter() } ?? false
        position = isLast ? nil : try following(page, fresh, after: asked)
        let batch = try handOut(fresh, isSearched: page.isSearched)
        filter.notifyOfConditions(besides: page.knownConditions, notify)
        return batch
    }

    /// The events of the instant that is more than a page.
    private func nextOf(
        _ instant: Timestamp, _ asked: Position
    ) async throws(APIError) -> [EventRow]? {
        let found = try await EventInstant.read(instant, asked.query, session)
        var next = asked
        next.instant = nil
        switch order {
        case .newestFirst: next.query.until = found.includesBounds ? instant.before : instant
        case .oldestFirst: next.query.since = found.includesBounds ? instant.after : instant
        }
        let fresh = found.rows.filter { asked.seen[$0.id] == nil }
        next.walked += fresh.count
        for row in fresh { next.seen[row.id] = instant }
        position = next
        return try handOut(fresh, isSearched: asked.query.searchesOnServer)
    }

    private func handOut(
        _ fresh: [EventRow], isSearched: Bool
    ) throws(APIError) -> [EventRow] {
        let matching = try matching(fresh, isSearched: isSearched)
        let batch = Array(matching.prefix(remaining ?? matching.count))
        if let remaining { self.remaining = remaining - batch.count }
        fetchAhead()
        return batch
    }

    private func fetchAhead() {
        guard let position, position.instant == nil, remaining != 0 else { return }
        let query = position.query
        ahead = Task { [session] in await EventSearch.page(query, isFirst: false, session) }
    }

    /// Where the page after this one begins; nil when this one was the last.
    private func following(
        _ page: EventPage, _ fresh: [EventRow], after asked: Position
    ) throws(APIError) -> Position? {
        let rows = page.rows
        // Without a new row, a server that ignores the offset too would be asked for ever.
        guard !rows.isEmpty, !fresh.isEmpty || asked.query.offset == 0 || asked.isRewound else {
            guard rows.isEmpty || page.hasMore != true else {
                throw APIError(.unsteady, "the server says that more follow, and repeats a page")
            }
            return nil
        }
        let isMatchedHere = filter.search != nil && !page.isSearched
        let size = isMatchedHere ? page.largestPage : min(asked.query.limit, page.largestPage)
        guard page.hasMore ?? (page.rowCount >= size) else { return nil }
        var next = asked
        next.query.limit = size
        next.query.searchesOnServer = asked.query.searchesOnServer && page.isSearched
        next.walked += page.unreadableRows + fresh.count
        next.isRewound = false
        let edge = rows.last?.timestamp
        for row in fresh { next.seen[row.id] = row.timestamp ?? edge ?? .latestText }
        if let edge, isPastEnd(edge) { return nil }
        if asked.countsRows {
            return counting(from: asked.query.offset + page.rowCount, after: next, page)
        }
        guard let edge else { return counting(from: next.walked, after: next, page) }
        // A page of one instant: nothing tells how many more there are of it.
        guard rows.count < 2 || rows.first?.timestamp != edge,
            cursor(after: edge) != cursor(of: asked.query)
        else {
            next.instant = edge
            return next
        }
        switch order {
        case .newestFirst: next.query.until = cursor(after: edge)
        case .oldestFirst: next.query.since = cursor(after: edge)
        }
        next.query.offset = 0
        // Those of this page are wanted, too, in case that the server ignores times.
        let current = Set(rows.map(\.id))
        next.seen = next.seen.filter { mayComeAgain($0.value, edge) || current.contains($0.key) }
        return next
    }

    /// A microsecond short of the last row, because a bound may or may not be inclusive.
    private func cursor(after edge: Timestamp) -> Timestamp {
        order == .newestFirst ? edge.after : edge.before
    }

    private func cursor(of query: EventQuery) -> Timestamp? {
        order == .newestFirst ? query.until : query.since
    }

    private func mayComeAgain(_ time: Timestamp, _ edge: Timestamp) -> Bool {
        order == .newestFirst ? time <= edge.after : time >= edge.before
    }

    private func isPastEnd(_ edge: Timestamp) -> Bool {
        switch order {
        case .newestFirst: filter.since.map { edge < $0 } ?? false
        case .oldestFirst: filter.until.map { edge > $0 } ?? false
        }
    }

    /// The page that begins so many rows after the first one, and a little before, where pages
    /// can begin anywhere.
    private func counting(
        from offset: Int, after position: Position, _ page: EventPage
    ) -> Position {
        var next = position
        next.countsRows = true
        next.overlaps = !page.countsPages && offset > 0
        let offset = next.overlaps ? offset - min(Self.overlap, page.rowCount / 2) : offset
        next.query.until = filter.until
        next.query.since = filter.since
        next.query.offset = max(0, offset)
        return next
    }

    /// Where to go instead when a page is not what was asked for; nil when it is.
    private func alternative(
        _ page: EventPage, _ asked: Position
    ) -> Position? {
        let rows = page.rows
        guard let first = rows.lazy.compactMap(\.timestamp).first else { return nil }
        if asked.countsRows {
            // More rows have vanished than the pages overlap: look for the last known one.
            guard asked.overlaps, asked.query.offset > 0,
                !rows.contains(where: { asked.seen[$0.id] != nil })
            else { return nil }
            var other = asked
            other.query.offset = max(0, asked.query.offset - asked.query.limit)
            other.isRewound = true
            return other
        }
        let isIgnored =
            switch order {
            case .newestFirst: asked.query.until.map { $0 != filter.until && first > $0 } ?? false
            case .oldestFirst: asked.query.since.map { $0 != filter.since && first < $0 } ?? false
            }
        guard isIgnored else { return nil }
        notify(.countsPages)
        return counting(from: asked.walked, after: asked, page)
    }

    private func matching(
        _ rows: [EventRow], isSearched: Bool
    ) throws(APIError) -> [EventRow] {
        guard filter != EventFilter() else { return rows }
        let search = isSearched ? nil : filter.search.map(EventSearch.init)
        var matching: [EventRow] = []
        for row in rows {
            let event: Event
            do throws(FileSystemError) {
                event = try row.event
            } catch {
                throw APIError(error)
            }
            reported.formUnion(Told(by: event))
            guard filter.matches(event), search?.matches(event.description ?? "") ?? true else {
                continue
            }
            matching.append(row.keeping(event))
        }
        if !rows.isEmpty { try expectTold() }
        if search != nil { notify(.matchesHere) }
        return matching
    }

    /// Makes sure that rows tell what is asked for, without which neither a match nor its absence
    /// means anything.
    private func expectTold() throws(APIError) {
        let reported = reported
        func expect(_ what: String, _ needed: Told) throws(APIError) {
            guard reported.contains(needed) else {
                throw APIError(.unsupported("\(what) in its list of events"))
            }
        }
        let types = filter.types
        if filter.alertsOnly { try expect("alert flags", .alert) }
        if filter.source != nil { try expect("sources", .source) }
        if filter.minConfidence != nil { try expect("confidences", .confidence) }
        if types.contains("ring") { try expect("the type ring", .ring) }
        // Motion is the absence of objects, which a list without them tells of everything.
        if types.contains("motion") { try expect("the type motion", .objects) }
        // What such a list tells of the other types is right, and not all.
        if types.contains(where: { $0 != "ring" }), !reported.contains(.objects) {
            notify(.knowsMainDetection)
        }
    }
}

/// What rows tell of their events.
private struct Told: OptionSet {
    let rawValue: UInt8

    static let alert = Told(rawValue: 1)
    static let source = Told(rawValue: 2)
    static let confidence = Told(rawValue: 4)
    static let ring = Told(rawValue: 8)
    static let objects = Told(rawValue: 16)
}

extension Told {
    init(by event: Event) {
        self = []
        if event.alertTriggered != nil { insert(.alert) }
        if event.source != nil { insert(.source) }
        if event.confidence != nil { insert(.confidence) }
        if event.isDoorbellRing != nil { insert(.ring) }
        if event.objects != nil { insert(.objects) }
    }
}
