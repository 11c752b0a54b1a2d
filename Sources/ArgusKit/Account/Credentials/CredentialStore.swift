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
    /// - Throws: `AccountError`.
    func read(
        _ key: CredentialKey
    ) async throws(AccountError) -> Redacted<[UInt8]>?

    /// Stores a value and replaces an existing one.
    ///
    /// - Throws: `AccountError`; the old value is still in place.
    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError)

    /// Makes everything that a write of a value needs, before the request that a server answers
    /// with it; nothing is left behind if the place is not used.
    ///
    /// - Throws: `AccountError`; a value could not be stored now.
    func place(for key: CredentialKey) async throws(AccountError) -> CredentialPlace

    /// Erases a value; succeeds if there is none.
    ///
    /// - Throws: `AccountError`; the old value is still in place.
    func erase(_ key: CredentialKey) async throws(AccountError)
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

extension CredentialStore {
    /// Reads a value that is a JSON document; nil if there is none.
    ///
    /// - Throws: `AccountError`; `.senseless` or `.newerValue` for another document, which
    ///   never counts as an absent one.
    package func document<Document: StateDocument>(
        _ key: CredentialKey
    ) async throws(AccountError) -> Document? {
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
    /// - Throws: `AccountError`.
    package func credential(
        of server: ServerID
    ) async throws(AccountError) -> Credential? {
        try await document(CredentialKey(server))
    }

    /// Stores the credential of a server.
    ///
    /// - Throws: `AccountError`.
    package func keep(
        _ credential: Credential, of server: ServerID
    ) async throws(AccountError) {
        try await write(credential.encoded(), for: CredentialKey(server))
    }

    /// Erases all secrets of a server except some.
    ///
    /// - Throws: The first `AccountError`; a file that cannot be removed does not prevent
    ///   the removal of others.
    package func eraseAll(
        of server: ServerID, except kept: Set<CredentialKey.Item> = []
    ) async throws(AccountError) {
        var problem: AccountError?
        for item in CredentialKey.Item.ofServers where !kept.contains(item) {
            do throws(AccountError) {
                try await erase(CredentialKey(server, item))
            } catch {
                guard case .storeFile = error else { throw error }
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }

    /// Copies all secrets of a server from another store, and erases those that it lacks.
    ///
    /// - Throws: `AccountError`, also if a value differs when it is read back; the copies
    ///   are erased then, as far as this store permits.
    package func copyAll(
        of server: ServerID, from source: any CredentialStore
    ) async throws(AccountError) {
        do throws(AccountError) {
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
    ) async throws(AccountError) {
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
    /// - Throws: `.storeFailed` for another value or none.
    package func expectKept(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        guard try await read(key) == value else { throw .loses(store: name) }
    }
}
