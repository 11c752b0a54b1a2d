package import ArgusAccount
package import ArgusCore
package import ArgusTransport
import Synchronization

/// A server as a feed uses it, by the requests of a session.
package final class SessionFeedServer: FeedServer {
    private static let newestRows = 20

    private let service: EventService
    private let filter: EventFilter
    private let notify: @Sendable (EventNotice) -> Void
    private let reportMalformedRow: @Sendable () -> Void
    private let progress: @Sendable () -> Void
    private let wallClock: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Duration
    /// The server's clock in its last answer, and the monotonic time then.
    private let reading = Mutex<(time: Timestamp, at: Duration)?>(nil)

    /// Makes the server of a feed of the events that match; `notify` gets what argus does itself.
    ///
    /// `cancellation` ends its requests. `reportMalformedRow` is called for each pass that met a row
    /// that is not an event, `progress` for each page. The filter's times are ignored: a feed has its
    /// own. `wallClock` stands in for a server that sends no `Date`.
    package init(
        _ session: Session, _ filter: EventFilter, endedBy cancellation: RequestCancellation,
        now wallClock: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> Duration,
        notify: @escaping @Sendable (EventNotice) -> Void,
        progress: @escaping @Sendable () -> Void = {},
        reportMalformedRow: @escaping @Sendable () -> Void
    ) {
        (self.reportMalformedRow, self.progress) = (reportMalformedRow, progress)
        service = EventService(session: session.over { CancellableTransport($0, cancellation) })
        var filter = filter
        (filter.since, filter.until) = (nil, nil)
        self.filter = filter
        let seen = SeenSet<EventNotice>()
        self.notify = { if seen.insert($0) { notify($0) } }
        (self.wallClock, self.monotonic) = (wallClock, monotonic)
    }

    package func events(
        since: Timestamp, until: Timestamp?, atMost limit: Int,
        where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> (events: [Event], gaps: [FeedGap])? {
        var range = filter
        (range.since, range.until) = (since, until)
        let cursor = service.list(range, wanted: nil, notify: notify)
        var events: [Event] = []
        while let rows = try await cursor.next() {
            progress()
            learnTime(cursor.serverTime)
            for row in rows where isNew(row.id, row.timestamp) {
                guard events.count < limit else { return nil }
                events.append(row.event)
            }
        }
        if cursor.unreadableRows > 0 { reportMalformedRow() }
        return (events, cursor.gaps)
    }

    package func listsOnly(
        _ count: Int, since: Timestamp, where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> Bool {
        // Only servers that apply the whole filter count what matches.
        guard !filter.needsLocalMatching, filter.search == nil else { return false }
        var range = filter
        range.since = since
        let cursor = service.list(range, wanted: Self.newestRows, notify: notify)
        while let rows = try await cursor.next() {
            learnTime(cursor.serverTime)
            if rows.contains(where: { isNew($0.id, $0.timestamp) }) { return false }
        }
        return cursor.total == count && cursor.unreadableRows == 0 && cursor.gaps.isEmpty
    }

    package func event(
        _ id: String
    ) async throws(APIError) -> (event: Event, matches: Bool)? {
        do throws(APIError) {
            let view = try await service.session.call(EventRoutes.show, id)
            let event = try EventDetail(view).orMalformed("the answer is not an event").event
            let search = filter.search.map(EventSearch.init)
            let hasText = search?.matches(event.description ?? "") ?? true
            return (event, hasText && filter.matches(event))
        } catch  where error.kind == .notFound {
            return nil
        }
    }

    package func clock() async throws(APIError) -> Timestamp {
        // This machine's clock may be wrong by years until it has been set after the start.
        if reading.withLock({ $0 == nil }) {
            let page = try await service.session.call(EventRoutes.list, .ofNothing)
            learnTime(page.serverTime ?? wallClock())
        }
        return reading.withLock { $0 }.map { $0.time + (monotonic() - $0.at) } ?? wallClock()
    }

    private func learnTime(_ time: Timestamp?) {
        if let time { reading.withLock { $0 = (time, monotonic()) } }
    }

    /// Reads the days for which events are kept; nil for ever.
    ///
    ///     {"retention_days":30,"next_cleanup":"2026-11-23T02:00:00+00:00"}
    private static let retention = Operation<Void, Int?>(
        "system.retention", feature: "the time for which events are kept",
        Route(.current) {
            RouteRequest(.get, "/api/v1/system/retention")
        } decode: {
            answer throws(APIError) in
            // More than a century is for ever.
            let days = try ResponseBody.parse(answer)["retention_days"]?.int
            return days.flatMap { (1...36_525).contains($0) ? $0 : nil }
        })

    package func keptSince() async throws(APIError) -> Timestamp? {
        do throws(APIError) {
            let days = try await service.session.call(Self.retention, ())
            let now = try await clock()
            return days.map { now - .seconds($0 * 86400) }
        } catch
            where error.isUnsupported
            || [.forbidden, .notFound, .rejected, .malformedAnswer].contains(error.kind)
        {
            // An older server, or a user who may not ask: the oldest event shows it.
            let oldest = service.list(EventFilter(), .oldestFirst, wanted: 1, notify: { _ in })
            return try await oldest.rest().first?.timestamp
        }
    }
}
