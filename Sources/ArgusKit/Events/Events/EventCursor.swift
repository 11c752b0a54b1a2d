package import ArgusCore
package import ArgusTransport

/// A listing of events that match; one task at a time.
package protocol EventCursor: AnyObject {
    /// Returns the next events that match, in the listing's order; nil at the end. A batch may be empty.
    /// - Throws: `APIError`.
    func next() async throws(APIError) -> [EventRow]?

    /// Rows that could not be read as events, so far.
    var unreadableRows: Int { get }

    /// The ranges for which the server fails, so far.
    var gaps: [EventGap] { get }

    /// True if a page had no row that is an event, after which a listing may end before its time.
    var hasUnreadablePages: Bool { get }

    /// The number of all events that match, once a page of a server that counts them has come.
    var total: Int? { get }

    /// The server's clock in the last answer; nil if it sends no `Date`.
    var serverTime: Timestamp? { get }
}

extension EventCursor {
    package var hasUnreadablePages: Bool { false }
    package var total: Int? { nil }
    package var gaps: [EventGap] { [] }
    package var serverTime: Timestamp? { nil }

    /// Returns the rows of all pages that are left.
    package func rest() async throws(APIError) -> [EventRow] {
        var rows: [EventRow] = []
        while let batch = try await next() { rows += batch }
        return rows
    }
}

/// The events of a few cameras in one order; servers take one camera a request.
final class EventMerge: EventCursor {
    /// The maximum number of cameras for which separate listings beat reading all events.
    static let maxCameras = 8

    private struct Source {
        let cursor: EventPager
        var rows: ArraySlice<EventRow> = []
        var isAtEnd = false
    }

    private let order: EventOrder
    private var sources: [Source]
    private var remaining: Int?
    /// The instant of the last row, and the ids of it that were handed out, in any source.
    private var instant: Timestamp?
    private var ids: Set<String> = []
    private var idsWithoutTime: Set<String> = []

    /// Merges listings that have not begun, and requests the first pages of all at once.
    init(_ pagers: [EventPager], order: EventOrder, wanted: Int?) {
        self.order = order
        sources = pagers.map { Source(cursor: $0) }
        remaining = wanted
        for pager in pagers { pager.fetchAhead() }
    }

    var unreadableRows: Int { sources.reduce(0) { $0 + $1.cursor.unreadableRows } }
    var gaps: [EventGap] { sources.flatMap(\.cursor.gaps).coalesced }
    private(set) var total: Int?
    private(set) var serverTime: Timestamp?
    private var hasFirstPages = false

    func next() async throws(APIError) -> [EventRow]? {
        guard remaining != 0 else { return nil }
        for index in sources.indices {
            while sources[index].rows.isEmpty, !sources[index].isAtEnd {
                guard let rows = try await sources[index].cursor.next() else {
                    sources[index].isAtEnd = true
                    break
                }
                sources[index].rows = rows[...]
                serverTime = sources[index].cursor.serverTime
            }
        }
        if !hasFirstPages {
            hasFirstPages = true
            let totals = sources.compactMap(\.cursor.total)
            total = totals.count == sources.count ? totals.reduce(0, +) : nil
        }
        guard sources.contains(where: { !$0.rows.isEmpty }) else { return nil }
        var batch: [EventRow] = []
        // A camera whose next event is not here yet may have the one that comes next.
        while remaining != batch.count, sources.allSatisfy({ !$0.rows.isEmpty || $0.isAtEnd }),
            let row = popFirst()
        {
            if isFirst(row) { batch.append(row) }
        }
        if let remaining { self.remaining = remaining - batch.count }
        return batch
    }

    private func isFirst(_ row: EventRow) -> Bool {
        guard let time = row.timestamp else { return idsWithoutTime.insert(row.id).inserted }
        if time != instant { (instant, ids) = (time, []) }
        return ids.insert(row.id).inserted
    }

    private func popFirst() -> EventRow? {
        let heads = sources.indices.compactMap { index in
            sources[index].rows.first.map { (index: index, row: $0) }
        }
        return heads.min { comesBefore($0.row, $1.row) }
            .flatMap { sources[$0.index].rows.popFirst() }
    }

    private func comesBefore(_ row: EventRow, _ other: EventRow) -> Bool {
        // Nothing shows the place of a row without a time; its camera goes on meanwhile.
        guard let time = row.timestamp else { return other.timestamp != nil }
        guard let otherTime = other.timestamp else { return false }
        return order == .newestFirst ? time > otherTime : time < otherTime
    }
}

/// A listing from the oldest event to the newest.
///
/// A server that sorts oldest first is read page by page, up to the newest event at the start.
/// Any other is read backwards, and the rows are kept until the oldest is reached.
final class EventsOldestFirst: EventCursor {
    private let service: EventService
    private let filter: EventFilter
    private let notify: @Sendable (EventNotice) -> Void
    private var cursor: (any EventCursor)?
    /// True once all rows were returned at once, read backwards.
    private var isAtEnd = false

    init(
        _ service: EventService, _ filter: EventFilter,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) {
        (self.service, self.filter, self.notify) = (service, filter, notify)
    }

    var unreadableRows: Int { cursor?.unreadableRows ?? 0 }
    var total: Int? { cursor?.total }
    var gaps: [EventGap] { cursor?.gaps ?? [] }

    func next() async throws(APIError) -> [EventRow]? {
        if isAtEnd { return nil }
        if let cursor { return try await cursor.next() }
        if let newest = try await newestOfSorted() {
            var bounded = filter
            bounded.until = min(filter.until ?? newest, newest)
            cursor = service.list(bounded, .oldestFirst, wanted: nil, notify: notify)
            return try await cursor?.next()
        }
        let backwards = service.list(filter, wanted: nil, notify: notify)
        let rows = try await backwards.rest()
        (cursor, isAtEnd) = (backwards, true)
        return rows.reversed()
    }

    /// The time of the newest event if the server proves to sort by age; else nil.
    private func newestOfSorted() async throws(APIError) -> Timestamp? {
        let ends = [EventOrder.newestFirst, .oldestFirst].map(end)
        for end in ends { end.fetchAhead() }
        guard let newest = try await ends[0].rest().first?.timestamp,
            let oldest = try await ends[1].rest().first?.timestamp, oldest < newest
        else { return nil }
        // An event after it that cannot be read belongs to the listing.
        return max(newest, ends[0].gaps.last?.until ?? newest)
    }

    /// A listing of the first event in an order, among those that one request of any server chooses.
    private func end(_ order: EventOrder) -> EventPager {
        var all = EventFilter()
        (all.since, all.until) = (filter.since, filter.until)
        all.cameraIDs = filter.cameraIDs.count == 1 ? filter.cameraIDs : []
        var query = EventQuery(filter: all, limit: 1)
        query.order = order
        return EventPager(service.session, query, wanted: 1, notify: { _ in })
    }
}
