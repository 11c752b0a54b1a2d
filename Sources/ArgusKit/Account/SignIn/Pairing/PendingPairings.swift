package import ArgusCore

/// The unfinished pairings of this user, one for each server.
///
/// Stored in the credential store, because a confirmed code suffices to get the tokens.
///
/// ```json
/// {"version": 1, "pairings": [{"code": "376529", "hardware_id": "…", "device_name": "attic",
///  "expires_at_us": 1795125600000000, "server": {"id": "k3v7q2ma", "ways": []}}]}
/// ```
package struct PendingPairings: Sendable {
    /// The longest wait for another process to exchange a code and store the tokens.
    private static let timeout = Duration.seconds(90)
    private static let key = CredentialKey(.none, .pairings)

    private let store: any CredentialStore
    private let folder: Paths.Folder
    private let sleep: FileLock.Sleep
    private let report: @Sendable (AccountError) -> Void

    /// Makes the list, with its locks in the state folder.
    ///
    /// `report` receives the reason if a list cannot be opened and counts as empty.
    package init(
        in store: any CredentialStore, _ folder: Paths.Folder,
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) {
        self.store = store
        self.folder = folder
        self.sleep = sleep
        self.report = report
    }

    /// All unfinished pairings, including expired ones.
    ///
    /// A malformed or unreadable list counts as empty: a new code is quickly requested.
    ///
    /// - Throws: `AccountError`.
    package func load() async throws(AccountError) -> [PendingPairing] {
        do throws(AccountError) {
            let list: PairingList? = try await store.document(Self.key)
            return list?.pairings ?? []
        } catch {
            guard error.isLoss else { throw error }
            if case .senseless = error { return [] }
            report(error)
            return []
        }
    }

    /// Stores a pairing and replaces an older one with the same server.
    ///
    /// - Throws: `AccountError`.
    package func add(_ pairing: PendingPairing) async throws(AccountError) {
        try await change { $0.put(pairing) }
    }

    /// Exchanges the code of a pairing and sets the tokens aside.
    ///
    /// A code yields them once, and a process that is killed before they are written loses them:
    /// all preparation happens first, and nothing stands between the answer and the write.
    ///
    /// - Returns: The tokens, or the reason why nothing could be stored; the code is still valid
    ///   then.
    /// - Throws: The error of `exchange`.
    package func puttingAside<Failure: Error>(
        _ pairing: PendingPairing, notStored: (AccountError) -> Void,
        _ exchange: () async throws(Failure) -> StoredSession
    ) async throws(Failure) -> Result<StoredSession, AccountError> {
        try await locked("pairings.lock") { () async throws(Failure) in
            var pairings: [PendingPairing]
            let place: CredentialPlace
            do throws(AccountError) {
                pairings = try await load()
                place = try await store.place(for: Self.key)
            } catch { return .failure(error) }
            var pairing = pairing
            let session = try await exchange()
            pairing.session = session
            pairings.put(pairing)
            do throws(AccountError) {
                try await place.keep(PairingList(pairings: pairings).encoded) {
                    try? await sleep($0)
                }
            } catch { notStored(error) }
            return .success(session)
        }
    }

    /// Removes a pairing, but not one that replaced it.
    ///
    /// - Throws: `AccountError`.
    package func remove(_ pairing: PendingPairing) async throws(AccountError) {
        try await change { $0.removeAll(where: pairing.isSame) }
    }

    /// Exchanges a code while no other process does.
    ///
    /// A process that hangs, or a folder that cannot be locked, does not prevent pairing.
    package func exchanging<Value, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await locked("pairing-exchange.lock", work)
    }

    private func change(
        _ change: (inout [PendingPairing]) -> Void
    ) async throws(AccountError) {
        try await locked(
            "pairings.lock", unlocked: { error throws(AccountError) in throw .storeFile(error) }
        ) { () async throws(AccountError) in
            var pairings = try await load()
            let before = pairings
            change(&pairings)
            if pairings != before { try await write(pairings) }
        }
    }

    private func write(_ pairings: [PendingPairing]) async throws(AccountError) {
        guard !pairings.isEmpty else { return try await store.erase(Self.key) }
        try await store.write(PairingList(pairings: pairings).encoded, for: Self.key)
    }

    private func locked<Value, Failure: Error>(
        _ name: String, unlocked: ((FileSystemError) throws(Failure) -> Void)? = nil,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await folder.withLock(
            name, timeout: Self.timeout, sleep: sleep, unlocked: unlocked, work)
    }
}

private struct PairingList: StateDocument {
    var pairings: [PendingPairing]

    init(pairings: [PendingPairing]) { self.pairings = pairings }

    var encoded: Redacted<[UInt8]> { Redacted(state.document(.compact)) }

    init(state: JSONValue) throws(StateUnreadable) {
        var document = try JSONObject(document: state)
        pairings = try document.list("pairings").required().map(PendingPairing.init(state:))
    }

    var state: JSONValue {
        var document = JSONObject.document()
        document.put("pairings", .list(pairings.map(\.state)))
        return document.value
    }
}

extension [PendingPairing] {
    /// The time for which an abandoned pairing is kept after its end.
    private static var retention: Duration { .seconds(3600) }

    /// Adds a pairing and replaces an older one with the same server.
    fileprivate mutating func put(_ pairing: PendingPairing) {
        removeAll {
            $0.server.id == pairing.server.id || $0.isSameServer(as: pairing)
                || $0.expiresAt + Self.retention < pairing.startedAt
        }
        append(pairing)
    }
}

extension PendingPairing {
    /// True if both are with a server at the same address.
    fileprivate func isSameServer(as other: PendingPairing) -> Bool {
        server.endpoints.contains { endpoint in
            other.server.endpoints.contains { $0.hasAddress(endpoint.address) }
        }
    }
}
