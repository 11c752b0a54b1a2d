/// The events in the states of all watches whose commands are to be run.
package struct HookQueue: QueueStore {
    private let states: WatchStates

    package init(_ states: WatchStates) { self.states = states }

    package func items() -> (items: [QueueItem], unreadable: [UnreadableFile]) {
        var items: [QueueItem] = []
        var unreadable: [UnreadableFile] = []
        for name in states.names {
            let stored = store(name).readable()
            unreadable += stored.unreadable
            let server = stored.entries.isEmpty ? nil : states.server(of: name)
            items += stored.entries.map { QueueItem($0, of: name, at: server) }
        }
        return (items.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }, unreadable)
    }

    package func retry(
        _ item: QueueItem, at now: Timestamp
    ) async throws(FileSystemError) -> Bool {
        guard let state = item.state else { return false }
        return try await store(state).retry(item.id, at: now)
    }

    package func drop(_ item: QueueItem) async throws(FileSystemError) -> Bool {
        guard let state = item.state else { return false }
        return try await store(state).drop(item.id)
    }

    private func store(_ name: String) -> HookStore { HookStore(states.hooks(of: name)) }
}

extension QueueItem {
    fileprivate init(_ entry: HookEntry, of state: String, at server: String?) {
        self.init(
            id: entry.id, kind: .hook, state: state, server: server, tries: entry.tries,
            nextTry: entry.nextTry, reason: entry.reason, addedAt: entry.addedAt,
            event: entry.event)
    }
}
