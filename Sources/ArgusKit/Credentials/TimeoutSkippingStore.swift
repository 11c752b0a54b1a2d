import Synchronization

/// A store that is asked no more for some seconds once it has given no answer: whoever would ask
/// again hears the same failure at once, instead of waiting in vain for each secret anew.
///
/// A value to keep is offered always, since whoever has it may get it only once.
package struct TimeoutSkippingStore: CredentialStore {
    /// What a run knows of the stores that fell silent.
    package final class Memory: Sendable {
        private static var life: Duration { .seconds(5) }

        private let now: @Sendable () -> Timestamp
        private let silences = Mutex<[String: (error: CredentialStoreError, at: Timestamp)]>([:])

        /// Makes an empty memory; a silence counts for 5 seconds of this clock.
        package init(now: @escaping @Sendable () -> Timestamp) {
            self.now = now
        }

        fileprivate func silence(of name: String) -> CredentialStoreError? {
            guard let last = silences.withLock({ $0[name] }) else { return nil }
            // A clock that was set back must not make a silence last.
            return (Duration.zero..<Self.life).contains(now() - last.at) ? last.error : nil
        }

        fileprivate func note(_ silence: CredentialStoreError?, of name: String) {
            let moment = now()
            silences.withLock { $0[name] = silence.map { (error: $0, at: moment) } }
        }
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
        if let silence = memory.silence(of: name) { throw silence }
        return try await ask { () async throws(CredentialStoreError) in try await base.read(key) }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        try await ask { () async throws(CredentialStoreError) in
            try await base.write(value, for: key)
        }
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        if let silence = memory.silence(of: name) { throw silence }
        try await ask { () async throws(CredentialStoreError) in try await base.erase(key) }
    }

    private func ask<Value>(
        _ work: () async throws(CredentialStoreError) -> Value
    ) async throws(CredentialStoreError) -> Value {
        do throws(CredentialStoreError) {
            let value = try await work()
            memory.note(nil, of: name)
            return value
        } catch {
            if case .silent = error { memory.note(error, of: name) }
            throw error
        }
    }
}
