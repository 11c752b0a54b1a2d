package import ArgusCore

/// Keeps secrets between runs, one value for each key.
///
/// Every store guarantees:
/// - After `write` returns, the value is durable and is the result of every later `read` in any
///   process, until the next `write` or `erase`. A reader sees the old value or the new one whole.
/// - A `write` or `erase` that throws has left the old value in place.
/// - `read` returns nil only if the store has no such value. A store that cannot answer throws; it
///   is never treated as an empty one.
/// - A store does not serialise processes: a caller that reads, renews and writes must hold a lock.
/// - No call prompts or starts a service. The sealed file and the Secret Service answer or fail
///   within about a second, a helper within ten.
/// - Every method may be called from several tasks at once.
package protocol CredentialStore: Sendable {
    /// The name that `whoami` and `doctor` print, such as `sealed file`.
    var name: String { get }

    /// Reads a value; nil if there is none.
    ///
    /// - Throws: `CredentialStoreError`.
    func read(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Redacted<[UInt8]>?

    /// Stores a value and replaces an existing one.
    ///
    /// - Throws: `CredentialStoreError`; the old value is still in place.
    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError)

    /// Makes everything that a write of a value needs, before the request that a server answers
    /// with it; nothing is left behind if the place is not used.
    ///
    /// - Throws: `CredentialStoreError`; a value could not be stored now.
    func place(for key: CredentialKey) async throws(CredentialStoreError) -> CredentialPlace

    /// Erases a value; succeeds if there is none.
    ///
    /// - Throws: `CredentialStoreError`; the old value is still in place.
    func erase(_ key: CredentialKey) async throws(CredentialStoreError)
}

/// Identifies one secret of one server.
package struct CredentialKey: Hashable, Sendable {
    /// The kinds of secrets, stored separately because they change separately.
    package enum Item: String, Hashable, Sendable, CaseIterable {
        /// The `Credential` of requests.
        case signIn = "sign-in"
        /// The API key of `--keep-alive`.
        case apiKey = "api-key"
        /// The password of `login --remember`.
        case password
        /// The codes of unfinished pairings; they belong to no server yet.
        case pairings
        /// The push tokens and subscriptions registered on this machine.
        case push
        /// The header fields for the server's relays.
        case relayHeaders = "relay-headers"
        /// The tokens by which Apple and Google recognise this sender; they belong to no server.
        case providerTokens = "push-providers"
        /// The registry of receivers of pushes, of all servers and of argus's own deliveries.
        case receivers = "push-tokens"
        /// The VAPID key of those deliveries; it belongs to no server.
        case vapid
        /// The subscriptions of `push listen` as earlier versions keep them.
        case listening = "push-receivers"

        /// The items that a server may have.
        static let ofServers: [Item] = [
            .signIn, .apiKey, .password, .pairings, .push, .relayHeaders,
        ]
    }

    package var server: ServerID
    package var item: Item

    package init(_ server: ServerID, _ item: Item = .signIn) {
        self.server = server
        self.item = item
    }
}

/// The reason why a store failed to answer or to keep a value.
package enum CredentialStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No store is available, for example without a home folder.
    case unavailable(reason: String)
    /// The given passphrase is unreadable.
    case passphraseUnreadable(SecretError)
    case file(FileSystemError)
    /// The value is sealed with a passphrase, but none was given.
    case passphraseNeeded(path: String)
    /// The value is sealed with another passphrase.
    case wrongPassphrase(path: String)
    /// The value is sealed with another key than that of the key file, or the key is missing.
    case wrongKey(path: String)
    /// The sealed bytes were changed, truncated or swapped.
    case damaged(path: String)
    /// The stored value is not a secret of this kind.
    case senseless(store: String)
    /// The format is known only to a newer argus.
    case newerVersion(path: String)
    /// The value has the layout of a newer argus.
    case newerValue(store: String)
    /// The value was sealed on another machine, or this machine's id has changed.
    case otherMachine(path: String)
    /// The store is locked; argus does not prompt to unlock it.
    case locked(store: String)
    /// The store did not answer in time; a retry is pointless.
    case silent(store: String, reason: String)
    /// The store is unreachable or gave an invalid answer.
    case failed(store: String, reason: String)

    /// The failure in one line, without any secret.
    package var description: String {
        switch self {
        case .unavailable(let reason): "credentials cannot be stored: \(reason)"
        case .passphraseUnreadable(let error): "the passphrase cannot be read: \(error)"
        case .file(let error): error.description
        case .passphraseNeeded(let path): "'\(path)' is sealed with a passphrase"
        case .wrongPassphrase(let path): "the passphrase does not open '\(path)'"
        case .wrongKey(let path): "'\(path)' is sealed with a key that is not stored here"
        case .damaged(let path): "'\(path)' is damaged, or was put there from elsewhere"
        case .senseless(let store): "the \(store) returned invalid data"
        case .newerVersion(let path): "'\(path)' was written by a newer argus"
        case .newerValue(let store): "the \(store) holds a value written by a newer argus"
        case .otherMachine(let path):
            "'\(path)' was sealed on another machine: a copied home holds no sign-in"
        case .locked(let store): "the \(store) is locked"
        case .failed(let store, let reason), .silent(let store, let reason):
            "the \(store) failed: \(reason)"
        }
    }

    /// True if the store needs another passphrase.
    package var asksForPassphrase: Bool {
        switch self {
        case .passphraseNeeded, .wrongPassphrase: true
        default: false
        }
    }

    /// True if the stored value is unreadable for good.
    var isLoss: Bool {
        switch self {
        case .damaged, .senseless, .wrongKey, .otherMachine: true
        default: false
        }
    }

    /// True if the store may take a value a moment later.
    package var mayPass: Bool {
        switch self {
        case .file(let error): error.mayPass
        case .failed: true
        default: false
        }
    }

    /// True if nothing is broken and the user can remove the cause.
    package var isForUser: Bool {
        if case .unavailable = self { true } else { asksForPassphrase }
    }

    /// The error for a store that accepted a value and does not return it.
    package static func loses(store: String) -> CredentialStoreError {
        .failed(store: store, reason: "it returned another value than it was given")
    }
}

extension CredentialStore {
    /// Reads a value that is a JSON document; nil if there is none.
    ///
    /// - Throws: `CredentialStoreError`; `.senseless` or `.newerValue` for another document, which
    ///   never counts as an absent one.
    package func document<Document: StateDocument>(
        _ key: CredentialKey
    ) async throws(CredentialStoreError) -> Document? {
        guard let value = try await read(key) else { return nil }
        guard let state = JSONValue(parsing: value.reveal()) else { throw .senseless(store: name) }
        do throws(StateUnreadable) {
            return try Document(state: state)
        } catch {
            throw error.isNewer ? .newerValue(store: name) : .senseless(store: name)
        }
    }

    /// The credential of a server; nil if it has none.
    ///
    /// - Throws: `CredentialStoreError`.
    package func credential(
        of server: ServerID
    ) async throws(CredentialStoreError) -> Credential? {
        try await document(CredentialKey(server))
    }

    /// Stores the credential of a server.
    ///
    /// - Throws: `CredentialStoreError`.
    package func keep(
        _ credential: Credential, of server: ServerID
    ) async throws(CredentialStoreError) {
        try await write(credential.encoded(), for: CredentialKey(server))
    }

    /// Erases all secrets of a server except some.
    ///
    /// - Throws: The first `CredentialStoreError`; a file that cannot be removed does not prevent
    ///   the removal of others.
    package func eraseAll(
        of server: ServerID, except kept: Set<CredentialKey.Item> = []
    ) async throws(CredentialStoreError) {
        var problem: CredentialStoreError?
        for item in CredentialKey.Item.ofServers where !kept.contains(item) {
            do throws(CredentialStoreError) {
                try await erase(CredentialKey(server, item))
            } catch {
                guard case .file = error else { throw error }
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }

    /// Copies all secrets of a server from another store, and erases those that it lacks.
    ///
    /// - Throws: `CredentialStoreError`, also if a value differs when it is read back; the copies
    ///   are erased then, as far as this store permits.
    package func copyAll(
        of server: ServerID, from source: any CredentialStore
    ) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try await copy(CredentialKey.Item.ofServers, of: server, from: source)
        } catch {
            try? await eraseAll(of: server)
            throw error
        }
    }

    /// Copies some secrets of a server from another store.
    ///
    /// - Throws: As `copyAll`, but the copies made so far stay.
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

    /// Reads back a value that was just written.
    ///
    /// - Throws: `.failed` for another value or none.
    package func expectKept(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(CredentialStoreError) {
        guard try await read(key) == value else { throw .loses(store: name) }
    }
}
