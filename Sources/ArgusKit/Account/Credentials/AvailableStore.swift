package import ArgusCore

/// The store that currently holds a server's secrets, looked up for each call.
///
/// While a renewal waits for its lock, another process may move the secrets.
package struct AvailableStore: CredentialStore {
    package let name: String
    /// Returns the store for one access; `name` is that of the store at first.
    let find: @Sendable () throws(AccountError) -> any CredentialStore

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        try await find().read(key)
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        try await find().write(value, for: key)
    }

    package func place(
        for key: CredentialKey
    ) async throws(AccountError) -> CredentialPlace {
        try await find().place(for: key)
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        try await find().erase(key)
    }
}
