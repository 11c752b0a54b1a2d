import ArgusCore
import ArgusTransport

/// A pass that has begun: the range that is left, of which a slice is read at a time, so that a
/// backlog of months is never in memory whole.
struct FeedPass: Sendable {
    /// The events of a part of the range that the ledger lacks.
    struct Slice: Sendable {
        var events: [Event] = []
        /// The entries to record without handing an event over.
        var recorded: [EventLedger.Entry] = []
        var gaps: [EventGap] = []
        var notices: [EventNotice] = []
        var hasMalformedRow = false
        /// True if an event was left out that is to be looked at again in a moment.
        var isUnsettled = false
        /// The end of the part; nil if nothing is left to read.
        var until: Timestamp?

        fileprivate static func + (older: Slice, newer: Slice) -> Slice {
            Slice(
                events: older.events + newer.events, recorded: older.recorded + newer.recorded,
                gaps: (older.gaps + newer.gaps).coalesced, notices: older.notices + newer.notices,
                hasMalformedRow: older.hasMalformedRow || newer.hasMalformedRow,
                isUnsettled: older.isUnsettled || newer.isUnsettled)
        }
    }

    /// The maximum number of events in a slice of a long range; a larger one is reread in parts.
    private static let mostEvents = 300

    /// The length of a range that is read whatever is in it.
    private static let shortestSpan = Duration.seconds(60)

    /// The largest step back of the clock that changes no window: a `Date` has whole seconds only
    /// (RFC 9110, section 6.6.1).
    private static let clockError = Duration.seconds(60)

    let kind: FeedPassKind
    /// The monotonic time of the start.
    let startedAt: Duration
    /// The start by the server's clock.
    let start: Timestamp
    let window: FeedWindow
    /// The first capture time that is not read yet.
    private var next: Timestamp
    private var span = FeedWindow.deep + .seconds(7200)
    /// The window has followed a clock that went back; a server that sends ever earlier times
    /// would be asked without end.
    private var hasMoved = false

    /// Begins a pass at a time of the server's clock; the first one of a ledger hands over what was
    /// captured from `first` on, nil: what is stored from now on.
    init(
        _ kind: FeedPassKind, startedAt: Duration, _ now: Timestamp, of ledger: EventLedger,
        beginningAt first: Timestamp? = nil
    ) {
        (self.kind, self.startedAt, start) = (kind, startedAt, now)
        window =
            ledger.lastPass == nil
            ? FeedWindow(beginningAt: first, now: now) : FeedWindow(kind, at: now, of: ledger)
        next = window.since
        if isLong { span = .seconds(3600) }
    }

    /// True for a range longer than any regular pass, such as after days without a connection.
    var isLong: Bool { start - window.since > FeedWindow.deep + .seconds(7200) }

    var hasReadNothing: Bool { next == window.since }

    /// Returns this pass from its beginning, by a server's clock that went back since it was planned;
    /// nil if it did not.
    func moved(to now: Timestamp, of ledger: EventLedger) -> FeedPass? {
        guard ledger.lastPass != nil, !hasMoved, start - now > Self.clockError else { return nil }
        var moved = FeedPass(kind, startedAt: startedAt, now, of: ledger)
        moved.hasMoved = true
        return moved
    }

    /// Skips the time before `kept`, whose events the server no longer has.
    mutating func skip(to kept: Timestamp) { next = max(next, min(kept, start)) }

    /// Reads the next slice, without the ranges in `unreadable`, which are sorted.
    mutating func readSlice(
        of server: any FeedServer, notIn ledger: EventLedger, except unreadable: [EventGap]
    ) async throws(APIError) -> Slice {
        if unreadable.isEmpty, try await hasNothingNew(server, ledger) { return Slice() }
        while true {
            let end = next + span
            let until = end < start ? end : nil
            let slice = try await read(until, of: server, notIn: ledger, except: unreadable)
            let count = slice?.events.count ?? .max
            if count > Self.mostEvents {
                span = max(span / 2, Self.shortestSpan)
            } else if count < Self.mostEvents / 3 {
                span = min(span * 2, FeedWindow.deep)
            }
            guard var slice else { continue }
            slice.until = until
            next = until ?? next
            return slice
        }
    }

    /// Reads the events up to `until` that the ledger lacks; nil if they are too many at once.
    private func read(
        _ until: Timestamp?, of server: any FeedServer, notIn ledger: EventLedger,
        except unreadable: [EventGap]
    ) async throws(APIError) -> Slice? {
        var slice = Slice()
        var from = next
        for gap in unreadable where gap.until >= from {
            guard until.map({ gap.until <= $0 }) ?? true, let first = gap.from else { break }
            if first > from {
                let part = try await newEvents(from, first.before, of: server, notIn: ledger)
                guard let part else { return nil }
                slice = slice + part
            }
            from = max(from, gap.until.after)
        }
        let rest = try await newEvents(from, until, of: server, notIn: ledger)
        return rest.map { slice + $0 }
    }

    /// Looks whether the server lists in the whole range no more than what the ledger has.
    ///
    /// An event that was stored late while another one was deleted is left to a deep pass.
    private func hasNothingNew(
        _ server: any FeedServer, _ ledger: EventLedger
    ) async throws(APIError) -> Bool {
        guard kind == .quick, !isLong, window.recordedBefore == nil else { return false }
        let count = ledger.events.values.count { $0 >= next }
        return try await server.listsOnly(count, since: next) { id, _ in !ledger.contains(id) }
    }

    /// Reads the events of a range that the ledger lacks; nil if they are too many at once.
    private func newEvents(
        _ since: Timestamp, _ until: Timestamp?, of server: any FeedServer,
        notIn ledger: EventLedger
    ) async throws(APIError) -> Slice? {
        let limit = isLong && span > Self.shortestSpan ? Self.mostEvents : .max
        var recorded: [EventLedger.Entry] = []
        let found = try await server.events(since: since, until: until, atMost: limit) {
            id, time in
            guard !ledger.contains(id) else { return false }
            guard let border = window.recordedBefore, time ?? .latest < border || border == .latest
            else { return true }
            recorded.append(.event(.init(id), capturedAt: time ?? start))
            return false
        }
        guard let found else { return nil }
        // A gap without an end must not hide what comes after this pass.
        let gaps = found.gaps.map { gap in
            var gap = gap
            if gap.isOpenEnded { gap.until = max(start, gap.from ?? since) }
            return gap
        }
        return Slice(
            events: found.events, recorded: recorded, gaps: gaps, notices: found.notices,
            hasMalformedRow: found.hasMalformedRow, isUnsettled: found.isUnsettled)
    }
}
