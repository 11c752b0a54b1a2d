import Synchronization

/// A store that is asked no more once it has given no answer: whoever would ask again hears the
/// same failure at once, instead of waiting in vain for each secret anew.
package struct SparingStore: CredentialStore {
    /// What a run knows of the stores that fell silent.
    package final class Memory: Sendable {
        fileprivate let silences = Mutex<[String: CredentialStoreError]>([:])

        package init() {}
    }

    package var name: String { base.name }

    private let base: any CredentialStore
    private let memory: Memory

    /// Makes a store that asks `base`; all stores of a run share the memory, which goes by names.
    package init(_ base: any CredentialStore, _ memory: Memory) {
        self.base = base
        self.memory = memory
    }

    package func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        try await ask { () async throws(CredentialStoreError) in try await base.read(key) }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        try await ask { () async throws(CredentialStoreError) in
            try await base.write(value, for: key)
        }
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        try await ask { () async throws(CredentialStoreError) in try await base.erase(key) }
    }

    private func ask<Value>(
        _ work: () async throws(CredentialStoreError) -> Value
    ) async throws(CredentialStoreError) -> Value {
        if let silence = memory.silences.withLock({ $0[name] }) { throw silence }
        do throws(CredentialStoreError) {
            return try await work()
        } catch {
            if case .silent = error { memory.silences.withLock { $0[name] = error } }
            throw error
        }
    }
}
