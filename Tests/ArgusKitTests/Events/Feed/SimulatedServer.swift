import Synchronization

@testable import ArgusKit

/// A server and a clock of one simulated world, in which no time passes but by waiting.
final class SimulatedServer: FeedServer, FeedPause {
    /// An event of the world, and its history.
    struct Row: Sendable {
        var event: Event
        var storedAt: Duration
        /// When it begins to match; nil: from its storing on.
        var matchesAt: Duration?
        var deletedAt: Duration?

        func isListed(at now: Duration) -> Bool {
            storedAt <= now && (deletedAt.map { now < $0 } ?? true)
        }

        func matches(at now: Duration) -> Bool { isListed(at: now) && (matchesAt ?? .zero) <= now }
    }

    struct State: Sendable {
        var now = Duration.zero
        /// By capture time.
        var rows: [Row] = []
        /// Signals of the stream, by time.
        var signals: ArraySlice<(at: Duration, signal: FeedSignal)> = []
        /// The error of a request at that time.
        var failure: @Sendable (Duration) -> APIError? = { _ in nil }
        /// The server's clock less the true one at that time.
        var offset: @Sendable (Duration) -> Duration = { _ in .zero }
        var retention: Duration?
        var end = Duration.seconds(Int64.max / 2)
        var requests = 0
        var passes = 0
        /// The times that rows of a range were listed.
        var listings = 0
        /// The most events that were returned at once.
        var largestAnswer = 0
        /// A range that the server cannot list, and reports as a gap.
        var broken: ClosedRange<Timestamp>?
    }

    static let origin = Timestamp(seconds: 1_760_000_000)
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }

    /// The capture time of so much after the beginning.
    static func time(_ after: Duration) -> Timestamp { origin + after }

    static func event(_ number: Int, at time: Duration) -> Event {
        var event = Event(id: "event-\(number)")
        event.timestamp = Self.time(time)
        return event
    }

    func isStopped() -> Bool { state.withLock { $0.now >= $0.end } }

    func now() -> Duration { state.withLock { $0.now } }

    func wait(until deadline: Duration) -> FeedSignal? {
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

    func clock() -> Timestamp {
        state.withLock { Self.time($0.now + $0.offset($0.now)) }
    }

    func events(
        since: Timestamp, until: Timestamp?, atMost limit: Int,
        where isNew: (String, Timestamp?) -> Bool
    ) throws(APIError) -> (events: [Event], gaps: [FeedGap])? {
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
            [FeedGap(reason: .unreadable, from: $0.lowerBound, until: $0.upperBound)]
        }
        return (new, gaps ?? [])
    }

    func listsOnly(
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

    func event(_ id: String) throws(APIError) -> (event: Event, matches: Bool)? {
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

    func keptSince() -> Timestamp? {
        state.withLock { state in
            state.retention.map { Self.time(state.now - $0) }
        }
    }
}

/// The items of a feed until its end.
struct FeedRun {
    var events: [(event: Event, isLate: Bool)] = []
    var gaps: [FeedGap] = []
    var notices: [FeedNotice] = []

    var ids: [String] { events.map(\.event.id) }

    /// Takes items and accepts each event, at most `limit` of them.
    init(_ feed: EventFeed, limit: Int = .max) async throws(APIError) {
        while let item = try await feed.next() {
            switch item {
            case .event(let event, let isLate):
                events.append((event, isLate))
                // The process is killed after handing over, before noting it.
                if events.count == limit { return }
                await feed.accept(event)
            case .gap(let gap): gaps.append(gap)
            case .notice(let notice): notices.append(notice)
            }
        }
    }
}
