package import ArgusAccount
import ArgusCore
import Glibc

/// A subscription of a receiver on this machine at a server.
///
/// A receiver holds a lock while it runs; one whose lock is free is left from a run that was killed.
/// Private keys are not recorded.
package struct ListeningReceiver: Hashable, Sendable {
    /// The name of its lock.
    package var id: String
    /// The server, by the id of its record, or by its URL.
    package var server: String
    package var endpoint: PushEndpoint
}

extension ReceiverStore {
    /// A subscription recorded by this process; releasing it releases its lock.
    final class Holding: Sendable {
        let id: String
        private let lock: FileLock?

        fileprivate init(_ id: String, _ lock: consuming FileLock?) {
            self.id = id
            self.lock = lock
        }
    }

    /// Records a subscription that is about to be made.
    /// - Throws: `AccountError`; nothing is recorded then.
    func add(
        _ endpoint: PushEndpoint, of server: String
    ) async throws(AccountError) -> Holding {
        let id = Checksum.sha256(SealedEnvelope.randomBytes(16)).prefix(16)
        let receiver = ListeningReceiver(id: String(id), server: server, endpoint: endpoint)
        // The lock comes first: a receiver without a holder would be ended by another process.
        let holding = Holding(receiver.id, try await lock(receiver.id))
        try await change { $0.listening.append(receiver) }
        return holding
    }

    /// Removes a recorded subscription that the server no longer has.
    /// - Throws: `AccountError`.
    func remove(_ id: String) async throws(AccountError) {
        try await change { registry in registry.listening.removeAll { $0.id == id } }
        if let path = path(of: id) { unlink(path) }
    }

    /// The recorded subscriptions of a server, of receivers that run and of those that were killed.
    /// - Throws: `AccountError`.
    package func listening(
        of server: String
    ) async throws(AccountError) -> [ListeningReceiver] {
        try await load().listening.filter { $0.server == server }
    }

    /// The subscriptions whose receivers no longer run.
    /// - Throws: `AccountError`.
    func abandoned(of server: String) async throws(AccountError) -> [ListeningReceiver] {
        try await listening(of: server).filter { receiver in
            guard let path = path(of: receiver.id) else { return false }
            // One whose lock cannot be read is left alone.
            return (try? FileLock.isHeld(path)) == false
        }
    }

    private func lock(_ id: String) async throws(AccountError) -> FileLock? {
        guard let path = path(of: id) else { return nil }
        do throws(FileSystemError) {
            try PrivateFolder.prepare(FileRename.folder(of: path))
            return try await FileLock(path, timeout: .zero)
        } catch {
            throw .storeFile(error)
        }
    }

    private func path(of id: String) -> String? { folder.file("listen/\(id).lock") }
}

extension ListeningReceiver {
    /// A document with such receivers alone.
    ///
    ///     {"version":1,"receivers":[{"id":"…","server":"…","endpoint":"…"}]}
    struct Document: StateDocument {
        var receivers: [ListeningReceiver]

        init(state: JSONValue) throws(StateUnreadable) {
            var object = try JSONObject(document: state)
            receivers = try ListeningReceiver.list(in: &object)
        }

        var state: JSONValue {
            var object = JSONObject.document()
            object.put("receivers", .list(receivers.map(\.state)))
            return object.value
        }
    }

    /// Removes and returns the receivers of a document; none if it has no such member.
    static func list(
        in object: inout JSONObject
    ) throws(StateUnreadable) -> [ListeningReceiver] {
        try (object.list("receivers") ?? []).map { value throws(StateUnreadable) in
            var row = try JSONObject(value)
            let endpoint = try? PushEndpoint(row.text("endpoint").required())
            return ListeningReceiver(
                id: try row.text("id").required(), server: try row.text("server").required(),
                endpoint: try endpoint.required())
        }
    }

    var state: JSONValue {
        var row = JSONObject()
        row.put("id", id)
        row.put("server", server)
        row.put("endpoint", endpoint.text.reveal())
        return row.value
    }
}
