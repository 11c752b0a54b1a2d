package import ArgusAccount
import ArgusCore
import Glibc

/// The subscriptions of receivers on this machine, recorded before the server knows them.
///
/// A receiver holds a lock while it runs; an entry whose lock is free is left from one that was
/// killed. The endpoints are secret, so the record is in the sealed store; private keys are not in
/// it.
package struct ReceiverRegistry: Sendable {
    /// A recorded subscription.
    package struct Entry: Hashable, Sendable {
        /// The name of its lock.
        package var id: String
        /// The server, by the id of its record, or by its URL.
        package var server: String
        package var endpoint: PushEndpoint
    }

    /// A subscription recorded by this process; releasing it releases its lock.
    final class Holding: Sendable {
        let id: String
        private let lock: FileLock?

        fileprivate init(_ id: String, _ lock: consuming FileLock?) {
            self.id = id
            self.lock = lock
        }
    }

    /// The longest wait for another process to change the record.
    private static let timeout = Duration.seconds(30)
    private static let key = CredentialKey(.none, .receivers)

    private let store: any CredentialStore
    private let folder: Paths.Folder

    /// Makes the registry, with its locks in the state folder.
    package init(in store: any CredentialStore, _ folder: Paths.Folder) {
        (self.store, self.folder) = (store, folder)
    }

    /// Records a subscription that is about to be made.
    /// - Throws: `CredentialStoreError`; nothing is recorded then.
    func add(
        _ endpoint: PushEndpoint, of server: String
    ) async throws(CredentialStoreError) -> Holding {
        let id = Checksum.sha256(SealedEnvelope.randomBytes(16)).prefix(16)
        let entry = Entry(id: String(id), server: server, endpoint: endpoint)
        // The lock comes first: an entry without a holder would be ended by another process.
        let holding = Holding(entry.id, try await lock(entry.id))
        try await change { $0.append(entry) }
        return holding
    }

    /// Removes a recorded subscription that the server no longer has.
    /// - Throws: `CredentialStoreError`.
    func remove(_ id: String) async throws(CredentialStoreError) {
        try await change { entries in entries.removeAll { $0.id == id } }
        if let path = path(of: id) { unlink(path) }
    }

    /// The recorded subscriptions of a server, of receivers that run and of those that were killed.
    /// - Throws: `CredentialStoreError`.
    package func entries(of server: String) async throws(CredentialStoreError) -> [Entry] {
        try await load().filter { $0.server == server }
    }

    /// The subscriptions whose receivers no longer run.
    /// - Throws: `CredentialStoreError`.
    func abandoned(of server: String) async throws(CredentialStoreError) -> [Entry] {
        try await entries(of: server).filter { entry in
            guard let path = path(of: entry.id) else { return false }
            // One whose lock cannot be read is left alone.
            return (try? FileLock.isHeld(path)) == false
        }
    }

    private func lock(_ id: String) async throws(CredentialStoreError) -> FileLock? {
        guard let path = path(of: id) else { return nil }
        do throws(FileSystemError) {
            try PrivateFolder.prepare(FileRename.folder(of: path))
            return try await FileLock(path, timeout: .zero)
        } catch {
            throw .file(error)
        }
    }

    private func path(of id: String) -> String? { folder.file("listen/\(id).lock") }

    private func load() async throws(CredentialStoreError) -> [Entry] {
        let record: ReceiverRecord? = try await store.document(Self.key)
        return record?.entries ?? []
    }

    private func change(
        _ change: (inout [Entry]) -> Void
    ) async throws(CredentialStoreError) {
        try await folder.withLock(
            "push-receivers.lock", timeout: Self.timeout,
            unlocked: { error throws(CredentialStoreError) in throw .file(error) }
        ) { () async throws(CredentialStoreError) in
            var entries = try await load()
            let before = entries
            change(&entries)
            guard entries != before else { return }
            guard !entries.isEmpty else { return try await store.erase(Self.key) }
            let document = ReceiverRecord(entries: entries).state.document(.compact)
            try await store.write(Redacted(document, masking: []), for: Self.key)
        }
    }
}

/// The document in the store.
///
///     {"version":1,"receivers":[{"id":"9f86d081884c7d65","server":"0b7c…",
///      "endpoint":"http://192.168.1.5:40123/…"}]}
private struct ReceiverRecord: StateDocument {
    var entries: [ReceiverRegistry.Entry]

    init(entries: [ReceiverRegistry.Entry]) { self.entries = entries }

    init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        entries = try (object.list("receivers") ?? []).map { value throws(StateUnreadable) in
            var row = try JSONObject(value)
            let endpoint = try? PushEndpoint(row.text("endpoint").required())
            return ReceiverRegistry.Entry(
                id: try row.text("id").required(), server: try row.text("server").required(),
                endpoint: try endpoint.required())
        }
    }

    var state: JSONValue {
        let rows = entries.map { entry in
            var row = JSONObject()
            row.put("id", entry.id)
            row.put("server", entry.server)
            row.put("endpoint", entry.endpoint.text.reveal())
            return row.value
        }
        var object = JSONObject.document()
        object.put("receivers", .list(rows))
        return object.value
    }
}
