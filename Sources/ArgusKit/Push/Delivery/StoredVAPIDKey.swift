/// The VAPID key of this user, with the time at which it was made.
///
/// A Web Push subscription is bound to the key that it was made with (RFC 8292, section 4), so another
/// key ends the deliveries to all that exist.
package struct StoredVAPIDKey: Hashable, Sendable {
    package var key: VAPIDKey
    package var createdAt: Timestamp

    package init(_ key: VAPIDKey, createdAt: Timestamp) {
        self.key = key
        self.createdAt = createdAt
    }
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

extension CredentialStore {
    private var vapidPlace: CredentialKey { CredentialKey(.none, .vapid) }

    /// The VAPID key of this user; nil before the first one was made.
    ///
    /// - Throws: `CredentialStoreError`.
    package func vapidKey() async throws(CredentialStoreError) -> StoredVAPIDKey? {
        try await document(vapidPlace)
    }

    /// Stores the VAPID key of this user in place of an older one.
    ///
    /// - Throws: `CredentialStoreError`; the older key is then still stored.
    package func keep(_ key: StoredVAPIDKey) async throws(CredentialStoreError) {
        let value = Redacted(key.state.document(.compact))
        try await write(value, for: vapidPlace)
        try await expectKept(value, for: vapidPlace)
    }
}
