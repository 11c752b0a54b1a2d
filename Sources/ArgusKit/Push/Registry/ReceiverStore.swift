package import ArgusAccount
package import ArgusCore

/// The registry in the sealed store, and the VAPID key; every run of argus shares them.
package struct ReceiverStore: Sendable {
    /// The longest wait for another process to change the registry.
    private static let timeout = Duration.seconds(30)
    private static let key = CredentialKey(.none, .receivers)
    /// A document with the receivers of `push listen` alone, which earlier versions write.
    private static let listeningKey = CredentialKey(.none, .listening)
    private static let vapid = CredentialKey(.none, .vapid)

    private let store: any CredentialStore
    let folder: Paths.Folder

    /// Makes the registry, with its lock in the state folder.
    package init(in store: any CredentialStore, _ folder: Paths.Folder) {
        (self.store, self.folder) = (store, folder)
    }

    /// Reads the registry.
    /// - Throws: `AccountError`.
    package func load() async throws(AccountError) -> ReceiverRegistry {
        var registry: ReceiverRegistry = try await store.document(Self.key) ?? ReceiverRegistry()
        let older: ListeningReceiver.Document? = try await store.document(Self.listeningKey)
        let missing = older?.receivers.filter { !registry.listening.contains($0) }
        registry.listening += missing ?? []
        return registry
    }

    /// Changes the registry while no other process does.
    /// - Throws: `AccountError`; the registry is then as it was.
    package func change<Value>(
        _ change: (inout ReceiverRegistry) -> Value
    ) async throws(AccountError) -> Value {
        try await locked { () async throws(AccountError) in
            var registry = try await load()
            let before = registry
            let value = change(&registry)
            if registry != before { try await write(registry) }
            return value
        }
    }

    /// The VAPID key, which the first call makes.
    /// - Throws: `AccountError`.
    package func vapidKey(at now: Timestamp) async throws(AccountError) -> StoredVAPIDKey {
        if let key = try await knownVAPIDKey() { return key }
        return try await locked { () async throws(AccountError) in
            if let key = try await knownVAPIDKey() { return key }
            return try await makeVAPIDKey(at: now)
        }
    }

    /// The VAPID key; nil before the first one was made.
    /// - Throws: `AccountError`.
    package func knownVAPIDKey() async throws(AccountError) -> StoredVAPIDKey? {
        try await store.document(Self.vapid)
    }

    /// Replaces the VAPID key, and deactivates the receivers that are bound to the old one.
    /// - Returns: the new key and the number of these receivers.
    /// - Throws: `AccountError`.
    package func rotateVAPIDKey(
        at now: Timestamp
    ) async throws(AccountError) -> (key: StoredVAPIDKey, lost: Int) {
        try await locked { () async throws(AccountError) in
            var registry = try await load()
            let lost = registry.loseKey(at: now)
            // First, so that a kill in between leaves no receiver whose pushes must fail.
            if lost > 0 { try await write(registry) }
            return (try await makeVAPIDKey(at: now), lost)
        }
    }

    private func makeVAPIDKey(
        at now: Timestamp
    ) async throws(AccountError) -> StoredVAPIDKey {
        let key = StoredVAPIDKey(key: .random(), createdAt: now)
        let value = Redacted(key.state.document(.compact))
        try await store.write(value, for: Self.vapid)
        try await store.expectKept(value, for: Self.vapid)
        return key
    }

    private func write(_ registry: ReceiverRegistry) async throws(AccountError) {
        // Endpoints and tokens mask themselves.
        let document = Redacted(registry.state.document(.compact), masking: [])
        try await store.write(document, for: Self.key)
        try await store.erase(Self.listeningKey)
    }

    private func locked<Value>(
        _ work: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await folder.withLock(
            "push-tokens.lock", timeout: Self.timeout,
            unlocked: { error throws(AccountError) in throw .storeFile(error) }, work)
    }
}

/// The VAPID key of this user, with the time at which it was made.
///
/// A Web Push subscription is bound to the key that it was made with (RFC 8292, section 4), so another
/// key ends the deliveries to all that exist.
package struct StoredVAPIDKey: Hashable, Sendable {
    package var key: VAPIDKey
    package var createdAt: Timestamp
}

/// The document in the store.
///
///     {"version":1,"private_key":"…","created_at":"2026-11-22T18:00:00.000000Z"}
extension StoredVAPIDKey: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        let secret = Redacted(try object.text("private_key").required())
        key = try (try? VAPIDKey(secret: secret)).required()
        createdAt = try object.time("created_at").required()
    }

    package var state: JSONValue {
        var object = JSONObject.document()
        object.put("private_key", key.secret.reveal())
        object.put("created_at", createdAt)
        return object.value
    }
}
