package import ArgusCore

/// A fact about hooks for the user.
package enum HookReport: Sendable {
    /// The hook of the entry's event failed at `at`, or the event was set aside then to make room; the
    /// entry holds the reason of the last failure.
    case failed(HookEntry, at: Timestamp)
    /// The store cannot be changed.
    case notStored(FileSystemError)
    /// A file of the store holds no entry.
    case damaged(String)
}

/// The events whose hooks had not succeeded when the watch ended.
package struct HookSummary: Sendable {
    /// The events that this watch set aside, oldest first.
    package var setAside: [HookEntry]
    /// The number of further events, whose details were dropped.
    package var forgotten = 0
    /// The events that only memory had.
    package var lost: [HookEntry]
    /// The number of events whose hooks the next watch with the state runs.
    package var kept: Int
}

extension HookSummary {
    /// Joins the summaries of several dispatchers.
    package init(joining parts: [HookSummary]) {
        self.init(
            setAside: parts.flatMap(\.setAside),
            forgotten: parts.reduce(0) { $0 + $1.forgotten }, lost: parts.flatMap(\.lost),
            kept: parts.reduce(0) { $0 + $1.kept })
    }
}

extension HookDispatcher {
    package struct Limits: Sendable {
        /// The maximum number of hooks at once.
        package var parallel = 4
        /// The number of tries after which an event is set aside.
        package var tries = 5

        package init() {}
    }
}
