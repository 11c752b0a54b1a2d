internal import ArgusCore

/// The order of a feed's work: passes, single events that the stream announced, and pauses
/// (docs/compatibility.md, "Watching").
///
/// Times are monotonic; a suspended machine finds them past when it wakes.
package struct FeedSchedule: Sendable {
    /// The next thing to do.
    package enum Step: Sendable, Equatable {
        case pass(FeedPassKind)
        /// Read this event; `isLast` for the second time.
        case read(String, isLast: Bool)
        /// Wait for a signal until then.
        case wait(until: Duration)
    }

    private struct Reading: Sendable {
        var id: String
        var due: Duration
        var isLast = false
    }

    /// Without hints that can be relied on, the pause between quick passes.
    package static let shortPause = Duration.seconds(10)
    /// The pause while the stream announces new events reliably.
    private static let longPause = Duration.seconds(60)
    private static let deepPause = Duration.seconds(3600)
    /// New events in a row that must have been announced before passes are rare.
    private static let reliableHints = 20
    /// Announced events that are read one by one; a pass reads more of them at once.
    private static let mostReadings = 20
    private static let longestBackOff = Duration.seconds(300)

    private let fixedPause: Duration?
    private var nextQuick: Duration
    private var nextDeep: Duration
    /// Additional quick passes, in order.
    private var extra: [Duration] = []
    private var readings: [Reading] = []
    private var announcedInARow = 0
    /// The pause that failures of the server impose; nil while it answers.
    private(set) package var backOff: Duration?
    private var blockedUntil: Duration?
    private var isConnected = false
    /// The server limits requests (429), which a new stream does not change.
    private var isRateLimited = false

    /// Begins with a deep pass at once; `poll` fixes the pause between quick passes.
    package init(at now: Duration, poll: Duration? = nil) {
        fixedPause = poll
        (nextQuick, nextDeep) = (now, now)
    }

    /// The pause between quick passes, as things are.
    package var pause: Duration {
        if let fixedPause { return fixedPause }
        return isConnected && announcedInARow >= Self.reliableHints
            ? Self.longPause : Self.shortPause
    }

    /// Returns what to do now.
    package mutating func next(at now: Duration) -> Step {
        if let blockedUntil, now < blockedUntil { return .wait(until: blockedUntil) }
        if now >= nextDeep { return .pass(.deep) }
        if readings.count > Self.mostReadings {
            readings = []
            return .pass(.quick)
        }
        if let index = readings.firstIndex(where: { $0.due <= now }) {
            let reading = readings.remove(at: index)
            return .read(reading.id, isLast: reading.isLast)
        }
        if now >= nextQuick || extra.first.map({ now >= $0 }) ?? false { return .pass(.quick) }
        let due = readings.map(\.due) + extra + [nextQuick, nextDeep]
        return .wait(until: due.min() ?? nextQuick)
    }

    /// The stream announced an event.
    package mutating func announce(_ id: String, at now: Duration) {
        // A pass is due already.
        guard readings.count <= Self.mostReadings else { return }
        guard !readings.contains(where: { $0.id == id && !$0.isLast }) else { return }
        readings.append(Reading(id: id, due: now))
    }

    /// The stream announced more events than the run keeps: a pass finds them.
    package mutating func announceUnknown(at now: Duration) { nextQuick = min(nextQuick, now) }

    /// An announced event does not match yet; its type and alerts may still come.
    package mutating func readAgain(_ id: String, at now: Duration) {
        readings.append(Reading(id: id, due: now + .seconds(3), isLast: true))
    }

    /// A doorbell was rung; its event is stored later, if at all.
    package mutating func ring(at now: Duration) {
        extra = (extra + [2, 10, 30].map { now + .seconds($0) }).sorted()
    }

    /// An event was left out whose entity or alarm may still come.
    package mutating func passSoon(at now: Duration) {
        extra = (extra + [now + .seconds(3)]).sorted()
    }

    /// The stream is open, or has ended; what came meanwhile was not announced.
    package mutating func setConnected(_ isConnected: Bool, at now: Duration) {
        self.isConnected = isConnected
        announcedInARow = 0
        if isConnected, !isRateLimited { blockedUntil = nil }
        nextQuick = isConnected ? now : min(nextQuick, now + pause)
    }

    /// A new event was found by a pass; `wasAnnounced` if the stream had named it.
    package mutating func found(wasAnnounced: Bool) {
        announcedInARow = wasAnnounced ? announcedInARow + 1 : 0
    }

    /// A pass has read all that it had to; it began at `start`.
    package mutating func passed(_ kind: FeedPassKind, from start: Duration, at now: Duration) {
        answered()
        if kind == .deep { nextDeep = start + Self.deepPause }
        nextQuick = max(start + pause, now)
        extra.removeAll { $0 <= start }
    }

    /// A single event was read.
    package mutating func answered() { (backOff, blockedUntil, isRateLimited) = (nil, nil, false) }

    /// The server gave no usable answer.
    package mutating func failed(at now: Duration) {
        delay(Backoff.ofRequests.pause(after: backOff), at: now)
    }

    /// The server has had enough requests for now (429): pauses double up to five minutes.
    package mutating func limited(at now: Duration, retryAfter: Duration?) {
        isRateLimited = true
        let doubled = max(pause, backOff ?? .zero) * 2
        delay(min(max(retryAfter ?? .zero, doubled), Self.longestBackOff), at: now)
    }

    private mutating func delay(_ duration: Duration, at now: Duration) {
        backOff = duration
        blockedUntil = now + duration
    }
}
