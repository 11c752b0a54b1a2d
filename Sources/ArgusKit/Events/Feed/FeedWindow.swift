package import ArgusCore

/// A range of capture times that a feed cannot vouch for: events in it may never be handed over.
package struct EventGap: Sendable, Equatable {
    /// The reason why a range cannot be read without loss.
    package enum Reason: Sendable, Equatable {
        /// The server has deleted events that no pass had read.
        case deleted
        /// The server's clock went back by more than a ledger remembers.
        case clockStep
        /// The server fails for whatever it lists there.
        case unreadable
    }

    package var reason: Reason
    /// The first capture time of the range; nil where none is known.
    package var from: Timestamp?
    /// The last capture time of the range.
    package var until: Timestamp

    /// The range as `from A to B` or `after A`, in UTC to the microsecond, as servers take it.
    package var utcText: String {
        if let from, isOpenEnded { return "after \(from.utcText)" }
        return (from.map { "from \($0.utcText) to " } ?? "until ") + until.utcText
    }

    /// Returns true for a capture time in the range.
    package func contains(_ time: Timestamp) -> Bool {
        time <= until && from.map { $0 <= time } ?? true
    }

    /// True if another gap has this one, but for the millisecond at each end that depends on the
    /// pass.
    func isPart(of other: EventGap) -> Bool {
        let slack = Duration.milliseconds(1)
        let isLater = other.from.map { first in from.map { $0 + slack >= first } ?? false } ?? true
        return reason == other.reason && isLater && until <= other.until + slack
    }
}

extension [EventGap] {
    /// The same ranges by time; those of one reason that follow each other at once are one.
    package var coalesced: [EventGap] {
        var gaps: [EventGap] = []
        for gap in sorted(by: { $0.until < $1.until }) {
            if let last = gaps.last, last.reason == gap.reason, last.until.after == gap.from {
                gaps[gaps.count - 1].until = gap.until
            } else {
                gaps.append(gap)
            }
        }
        return gaps
    }
}

/// The kind of a pass: how far back it looks for events that were stored late.
package enum FeedPassKind: Sendable {
    /// Every few seconds, for what was stored within two hours of its capture.
    case quick
    /// Hourly and at the start, for what was stored within 26 hours of its capture.
    case deep
}

/// The range of capture times that a pass reads; it has no upper end.
package struct FeedWindow: Sendable, Equatable {
    static let quick = Duration.seconds(2 * 3600)
    static let deep = Duration.seconds(26 * 3600)
    /// The largest step back of the server's clock after which nothing is lost.
    static let largestStepBack = Duration.seconds(24 * 3600)

    /// The first capture time to read.
    package var since: Timestamp
    /// Unknown events captured before this time are recorded, not handed over: they are older than
    /// the feed, or an earlier pass may have handed them over.
    package var recordedBefore: Timestamp?
    package var gap: EventGap?

    /// Plans a pass at a time of the server's clock.
    ///
    /// A quick one starts 2 hours before the start of the last complete pass of either kind, a deep
    /// one 26 hours before that of the last deep one, to catch events that were stored late. If the
    /// server's clock went back, so does the window.
    package init(_ kind: FeedPassKind, at now: Timestamp, of ledger: EventLedger) {
        let last = kind == .deep ? ledger.lastDeepPass : ledger.lastPass
        let reference = min(last ?? now, now)
        since = reference - (kind == .deep ? Self.deep : Self.quick)
        guard let horizon = ledger.horizon, since < horizon else { return }
        recordedBefore = horizon
        gap = EventGap(reason: .clockStep, from: since, until: horizon)
    }

    /// Plans the first pass of a feed that begins with events captured from `start` on; nil: with
    /// those that are stored from now on.
    package init(beginningAt start: Timestamp?, now: Timestamp) {
        since = min(start ?? now, now - Self.deep)
        recordedBefore = start ?? .latest
    }
}
