/// A place that keeps secrets between runs, one value for each key.
///
/// What callers may assume of every store:
/// - A value that `write` returned for is durable and is what every later `read` of any process
///   returns, until the next `write` or `erase`. A reader sees the old value or the new one whole.
/// - `write` and `erase` that throw have left the old value in place.
/// - nil from `read` means that the store was asked and has no such value; that it could not be
///   asked is always an error. A store that cannot answer is never treated as an empty one.
/// - A store serialises nothing between processes: who reads, renews and writes holds a lock.
/// - No call asks the person or starts a service. The sealed file and the Secret Service answer or
///   give up within about a second, a helper within ten.
/// - Any method may be called from several tasks at once.
package protocol CredentialStore: Sendable {
    /// What `whoami` and `doctor` call it, such as `sealed file`.
    var name: String { get }

    /// The value of a key, nil when there is none.
    func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>?

    /// Keeps a value, in place of the one there was.
    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError)

    /// Removes a value; it is no error when there is none.
    func erase(_ key: CredentialKey) async throws(CredentialStoreError)
}

/// Which secret of which server.
package struct CredentialKey: Hashable, Sendable {
    /// The secrets of a server that are kept apart, because they change apart.
    package enum Item: String, Hashable, Sendable, CaseIterable {
        /// The `Credential` that requests carry.
        case signIn = "sign-in"
        /// The password that `login --remember` keeps.
        case password
        /// The codes of pairings that are not over; of no server, since they have none yet.
        case pairings
        /// The push tokens and subscriptions that this machine registered.
        case push
        /// The header fields that the server's relay asks for.
        case relayHeaders = "relay-headers"
    }

    package var server: ServerID
    package var item: Item

    package init(_ server: ServerID, _ item: Item = .signIn) {
        self.server = server
        self.item = item
    }
}

/// Why a store could not answer or could not keep a value.
package enum CredentialStoreError: Error, Hashable, Sendable {
    /// Nothing can be kept here, as without a home folder.
    case unavailable(reason: String)
    /// The passphrase that was named cannot be read.
    case passphraseUnreadable(SecretError)
    case file(FileSystemError)
    /// The value was sealed with a passphrase, and none was given.
    case passphraseNeeded(path: String)
    /// The value was sealed with another passphrase.
    case wrongPassphrase(path: String)
    /// The value was sealed with another key than the one in the key file, or the key is gone.
    case wrongKey(path: String)
    /// The bytes are not what was sealed for this server: changed, cut or swapped.
    case damaged(path: String)
    /// The store gave back what is no secret of this kind.
    case senseless(store: String)
    /// The layout is one that only a newer argus knows.
    case newerVersion(path: String)
    /// The value was sealed on another machine, or this one has become another.
    case otherMachine(path: String)
    /// The store is there and has the value under lock; nobody was asked to open it.
    case locked(store: String)
    /// The store was asked and gave no answer in time: it is of no use to ask it again.
    case silent(store: String, reason: String)
    /// The store could not be asked, or gave no answer that makes sense.
    case failed(store: String, reason: String)
}

extension CredentialStoreError {
    /// Whether the right passphrase is missing.
    package var asksForPassphrase: Bool {
        switch self {
        case .passphraseNeeded, .wrongPassphrase: true
        default: false
        }
    }

    /// Whether nothing is broken, and the user can remove the cause.
    package var isForUser: Bool {
        if case .unavailable = self { true } else { asksForPassphrase }
    }

    /// The failure of a store that took a value and does not have it.
    package static func loses(store: String) -> CredentialStoreError {
        .failed(store: store, reason: "it does not give back what it was given")
    }
}

extension CredentialStoreError: CustomStringConvertible {
    /// The failure in one line, without a byte of what is kept.
    package var description: String {
        switch self {
        case .unavailable(let reason): "credentials cannot be kept: \(reason)"
        case .passphraseUnreadable(let error): "the passphrase cannot be read: \(error)"
        case .file(let error): error.description
        case .passphraseNeeded(let path): "'\(path)' is sealed with a passphrase"
        case .wrongPassphrase(let path): "the passphrase does not open '\(path)'"
        case .wrongKey(let path): "'\(path)' is sealed with a key that is not kept here"
        case .damaged(let path): "'\(path)' is damaged, or was put there from elsewhere"
        case .senseless(let store): "the \(store) gave back what makes no sense"
        case .newerVersion(let path): "'\(path)' was written by a newer argus"
        case .otherMachine(let path):
            "'\(path)' was sealed on another machine: a copied home holds no sign-in"
        case .locked(let store): "the \(store) is locked"
        case .failed(let store, let reason), .silent(let store, let reason):
            "the \(store) failed: \(reason)"
        }
    }
}

extension CredentialStore {
    /// The credential of a server, nil when it has none.
    ///
    /// - Throws: beside the store's own errors `.senseless` when the value makes no sense.
    package func credential(
        of server: ServerID
    ) async throws(CredentialStoreError) -> Credential? {
        guard let value = try await read(CredentialKey(server)) else { return nil }
        guard let credential = Credential(decoding: value) else {
            throw .senseless(store: name)
        }
        return credential
    }

    /// Keeps the credential of a server.
    package func keep(
        _ credential: Credential, of server: ServerID
    ) async throws(CredentialStoreError) {
        try await write(credential.encoded(), for: CredentialKey(server))
    }

    /// Removes every secret of a server, but for some.
    ///
    /// - Throws: the first failure; a file that cannot be removed keeps no other one back.
    package func eraseAll(
        of server: ServerID, except kept: Set<CredentialKey.Item> = []
    ) async throws(CredentialStoreError) {
        var problem: CredentialStoreError?
        for item in CredentialKey.Item.allCases where !kept.contains(item) {
            do throws(CredentialStoreError) {
                try await erase(CredentialKey(server, item))
            } catch {
                guard case .file = error else { throw error }
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }

    /// Takes over every secret of a server from another store, which keeps them; what that one lacks
    /// is erased here.
    ///
    /// - Throws: also when what was written is not what is read back; nothing is left behind then,
    ///   as far as this store lets itself be cleaned.
    package func copyAll(
        of server: ServerID, from source: any CredentialStore
    ) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try await copy(CredentialKey.Item.allCases, of: server, from: source)
        } catch {
            try? await eraseAll(of: server)
            throw error
        }
    }

    /// Takes over some secrets of a server from another store, as `copyAll` does, but leaves behind
    /// what was copied until then.
    package func copy(
        _ items: [CredentialKey.Item], of server: ServerID, from source: any CredentialStore
    ) async throws(CredentialStoreError) {
        for item in items {
            let key = CredentialKey(server, item)
            guard let value = try await source.read(key) else {
                try await erase(key)
                continue
            }
            try await write(value, for: key)
            try await expectKept(value, for: key)
        }
    }

    /// Makes sure that a value which was just written is there.
    ///
    /// - Throws: `.failed` where another one, or none, is read back.
    package func expectKept(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        guard try await gives(back: value, for: key) else { throw .loses(store: name) }
    }

    /// Whether a value that was just written is there.
    package func gives(
        back value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) -> Bool {
        try await read(key) == value
    }
}
