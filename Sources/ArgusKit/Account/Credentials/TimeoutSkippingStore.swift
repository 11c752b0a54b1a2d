package import ArgusCore
import Synchronization

/// A store that, after a time-out, fails at once for some seconds.
///
/// A write is always attempted, since its value may be issued only once.
package struct TimeoutSkippingStore: CredentialStore {
    /// The stores of a run that timed out.
    package final class Memory: Sendable {
        private static var lifetime: Duration { .seconds(5) }

        private let now: @Sendable () -> Timestamp
        private let failures = Mutex<[String: (error: AccountError, at: Timestamp)]>([:])

        /// Makes an empty memory; a time-out counts for 5 seconds of this clock.
        package init(now: @escaping @Sendable () -> Timestamp) {
            self.now = now
        }

        fileprivate func failure(of name: String) -> AccountError? {
            guard let last = failures.withLock({ $0[name] }) else { return nil }
            // A clock that was set back must not prolong the time-out.
            return (Duration.zero..<Self.lifetime).contains(now() - last.at) ? last.error : nil
        }

        fileprivate func record(_ failure: AccountError?, of name: String) {
            let moment = now()
            failures.withLock { $0[name] = failure.map { (error: $0, at: moment) } }
        }
    }

    package var name: String { base.name }

    private let base: any CredentialStore
    private let memory: Memory

    /// Wraps `base`; all stores of a run share the memory, keyed by name.
    package init(_ base: any CredentialStore, _ memory: Memory) {
        self.base = base
        self.memory = memory
    }

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        if let failure = memory.failure(of: name) { throw failure }
        return try await ask { () async throws(AccountError) in try await base.read(key) }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        try await ask { () async throws(AccountError) in
            try await base.write(value, for: key)
        }
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        if let failure = memory.failure(of: name) { throw failure }
        try await ask { () async throws(AccountError) in try await base.erase(key) }
    }

    private func ask<Value>(
        _ work: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        do throws(AccountError) {
            let value = try await work()
            memory.record(nil, of: name)
            return value
        } catch {
            if case .storeSilent = error { memory.record(error, of: name) }
            throw error
        }
    }
}
