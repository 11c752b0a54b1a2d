package import ArgusAccount
package import ArgusCore
package import ArgusTransport
import Synchronization

/// A server as a feed uses it, by the requests of a session.
package final class SessionFeedServer: FeedServer {
    private static let newestRows = 20

    private let service: EventService
    private let conditions: UnresolvedFilter
    private let run: ServiceRun
    /// The age below which an event may still get the entity that is recognised in it.
    private static let settlingTime = Duration.milliseconds(2_500)
    /// The time for which rules and entities are taken as they were.
    private static let refreshPause = Duration.seconds(60)

    /// The filter with the ids of cameras; nil until they are known.
    private let filter = Mutex<EventFilter?>(nil)
    /// The monotonic time at which the filter was last resolved, and the mark of rules then.
    private let resolvedAt = Mutex<(time: Duration, mark: String)?>(nil)
    private let rules: RuleWatch?
    /// The server's clock in its last answer, and the monotonic time then.
    private let reading = Mutex<(time: Timestamp, at: Duration)?>(nil)

    /// Makes the server of a feed of the events that match; the end of the run ends its requests.
    ///
    /// The filter's times are ignored: a feed has its own.
    ///
    /// `rules` learns the alert rules that the feed applies.
    package init(
        _ session: Session, _ conditions: UnresolvedFilter, in run: ServiceRun,
        rules: RuleWatch? = nil
    ) {
        self.rules = rules
        service = EventService(
            session: session.over { CancellableTransport($0, run.cancellation) })
        (self.conditions, self.run) = (conditions, run)
    }

    package func prepare() async throws(FilterError) -> [UnresolvedFilter.Notice] {
        var notices: [UnresolvedFilter.Notice] = []
        let mark = rules?.mark ?? ""
        let found = try await conditions.resolved(with: service.session) { notices.append($0) }
        keep(found, mark)
        return notices
    }

    private func keep(_ found: EventFilter, _ mark: String) {
        filter.withLock { $0 = found }
        resolvedAt.withLock { $0 = (run.clock.monotonic(), mark) }
        if let set = found.rules { rules?.learn(set) }
    }

    /// Takes up rules and entities that were changed; every minute, and at once where argus changed a
    /// rule on this machine.
    private func refresh() async throws(APIError) {
        guard conditions.isVolatile, let last = resolvedAt.withLock({ $0 }) else { return }
        let mark = rules?.mark ?? ""
        guard mark != last.mark || run.clock.monotonic() - last.time >= Self.refreshPause else {
            return
        }
        var found = filter.withLock { $0 } ?? conditions.filter
        do throws(FilterError) {
            try await conditions.resolveVolatile(
                in: &found, with: service.session, notify: { _ in })
        } catch {
            // What a name of an entity has meant counts until it means something else.
            if let cause = error.cause { throw cause }
        }
        keep(found, mark)
    }

    /// False for an event in which nobody was recognised yet, or to which an alarm may still come: the
    /// server links entities and raises alarms shortly after it has stored an event.
    private func isSettled(_ event: Event, _ view: JSONView, at now: Timestamp?) -> Bool {
        guard conditions.settles || event.hasEntity == false, let now,
            let stored = view["created_at"]?.timestamp
        else { return true }
        let age = now - stored
        return age >= Self.settlingTime || age < .zero - .seconds(60)
    }

    /// The filter for a range of capture times.
    private func filter(since: Timestamp?, until: Timestamp? = nil) -> EventFilter {
        var range = filter.withLock { $0 } ?? conditions.filter
        (range.since, range.until) = (since, until)
        return range
    }

    package func events(
        since: Timestamp, until: Timestamp?, atMost limit: Int,
        where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> FeedListing? {
        try await refresh()
        let waits =
            conditions.settles || filter(since: nil).includesStrangers
        let notices = Collected<EventNotice>()
        let cursor = service.list(
            filter(since: since, until: until), wanted: nil, notify: notices.add)
        var events: [Event] = []
        var isUnsettled = false
        while let rows = try await cursor.next() {
            run.beat()
            learnTime(cursor.serverTime)
            let now = waits ? cursor.serverTime ?? knownTime : nil
            for row in rows where isNew(row.id, row.timestamp) {
                guard events.count < limit else { return nil }
                let event = row.event
                if isSettled(event, row.view, at: now) {
                    events.append(event)
                } else {
                    isUnsettled = true
                }
            }
        }
        var listing = FeedListing(events: events, gaps: cursor.gaps)
        listing.notices = notices.take()
        listing.isUnsettled = isUnsettled
        listing.hasMalformedRow = cursor.unreadableRows > 0
        return listing
    }

    package func listsOnly(
        _ count: Int, since: Timestamp, where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> Bool {
        let filter = filter(since: since)
        // Only servers that apply the whole filter count what matches.
        guard !filter.needsLocalMatching, filter.search == nil else { return false }
        let cursor = service.list(filter, wanted: Self.newestRows, notify: { _ in })
        while let rows = try await cursor.next() {
            learnTime(cursor.serverTime)
            if rows.contains(where: { isNew($0.id, $0.timestamp) }) { return false }
        }
        return cursor.total == count && cursor.unreadableRows == 0 && cursor.gaps.isEmpty
    }

    package func event(
        _ id: String, isSettled hadTime: Bool
    ) async throws(APIError) -> (event: Event, matches: Bool)? {
        do throws(APIError) {
            let view = try await service.session.call(EventRoutes.show, id)
            let event = try EventDetail(view).orMalformed("the answer is not an event").event
            try await refresh()
            let filter = filter(since: nil)
            let now = conditions.settles || filter.includesStrangers ? knownTime : nil
            // A `Date` has whole seconds only: by it, three seconds can be two.
            guard hadTime || isSettled(event, view, at: now) else { return (event, false) }
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
            learnTime(page.serverTime ?? run.clock.now())
        }
        return knownTime ?? run.clock.now()
    }

    /// The time of the server's clock, if it has answered yet.
    private var knownTime: Timestamp? {
        reading.withLock { $0 }.map { $0.time + (run.clock.monotonic() - $0.at) }
    }

    private func learnTime(_ time: Timestamp?) {
        if let time { reading.withLock { $0 = (time, run.clock.monotonic()) } }
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

extension EventFeed {
    /// Makes the feed of a server's events, which its stream announces; with a state and its ledger it
    /// goes on where the last one has ended.
    package convenience init(
        of session: Session, _ filter: UnresolvedFilter, in run: ServiceRun,
        from ledger: EventLedger = EventLedger(), keptIn state: WatchState? = nil,
        poll: Duration? = nil, rules: RuleWatch? = nil
    ) async {
        // The difference is useless if the clock was set back in between.
        let waited = state.map { Swift.max(run.clock.now() - $0.begunAt, .zero) } ?? .zero
        await self.init(
            SessionFeedServer(session, filter, in: run, rules: rules), run,
            announcedBy: FeedStream(of: session.client, to: run), from: ledger,
            keptIn: state?.ledger, start: filter.filter.since,
            waited: ledger.lastPass == nil ? waited : .zero, poll: poll)
    }
}
