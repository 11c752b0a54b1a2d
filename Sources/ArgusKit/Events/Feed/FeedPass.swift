/// A pass that has begun: the range that is left, of which a slice is read at a time, so that a
/// backlog of months is never in memory whole.
struct FeedPass: Sendable {
    /// The new events of a part of the range.
    struct Slice: Sendable {
        var events: [Event] = []
        /// The ranges for which the server fails.
        var gaps: [FeedGap] = []
        /// True if nothing is left to read.
        var isLast = false

        fileprivate static func + (older: Slice, newer: Slice) -> Slice {
            Slice(events: older.events + newer.events, gaps: older.gaps + newer.gaps)
        }
    }

    let kind: FeedPassKind
    /// The monotonic time of the start.
    let begun: Duration
    /// The start by the server's clock.
    let start: Timestamp
    let window: FeedWindow
    /// The first capture time that is not read yet.
    private var next: Timestamp
    /// The window has followed a clock that went back; a server that sends ever earlier times
    /// would be asked without end.
    private var hasMoved = false

    /// Begins a pass at a time of the server's clock; the first one of a ledger hands over what was
    /// captured from `first` on, nil: what is stored from now on.
    init(
        _ kind: FeedPassKind, begunAt begun: Duration, _ now: Timestamp, of ledger: EventLedger,
        beginningAt first: Timestamp? = nil
    ) {
        (self.kind, self.begun, start) = (kind, begun, now)
        window =
            ledger.lastPass == nil
            ? FeedWindow(beginningAt: first, now: now) : FeedWindow(kind, at: now, of: ledger)
        next = window.since
    }

    /// True before the first slice.
    var hasReadNothing: Bool { next == window.since }

    /// Returns this pass from its beginning, by a server's clock that went back since it was planned;
    /// nil if it did not.
    func moved(to now: Timestamp, of ledger: EventLedger) -> FeedPass? {
        guard ledger.lastPass != nil, !hasMoved, now < start else { return nil }
        var moved = FeedPass(kind, begunAt: begun, now, of: ledger)
        moved.hasMoved = true
        return moved
    }

    /// Reads the next slice's events that the ledger lacks, but for ranges known to be unreadable,
    /// in order.
    mutating func readSlice(
        of server: any FeedServer, lacking ledger: EventLedger, except unreadable: [FeedGap]
    ) async throws(APIError) -> Slice {
        let end = next + FeedWindow.deep
        let until = end < start ? end : nil
        var slice = Slice()
        var from = next
        for gap in unreadable where gap.until >= from {
            guard until.map({ gap.until <= $0 }) ?? true, let first = gap.from else { break }
            if first > from {
                slice = slice + (try await search(server, ledger, from, first.before))
            }
            from = max(from, gap.until.after)
        }
        slice = slice + (try await search(server, ledger, from, until))
        slice.isLast = until == nil
        next = until ?? next
        return slice
    }

    /// Reads the new events of a range; a server that fails for it is asked for its halves, down to
    /// a millisecond that is a gap.
    private func search(
        _ server: any FeedServer, _ ledger: EventLedger, _ since: Timestamp, _ until: Timestamp?
    ) async throws(APIError) -> Slice {
        do throws(APIError) {
            let events = try await server.events(since: since, until: until) { id, _ in
                !ledger.contains(id)
            }
            return Slice(events: events)
        } catch  where error.status == 500 && !error.isBareText {
            let end = until ?? max(start, since)
            guard end - since > .milliseconds(1) else {
                return Slice(gaps: [FeedGap(reason: .unreadable, from: since, until: end)])
            }
            let middle = Timestamp(
                microseconds: since.microseconds + (end.microseconds - since.microseconds) / 2)
            let older = try await search(server, ledger, since, middle)
            return older + (try await search(server, ledger, middle.after, until))
        }
    }
}
