package import Synchronization

@testable package import ArgusCore
@testable package import ArgusEvents
@testable package import ArgusTransport

/// A server and a clock of one simulated world, in which no time passes but by waiting.
package final class SimulatedServer: FeedServer, ServicePause {
    /// An event of the world, and its history.
    package struct Row: Sendable {
        package var event: Event
        package var storedAt: Duration
        /// When it begins to match; nil: from its storing on.
        package var matchesAt: Duration?
        package var deletedAt: Duration?

        package init(
            event: Event, storedAt: Duration, matchesAt: Duration? = nil, deletedAt: Duration? = nil
        ) {
            self.event = event
            self.storedAt = storedAt
            self.matchesAt = matchesAt
            self.deletedAt = deletedAt
        }

        package func isListed(at now: Duration) -> Bool {
            storedAt <= now && (deletedAt.map { now < $0 } ?? true)
        }

        package func matches(at now: Duration) -> Bool {
            isListed(at: now) && (matchesAt ?? .zero) <= now
        }
    }

    package struct State: Sendable {
        package var now = Duration.zero
        /// By capture time.
        package var rows: [Row] = []
        /// Signals of the stream, by time.
        package var signals: ArraySlice<(at: Duration, signal: ServiceSignal)> = []
        /// The error of a request at that time.
        package var failure: @Sendable (Duration) -> APIError? = { _ in nil }
        /// The server's clock less the true one at that time.
        package var offset: @Sendable (Duration) -> Duration = { _ in .zero }
        package var retention: Duration?
        package var end = Duration.seconds(Int64.max / 2)
        package var requests = 0
        package var passes = 0
        /// The times that rows of a range were listed.
        package var listings = 0
        /// The most events that were returned at once.
        package var largestAnswer = 0
        /// The cameras of the filter are known by name only.
        package var namesCameras = false
        /// A range that the server cannot list, and reports as a gap.
        package var broken: ClosedRange<Timestamp>?

        package init() {}
    }

    package static let origin = Timestamp(seconds: 1_760_000_000)
    package let state: Mutex<State>

    package init(_ state: State) { self.state = Mutex(state) }

    /// The capture time of so much after the beginning.
    package static func time(_ after: Duration) -> Timestamp { origin + after }

    package static func event(_ number: Int, at time: Duration) -> Event {
        var event = Event(id: "event-\(number)")
        event.timestamp = Self.time(time)
        return event
    }

    package func isStopped() -> Bool { state.withLock { $0.now >= $0.end } }

    package func now() -> Duration { state.withLock { $0.now } }

    package func wait(until deadline: Duration) -> ServiceSignal? {
        state.withLock { state in
            if state.now >= state.end { return .stop }
            if let next = state.signals.first, next.at <= deadline {
                state.now = max(state.now, next.at)
                return state.signals.removeFirst().signal
            }
            state.now = max(state.now, min(deadline, state.end))
            return state.now >= state.end ? .stop : nil
        }
    }

    package func clock() -> Timestamp {
        state.withLock { Self.time($0.now + $0.offset($0.now)) }
    }

    package func prepare() throws(FilterError) -> [UnresolvedFilter.Notice] {
        let error = state.withLock { $0.namesCameras ? $0.failure($0.now) : nil }
        if let error { throw .cameras(error) }
        return []
    }

    package func events(
        since: Timestamp, until: Timestamp?, atMost limit: Int,
        where isNew: (String, Timestamp?) -> Bool
    ) throws(APIError) -> FeedListing? {
        let (rows, now, error, broken) = state.withLock { state in
            state.requests += 1
            state.listings += 1
            state.passes += 1
            return (state.rows, state.now, state.failure(state.now), state.broken)
        }
        if let error { throw error }
        let gap = broken.flatMap { broken in
            since <= broken.upperBound && Self.time(now) >= broken.lowerBound
                && until.map { $0 >= broken.lowerBound } ?? true ? broken : nil
        }
        let first = rows.partitioningIndex { ($0.event.timestamp ?? .latest) >= since }
        let new = rows[first...].prefix { row in
            until.map { (row.event.timestamp ?? .latest) <= $0 } ?? true
        }.filter { row in
            row.matches(at: now) && isNew(row.event.id, row.event.timestamp)
                && gap.map { !$0.contains(row.event.timestamp ?? .latest) } ?? true
        }.map(\.event)
        guard new.count <= limit else { return nil }
        state.withLock { $0.largestAnswer = max($0.largestAnswer, new.count) }
        let gaps = gap.map {
            [EventGap(reason: .unreadable, from: $0.lowerBound, until: $0.upperBound)]
        }
        return FeedListing(events: new, gaps: gaps ?? [])
    }

    package func listsOnly(
        _ count: Int, since: Timestamp, where isNew: (String, Timestamp?) -> Bool
    ) throws(APIError) -> Bool {
        let (rows, now, error) = state.withLock { state in
            state.requests += 1
            state.passes += 1
            return (state.rows, state.now, state.failure(state.now))
        }
        if let error { throw error }
        let first = rows.partitioningIndex { ($0.event.timestamp ?? .latest) >= since }
        let listed = rows[first...].filter { $0.matches(at: now) }
        return listed.count == count
            && !listed.suffix(20).contains { isNew($0.event.id, $0.event.timestamp) }
    }

    package func event(
        _ id: String, isSettled: Bool
    ) throws(APIError) -> (event: Event, matches: Bool)? {
        let (row, now, error) = state.withLock { state in
            state.requests += 1
            return (
                state.rows.first { $0.event.id == id }, state.now, state.failure(state.now)
            )
        }
        if let error { throw error }
        guard let row, row.isListed(at: now) else { return nil }
        return (row.event, row.matches(at: now))
    }

    package func keptSince() -> Timestamp? {
        state.withLock { state in
            state.retention.map { Self.time(state.now - $0) }
        }
    }
}

/// The items of a feed until its end.
package struct FeedRun {
    package var events: [(event: Event, isLate: Bool)] = []
    package var gaps: [EventGap] = []
    package var notices: [FeedNotice] = []

    package var ids: [String] { events.map(\.event.id) }

    /// Takes items and accepts each event, at most `limit` of them.
    package init(_ feed: EventFeed, limit: Int = .max) async throws(FilterError) {
        for try await item in feed {
            switch item {
            case .event(let event, let isLate):
                events.append((event, isLate))
                // The process is killed after handing over, before noting it.
                if events.count == limit { return }
                await feed.accept(event)
            case .gap(let gap): gaps.append(gap)
            case .malformedRow, .notice(.ready): break
            case .notice(let notice): notices.append(notice)
            }
        }
    }
}
