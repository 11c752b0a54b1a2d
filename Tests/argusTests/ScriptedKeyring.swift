import ArgusKit
import Synchronization

/// A keyring in memory that refuses what it is told to.
final class ScriptedKeyring: CredentialStore {
    enum Deed: Hashable { case write(CredentialKey.Item), erase(CredentialKey.Item) }

    let name = CredentialStoreKind.secretService.name
    private let values = Mutex<[CredentialKey: Redacted<[UInt8]>]>([:])
    private let losses = Mutex<Set<CredentialKey.Item>>([])
    private let refusals = Mutex<[Deed: CredentialStoreError]>([:])

    /// Has the keyring say yes to a value that it does not keep.
    func lose(_ item: CredentialKey.Item) {
        losses.withLock { _ = $0.insert(item) }
    }

    /// Has the keyring fail from now on where it is asked to do this.
    func refuse(_ deed: Deed, by error: CredentialStoreError) {
        refusals.withLock { $0[deed] = error }
    }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> Redacted<[UInt8]>? {
        values.withLock { $0[key] }
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        if let refusal = refusals.withLock({ $0[.write(key.item)] }) { throw refusal }
        let isLost = losses.withLock { $0.contains(key.item) }
        values.withLock { $0[key] = isLost ? nil : value }
    }

    func erase(_ key: CredentialKey) async throws(CredentialStoreError) {
        if let refusal = refusals.withLock({ $0[.erase(key.item)] }) { throw refusal }
        values.withLock { $0[key] = nil }
    }
}
