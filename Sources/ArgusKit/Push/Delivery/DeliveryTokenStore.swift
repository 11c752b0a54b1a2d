/// The registry in the sealed store, which every run of argus shares.
package struct DeliveryTokenStore: Sendable {
    /// The longest wait for another process to change the registry.
    private static let timeout = Duration.seconds(30)
    private static let key = CredentialKey(.none, .deliveryTokens)

    private let store: any CredentialStore
    private let folder: Paths.Folder
    private let sleep: FileLock.Sleep

    /// Makes the registry, with its lock in the state folder.
    package init(
        in store: any CredentialStore, _ folder: Paths.Folder,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) {
        (self.store, self.folder, self.sleep) = (store, folder, sleep)
    }

    /// Reads the registry.
    ///
    /// - Throws: `CredentialStoreError`.
    package func load() async throws(CredentialStoreError) -> DeliveryTokens {
        try await store.document(Self.key) ?? DeliveryTokens()
    }

    /// Changes the registry while no other process does.
    ///
    /// - Throws: `CredentialStoreError`; the registry is then as it was.
    package func change<Value>(
        _ change: (inout DeliveryTokens) -> Value
    ) async throws(CredentialStoreError) -> Value {
        try await locked { () async throws(CredentialStoreError) in
            var tokens = try await load()
            let before = tokens
            let value = change(&tokens)
            if tokens != before { try await write(tokens) }
            return value
        }
    }

    /// The VAPID key, which the first call makes.
    ///
    /// - Throws: `CredentialStoreError`.
    package func vapidKey(at now: Timestamp) async throws(CredentialStoreError) -> StoredVAPIDKey {
        if let key = try await store.vapidKey() { return key }
        return try await locked { () async throws(CredentialStoreError) in
            if let key = try await store.vapidKey() { return key }
            let key = StoredVAPIDKey(.random(), createdAt: now)
            try await store.keep(key)
            return key
        }
    }

    /// The VAPID key; nil before the first one was made.
    ///
    /// - Throws: `CredentialStoreError`.
    package func knownVAPIDKey() async throws(CredentialStoreError) -> StoredVAPIDKey? {
        try await store.vapidKey()
    }

    /// Replaces the VAPID key, and deactivates the receivers that are bound to the old one.
    ///
    /// - Returns: the new key and the number of these receivers.
    /// - Throws: `CredentialStoreError`.
    package func rotateVAPIDKey(
        at now: Timestamp
    ) async throws(CredentialStoreError) -> (key: StoredVAPIDKey, lost: Int) {
        try await locked { () async throws(CredentialStoreError) in
            var tokens = try await load()
            let key = StoredVAPIDKey(.random(), createdAt: now)
            let lost = tokens.loseKey(at: now)
            // First, so that a kill in between leaves no receiver whose pushes must fail.
            if lost > 0 { try await write(tokens) }
            try await store.keep(key)
            return (key, lost)
        }
    }

    private func write(_ tokens: DeliveryTokens) async throws(CredentialStoreError) {
        try await store.write(Redacted(tokens.state.document(.compact)), for: Self.key)
    }

    private func locked<Value>(
        _ work: () async throws(CredentialStoreError) -> Value
    ) async throws(CredentialStoreError) -> Value {
        try await folder.withLock(
            "push-tokens.lock", timeout: Self.timeout, sleep: sleep,
            unlocked: { error throws(CredentialStoreError) in throw .file(error) }, work)
    }
}
