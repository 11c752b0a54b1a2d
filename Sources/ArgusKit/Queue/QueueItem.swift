/// A piece of work that waits, or was set aside after too many failures.
package struct QueueItem: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The command of a watch, to be run for an event.
        case hook
        /// A change for a server that gave no usable answer.
        case write
    }

    /// For a hook, the event's id.
    package var id: String
    package var kind: Kind
    /// The state of the watch to which it belongs; nil for a write.
    package var state: String?
    /// The id of the server's record; nil if the state's file is damaged.
    package var server: String?
    package var tries: Int
    /// The time of the next try; nil once it is set aside.
    package var nextTry: Timestamp?
    /// The reason why the last try failed.
    package var reason: String?
    package var addedAt: Timestamp
    /// The event of a hook.
    package var event: Event?
    package var write: QueuedWrite?

    package var status: QueuedWrite.Status {
        write?.status ?? (nextTry == nil ? .setAside : .waiting)
    }

    /// A short summary, such as `person, Front Door` or `cameras disable, Garage`.
    package var subject: String {
        let words = [
            event?.type, event?.cameraName ?? event?.cameraID, write?.write.operation,
            write.map { $0.label ?? $0.write.object },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}

/// The store of one kind of items.
///
/// `argus queue` shows and changes those of all stores.
package protocol QueueStore: Sendable {
    /// All items, and what cannot be read.
    func items() -> (items: [QueueItem], unreadable: [UnreadableFile])

    /// Starts a new series of tries with one that is due now; false if the item is gone.
    /// - Throws: `FileSystemError`.
    func retry(_ item: QueueItem, at now: Timestamp) async throws(FileSystemError) -> Bool

    /// Removes an item for good; false if it is gone.
    /// - Throws: `FileSystemError`.
    func drop(_ item: QueueItem) async throws(FileSystemError) -> Bool
}
