package import ArgusKit
import Synchronization

/// A keyring in memory that refuses what it is told to.
package final class ScriptedKeyring: CredentialStore {
    package enum Deed: Hashable {
        case read(CredentialKey.Item), write(CredentialKey.Item), erase(CredentialKey.Item)
    }

    package let name = CredentialStoreKind.secretService.name
    private let values = Mutex<[CredentialKey: Redacted<[UInt8]>]>([:])
    private let losses = Mutex<Set<CredentialKey.Item>>([])
    private let refusals = Mutex<[Deed: CredentialStoreError]>([:])
    private let reaction = Mutex<@Sendable (CredentialKey.Item) -> Void>({ _ in })

    package init() {}

    /// Has the keyring say yes to a value that it does not keep.
    package func lose(_ item: CredentialKey.Item) {
        losses.withLock { _ = $0.insert(item) }
    }

    /// Has the keyring fail from now on where it is asked to do this.
    package func refuse(_ deed: Deed, by error: CredentialStoreError) {
        refusals.withLock { $0[deed] = error }
    }

    /// Calls `work` after each value that is written.
    package func onWrite(_ work: @escaping @Sendable (CredentialKey.Item) -> Void) {
        reaction.withLock { $0 = work }
    }

    package func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        if let refusal = refusals.withLock({ $0[.read(key.item)] }) { throw refusal }
        return values.withLock { $0[key] }
    }

    package func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        if let refusal = refusals.withLock({ $0[.write(key.item)] }) { throw refusal }
        let isLost = losses.withLock { $0.contains(key.item) }
        values.withLock { $0[key] = isLost ? nil : value }
        reaction.withLock { $0 }(key.item)
    }

    package func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        if let refusal = refusals.withLock({ $0[.erase(key.item)] }) { throw refusal }
        values.withLock { $0[key] = nil }
    }
}
