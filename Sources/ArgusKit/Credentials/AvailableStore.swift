/// The store that currently holds a server's secrets, looked up for each call.
///
/// A renewal may wait for a lock while another process moves the secrets, so a store found before
/// the lock may be out of date.
package struct AvailableStore: CredentialStore {
    package let name: String
    private let find: @Sendable () throws(CredentialStoreError) -> any CredentialStore

    /// Makes a store that calls `find` for each access; `name` is the store at first.
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
