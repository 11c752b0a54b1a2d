package import ArgusAccount
package import ArgusCore
package import ArgusEvents

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
    /// True for a hook whose watch does not run, so that only the next one tries it.
    package var needsWatch = false

    package var kind: Kind { write == nil ? .hook : .write }

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

/// The items that `argus queue` shows and changes: events in the states of all watches whose commands
/// are to be run, and the queued writes of all servers.
package struct QueueStore: Sendable {
    private let states: WatchStates
    private let writes: WriteStore?

    package init(in state: Paths.Folder) {
        (states, writes) = (WatchStates(in: state), WriteStore(in: state))
    }

    /// All items, first those of watches, oldest first, and what cannot be read.
    package func items() -> (items: [QueueItem], unreadable: [UnreadableFile]) {
        var items: [QueueItem] = []
        var unreadable: [UnreadableFile] = []
        for name in states.names {
            let stored = hooks(of: name).readable()
            unreadable += stored.unreadable
            guard !stored.entries.isEmpty else { continue }
            let server = states.server(of: name)
            let isRunning = (try? states.isRunning(name)) ?? true
            items += stored.entries.map { entry in
                QueueItem(
                    id: entry.id, state: name, server: server, tries: entry.tries,
                    nextTry: entry.nextTry, reason: entry.reason, addedAt: entry.addedAt,
                    event: entry.event, needsWatch: !isRunning && !entry.isSetAside)
            }
        }
        items.sort { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
        guard let writes else { return (items, unreadable) }
        do throws(FileSystemError) {
            for server in try writes.servers {
                let stored = writes.writes(of: server)
                unreadable += stored.unreadable
                items += stored.writes.map { write in
                    QueueItem(
                        id: write.id, server: server, tries: write.tries, nextTry: write.nextTry,
                        reason: write.reason, addedAt: write.addedAt, write: write)
                }
            }
        } catch {
            unreadable.append(UnreadableFile(error))
        }
        return (items, unreadable)
    }

    /// Starts a new series of tries with one that is due now; false if the item is gone.
    /// - Throws: `FileSystemError`.
    package func retry(
        _ item: QueueItem, at now: Timestamp
    ) async throws(FileSystemError) -> Bool {
        if let state = item.state { return try await hooks(of: state).retry(item.id, at: now) }
        guard let writes, let write = item.write else { return false }
        return try await writes.change(write) { $0.retry(at: now) } != nil
    }

    /// Removes an item for good; false if it is gone.
    /// - Throws: `FileSystemError`.
    package func drop(_ item: QueueItem) async throws(FileSystemError) -> Bool {
        if let state = item.state { return try await hooks(of: state).drop(item.id) }
        guard let writes, let write = item.write else { return false }
        return try await writes.remove(write)
    }

    private func hooks(of state: String) -> HookStore { HookStore(states.hooks(of: state)) }
}
