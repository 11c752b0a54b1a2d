/// All events of one instant, which may be more than a page holds.
///
/// Within an instant only numbers lead from page to page, and those drift while events come and go:
/// the instant is read again until two passes agree.
struct EventInstant: Sendable {
    /// How often an instant is read before its events are given up as unsteady.
    private static let mostPasses = 5
    /// What an instant may have: all of it is in memory at once.
    private static let mostRows = 4000
    private static let mostBytes = 8 << 20

    let rows: [EventRow]
    /// Whether the server takes the end of a range for a part of it, as today's does.
    let includesBounds: Bool

    /// Reads the instant; `query` is the walk's, whose filter and page size are used.
    ///
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
        for _ in 1..<mostPasses {
            let rows = try await pass(time, query, session)
            let ids = Set(rows.map(\.id))
            if ids == known { return EventInstant(rows: rows, includesBounds: includesBounds) }
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
            let page = try await EventSearch.page(query, isFirst: false, session).get()
            query.searchesOnServer = query.searchesOnServer && page.isSearched
            let fresh = page.rows.filter { $0.timestamp == time && seen.insert($0.id).inserted }
            rows += fresh
            // A row keeps all of its page.
            byteCount += page.byteCount
            guard rows.count <= mostRows, byteCount <= mostBytes else {
                throw APIError(
                    .unsteady,
                    "the events of \(time.utcText) are more than \(mostRows) "
                        + "or \(mostBytes >> 20) MiB, too much to be read at once")
            }
            let isLast = !(page.hasMore ?? (page.rowCount >= query.limit))
            // A server that ignores offsets, or the range, would be read for ever.
            guard !isLast, !fresh.isEmpty else { return rows }
            query.offset += page.rowCount
        }
    }
}

extension Timestamp {
    /// The instant before, by the microsecond that servers keep.
    var before: Timestamp { Timestamp(microseconds: microseconds - 1) }
    /// The instant after, by the microsecond that servers keep.
    var after: Timestamp { Timestamp(microseconds: microseconds + 1) }
}
