import ArgusAccount
package import ArgusCore
import ArgusTransport

/// A place in a list of events that pages by time: each page begins where the last one ended in
/// time, so that events that arrive or vanish meanwhile neither repeat a row nor hide one
/// (docs/compatibility.md, traps 17 and 18).
///
/// The caller sends `query`, or reads the instant that `next` names, and advances over the result.
package struct EventTimeCursor: Sendable {
    package enum Next: Sendable, Equatable {
        case page
        /// All events of one instant, which fill a page by themselves (`EventInstant`).
        case instant(Timestamp)
        /// The rows from this number on: the server ignores times, or the last rows have none.
        case row(Int)
        case end
    }

    /// The request of the next page; its limit may change from page to page.
    package var query: EventQuery
    package private(set) var next = Next.page
    /// The ids of rows that the next page may hold again, with their times.
    private(set) var seen: [String: Timestamp] = [:]
    private var passed = 0

    /// Begins at the newest event of the query, or at the oldest, by its order.
    package init(_ query: EventQuery) { self.query = query }

    /// Moves past a page.
    /// - Returns: the rows that no earlier page had; nil when the page shows that the server ignores
    ///   times, so that `next` counts rows instead.
    package mutating func advance(over page: EventPage) -> [EventRow]? {
        let rows = page.rows
        guard !ignoresBound(rows) else {
            next = .row(passed)
            return nil
        }
        let fresh = rows.filter { seen[$0.id] == nil }
        let edge = rows.last?.timestamp
        guard !rows.isEmpty, query.continues(after: page), !query.isPastEnd(edge) else {
            next = .end
            return fresh
        }
        passed += page.unreadableRows + fresh.count
        for row in fresh { seen[row.id] = row.timestamp ?? edge ?? .latestText }
        guard let edge else {
            next = .row(passed)
            return fresh
        }
        // A microsecond short of the last row, because a bound may or may not be inclusive.
        let bound = query.order == .newestFirst ? edge.after : edge.before
        // A page of one instant: nothing shows how many more there are of it.
        if rows.count > 1 && rows.first?.timestamp == edge || bound == self.bound {
            next = .instant(edge)
            return fresh
        }
        self.bound = bound
        // The rows of this page stay, too, in case that the server ignores times.
        let current = Set(rows.map(\.id))
        seen = seen.filter { !isBehind(bound, $0.value) || current.contains($0.key) }
        return fresh
    }

    /// Goes on with a range of the listing.
    mutating func begin(_ range: EventRange) {
        (query.since, query.until) = (range.since, range.until)
        next = .page
    }

    /// Moves past the instant that `next` names, and returns its rows that no earlier page had.
    mutating func advance(over instant: EventInstant) -> [EventRow] {
        let time = instant.time
        let behind = query.order == .newestFirst ? time.before : time.after
        bound = instant.includesBounds ? behind : time
        next = .page
        let fresh = instant.rows.filter { seen[$0.id] == nil }
        passed += fresh.count
        for row in fresh { seen[row.id] = time }
        return fresh
    }

    /// The end of the query's range at which the next page begins.
    private var bound: Timestamp? {
        get { query.order == .newestFirst ? query.until : query.since }
        set {
            if query.order == .newestFirst {
                query.until = newValue
            } else {
                query.since = newValue
            }
        }
    }

    private func ignoresBound(_ rows: [EventRow]) -> Bool {
        let start = query.order == .newestFirst ? query.filter.until : query.filter.since
        guard let bound, bound != start, let first = rows.lazy.compactMap(\.timestamp).first else {
            return false
        }
        return isBehind(bound, first)
    }

    /// Returns true if `time` comes after `other` in the query's order.
    private func isBehind(_ time: Timestamp, _ other: Timestamp) -> Bool {
        query.order == .newestFirst ? time < other : time > other
    }
}

/// All events of one instant, often several pages, read until two passes agree: offsets drift.
struct EventInstant: Sendable {
    /// The passes after which the events of an instant are given up as unsteady.
    private static let maxPasses = 5
    /// The maximum size of an instant, all of which is in memory at once.
    private static let maxRows = 4000
    private static let maxBytes = 8 << 20

    let time: Timestamp
    let rows: [EventRow]
    /// The server includes the end of a range, as today's does.
    let includesBounds: Bool

    /// Reads the instant with the filter and the page size of a listing's query.
    /// - Throws: `APIError`; `.unsteady` when no two passes in a row agree, or for too many events.
    static func read(
        _ time: Timestamp, _ query: EventQuery, _ session: Session
    ) async throws(APIError) -> EventInstant {
        var query = query
        query.since = time
        query.until = time
        var includesBounds = true
        // Of the passes before the last one only ids are kept.
        var known = Set(try await pass(time, query, session).map(\.id))
        if known.isEmpty {
            // The instant was not empty a moment ago, so that its bounds may be no part of it.
            includesBounds = false
            query.since = time.before
            query.until = time.after
            known = Set(try await pass(time, query, session).map(\.id))
        }
        for _ in 1..<maxPasses {
            let rows = try await pass(time, query, session)
            let ids = Set(rows.map(\.id))
            if ids == known {
                return EventInstant(time: time, rows: rows, includesBounds: includesBounds)
            }
            known = ids
        }
        throw APIError(.unsteady, "the events of \(time.utcText) change too fast to be read")
    }

    private static func pass(
        _ time: Timestamp, _ query: EventQuery, _ session: Session
    ) async throws(APIError) -> [EventRow] {
        var query = query
        query.offset = 0
        var rows: [EventRow] = []
        var seen: Set<String> = []
        var byteCount = 0
        while true {
            let page = try await EventSearch.page(query, isFirst: false, session)
            query.searchesOnServer = query.searchesOnServer && page.isSearched
            let fresh = page.rows.filter { $0.timestamp == time && seen.insert($0.id).inserted }
            rows += fresh
            // A row keeps all of its page.
            byteCount += page.byteCount
            guard rows.count <= maxRows, byteCount <= maxBytes else {
                throw APIError(
                    .unsteady,
                    "the events of \(time.utcText) are more than \(maxRows) "
                        + "or \(maxBytes >> 20) MiB, too many to read at once")
            }
            let isLast = !(page.hasMore ?? (page.rowCount >= query.limit))
            // A server that ignores offsets, or the range, would be read without end.
            guard !isLast, !fresh.isEmpty else { return rows }
            query.offset += page.rowCount
        }
    }
}

extension Timestamp {
    /// Later than every time of a server.
    static let latest = Timestamp(microseconds: .max)

    /// The instant before, by the microsecond that servers keep.
    package var before: Timestamp { self - .microseconds(1) }
    /// The instant after, by the microsecond that servers keep.
    package var after: Timestamp { self + .microseconds(1) }
}
