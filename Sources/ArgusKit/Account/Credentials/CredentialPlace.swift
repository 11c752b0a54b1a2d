package import ArgusCore

/// A place in a store for one value that a server issues once, made before the request for it.
///
/// For a sealed file it is the temporary file, with enough disk space.
package struct CredentialPlace: Sendable {
    private let store: any CredentialStore
    private let key: CredentialKey
    private let put: @Sendable (Redacted<[UInt8]>) async throws(AccountError) -> Void

    /// Makes the place of a value; `put` writes it, once.
    init(
        of key: CredentialKey, in store: any CredentialStore,
        put: @escaping @Sendable (Redacted<[UInt8]>) async throws(AccountError) -> Void
    ) {
        (self.store, self.key, self.put) = (store, key, put)
    }

    /// Stores the value; if that fails, as any other write, which is tried again.
    ///
    /// - Throws: `AccountError`; the old value is still in place.
    package func keep(
        _ value: Redacted<[UInt8]>, pausing pause: (Duration) async -> Void
    ) async throws(AccountError) {
        // The place took a write a moment ago, so that no failure of its files is for good.
        func mayPass(_ error: AccountError) -> Bool {
            if case .storeFile = error { true } else { error.mayPass }
        }
        do throws(AccountError) {
            try await put(value)
        } catch  where mayPass(error) {
            try await insisting(while: mayPass, pausing: pause) {
                () async throws(AccountError) in
                try await store.write(value, for: key)
            }
        }
    }
}

/// Stores what a server issues once: runs `work` again, twice, after a failure that may pass.
///
/// - Throws: The error of the last attempt.
package func insisting<Value, Failure: Error>(
    while mayPass: (Failure) -> Bool, pausing pause: (Duration) async -> Void,
    _ work: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    for wait: Duration in [.milliseconds(100), .seconds(1)] {
        do throws(Failure) { return try await work() } catch {
            guard mayPass(error) else { throw error }
        }
        await pause(wait)
    }
    return try await work()
}

extension CredentialStore {
    /// Makes everything that a write needs, as far as the store permits; without a way to prepare
    /// one, writing the present value shows that the store can write.
    ///
    /// - Throws: `AccountError`; the value is unchanged.
    package func place(
        for key: CredentialKey
    ) async throws(AccountError) -> CredentialPlace {
        if let value = try await read(key) { try await write(value, for: key) }
        return CredentialPlace(of: key, in: self) { value throws(AccountError) in
            try await write(value, for: key)
        }
    }
}
