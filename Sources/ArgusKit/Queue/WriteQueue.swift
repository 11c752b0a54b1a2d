/// The queued writes of all servers, as `argus queue` shows and changes them.
package struct WriteQueue: QueueStore {
    private let store: WriteStore?

    package init(_ store: WriteStore?) { self.store = store }

    package func items() -> (items: [QueueItem], unreadable: [UnreadableFile]) {
        guard let store else { return ([], []) }
        do throws(FileSystemError) {
            let stored = try store.servers.map { store.writes(of: $0) }
            return (
                stored.flatMap(\.writes).map { QueueItem($0) }, stored.flatMap(\.unreadable)
            )
        } catch {
            return ([], [UnreadableFile(error)])
        }
    }

    package func retry(
        _ item: QueueItem, at now: Timestamp
    ) async throws(FileSystemError) -> Bool {
        guard let store, let write = item.write else { return false }
        return try await store.change(write) { $0.retry(at: now) } != nil
    }

    package func drop(_ item: QueueItem) async throws(FileSystemError) -> Bool {
        guard let store, let write = item.write else { return false }
        return try await store.remove(write)
    }
}

extension QueueItem {
    fileprivate init(_ write: QueuedWrite) {
        self.init(
            id: write.id, kind: .write, server: write.server, tries: write.tries,
            nextTry: write.nextTry, reason: write.reason, addedAt: write.addedAt, write: write)
    }
}
