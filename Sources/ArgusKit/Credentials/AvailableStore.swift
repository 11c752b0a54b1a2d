/// The store that holds the secrets of a server now, found anew for each call.
///
/// A renewal may wait for a lock while another process moves the secrets: what it read before the
/// lock about where they are is no longer true then.
package struct AvailableStore: CredentialStore {
    package let name: String
    private let find: @Sendable () throws(CredentialStoreError) -> any CredentialStore

    /// Makes a store that asks `find` where to look; `name` is where the secrets were at first.
    package init(
        name: String,
        find: @escaping @Sendable () throws(CredentialStoreError) -> any CredentialStore
    ) {
        self.name = name
        self.find = find
    }

    package func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        try await find().read(key)
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        try await find().write(value, for: key)
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        try await find().erase(key)
    }
}
