package import ArgusCore
internal import Crypto

/// The events that a feed has handed over, or that were there before it began, by id and capture
/// time.
package struct EventLedger: Sendable, Equatable {
    /// Ten bytes that stand for an id: the beginning of its SHA-256.
    package struct Key: Hashable, Sendable {
        package var high: UInt64
        var low: UInt16

        package init(_ id: String) {
            let bytes = Array(SHA256.hash(data: Array(id.utf8)))
            high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = UInt16(bytes[8]) << 8 | UInt16(bytes[9])
        }

        init(high: UInt64, low: UInt16) {
            self.high = high
            self.low = low
        }
    }

    /// A change of a ledger, as its file keeps it.
    package enum Entry: Sendable, Equatable {
        /// An event was handed over, or was there before the feed began.
        case event(Key, capturedAt: Timestamp)
        /// A pass that began then, by the server's clock, is complete.
        case pass(Timestamp)
        /// Like `pass`, for a deep one (see `FeedPassKind`).
        case deepPass(Timestamp)
        /// Events captured before then are not known any more.
        case horizon(Timestamp)
    }

    /// The time after its capture for which an event is kept: the deep window, the largest step of a
    /// server's clock that is not a gap, and an hour between two deep passes.
    static let retention = FeedWindow.deep + FeedWindow.largestStepBack + .seconds(3600)

    /// The capture times of the events by their keys.
    package private(set) var events: [Key: Timestamp] = [:]
    /// The start of the last complete pass, by the server's clock; nil before the first.
    package private(set) var lastPass: Timestamp?
    /// The same of the last complete deep pass.
    package private(set) var lastDeepPass: Timestamp?
    /// Events captured before then are unknown: they may have been handed over, or not.
    package private(set) var horizon: Timestamp?

    package init() {}

    /// Returns true for an event that was handed over or predates the feed.
    package func contains(_ id: String) -> Bool { events[Key(id)] != nil }

    package var count: Int { events.count }

    /// Applies a change.
    package mutating func apply(_ entry: Entry) {
        switch entry {
        case .event(let key, let time): events[key] = time
        case .pass(let time): lastPass = time
        case .deepPass(let time): lastDeepPass = time
        case .horizon(let time):
            horizon = time
            events = events.filter { $0.value >= time }
        }
    }

    /// The horizon that a complete pass allows; nil while it would forget too little to matter.
    func horizon(after pass: Timestamp) -> Timestamp? {
        let next = pass - Self.retention
        guard let horizon else { return next }
        return next - horizon >= .seconds(3600) ? next : nil
    }

    /// Calls `body` with the entries that make this ledger from an empty one.
    func forEachEntry(_ body: (Entry) -> Void) {
        if let horizon { body(.horizon(horizon)) }
        if let lastPass { body(.pass(lastPass)) }
        if let lastDeepPass { body(.deepPass(lastDeepPass)) }
        for (key, time) in events { body(.event(key, capturedAt: time)) }
    }
}
