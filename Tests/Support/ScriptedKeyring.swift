package import ArgusAccount
package import ArgusCore
import Synchronization

/// A keyring in memory that refuses what it is told to.
package final class ScriptedKeyring: CredentialStore {
    package enum Deed: Hashable {
        case read(CredentialKey.Item), write(CredentialKey.Item), erase(CredentialKey.Item)
    }

    package let name = CredentialStoreKind.secretService.name
    private let values = Mutex<[CredentialKey: Redacted<[UInt8]>]>([:])
    private let losses = Mutex<Set<CredentialKey.Item>>([])
    private let refusals = Mutex<[Deed: (error: AccountError, left: Int)]>([:])
    private let reaction = Mutex<@Sendable (CredentialKey.Item) -> Void>({ _ in })

    package init() {}

    /// Has the keyring say yes to a value that it does not keep.
    package func lose(_ item: CredentialKey.Item) {
        losses.withLock { _ = $0.insert(item) }
    }

    /// Has the keyring fail from now on, or so many times, where it is asked to do this.
    package func refuse(_ deed: Deed, by error: AccountError, times: Int = .max) {
        refusals.withLock { $0[deed] = (error, times) }
    }

    private func expectAllowed(_ deed: Deed) throws(AccountError) {
        let refusal = refusals.withLock { refusals -> AccountError? in
            guard let (error, left) = refusals[deed] else { return nil }
            refusals[deed] = left > 1 ? (error, left - 1) : nil
            return error
        }
        if let refusal { throw refusal }
    }

    /// Calls `work` after each value that is written.
    package func onWrite(_ work: @escaping @Sendable (CredentialKey.Item) -> Void) {
        reaction.withLock { $0 = work }
    }

    package func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>? {
        try expectAllowed(.read(key.item))
        return values.withLock { $0[key] }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        try expectAllowed(.write(key.item))
        let isLost = losses.withLock { $0.contains(key.item) }
        values.withLock { $0[key] = isLost ? nil : value }
        reaction.withLock { $0 }(key.item)
    }

    package func erase(_ key: CredentialKey) async throws(AccountError) {
        try expectAllowed(.erase(key.item))
        values.withLock { $0[key] = nil }
    }
}
