package import ArgusCore
import ArgusTransport

/// Stores a sign-in that a server has accepted: its secrets first, then the account in the record.
///
/// Whatever fails or is killed, no record names an account without its secrets: it names the
/// earlier account, or none. Of two concurrent sign-ins to one account the second renews the first.
package struct SignInTransaction: Sendable {
    package let secrets: ServerSecrets
    private let chosenStore: CredentialStoreKind?
    private let replacesEndpoint: @Sendable (Endpoint) -> Bool

    private var directory: ServerDirectory { secrets.directory }
    var environment: StateEnvironment { secrets.environment }

    /// Prepares to store sign-ins.
    ///
    /// A nil `chosenStore` keeps the store of each record. `replacesEndpoint` is true if the files
    /// of an endpoint were given for this sign-in, so that they replace those of the record.
    package init(
        _ secrets: ServerSecrets, chosenStore: CredentialStoreKind?,
        replacesEndpoint: @escaping @Sendable (Endpoint) -> Bool
    ) {
        self.secrets = secrets
        self.chosenStore = chosenStore
        self.replacesEndpoint = replacesEndpoint
    }

    /// Checks, before a sign-in begins, that it can be stored: servers allow few sign-ins.
    ///
    /// - Throws: `AccountError` of the state folder or of the store.
    package func expectStorable() async throws(AccountError) {
        try directory.expectWritable()
        try await secrets.stores.expectUsable(chosenStore ?? .file)
    }

    /// Makes a hold for the request whose answer `keep` stores, with time to wait for both locks.
    package static func hold() -> SignalHold {
        SignalHold(keeping: .seconds(30) + StateEnvironment.lockTimeout * 2)
    }

    /// Stores a sign-in and returns its record; a failure that may pass is tried again.
    ///
    /// - Throws: `AccountError`; also for a password that could not be stored or removed, after the
    ///   rest is done.
    package func keep(
        _ account: VerifiedAccount, at server: UnverifiedServer
    ) async throws(AccountError) -> ServerRecord {
        try await insisting(while: \.isPassingFileProblem, pausing: environment.pause) {
            () async throws(AccountError) in
            try await keepOnce(account, at: server)
        }
    }

    private func keepOnce(
        _ account: VerifiedAccount, at server: UnverifiedServer
    ) async throws(AccountError) -> ServerRecord {
        try await secrets.environment.withSignInLock { () async throws(AccountError) in
            let list = try directory.load()
            var fresh = ServerRecord(
                name: server.name, endpoints: [server.endpoint], addedAt: environment.now())
            fresh.credentialStore = chosenStore ?? fresh.credentialStore
            let record =
                server.record.map { list[$0.id] ?? $0 }
                ?? list.record(for: account, at: server) ?? fresh
            return try await secrets.environment.withSessionLock(record.id) {
                () async throws(AccountError) in
                // Another process may have moved the secrets before the lock was taken.
                let known = try directory.load()[record.id]
                let storeKind = chosenStore ?? (known ?? record).credentialStore
                return try await keep(account, at: server, as: known, record, in: storeKind)
            }
        }
    }

    private func keep(
        _ account: VerifiedAccount, at server: UnverifiedServer, as known: ServerRecord?,
        _ record: ServerRecord, in storeKind: CredentialStoreKind
    ) async throws(AccountError) -> ServerRecord {
        // While one account replaces another, the record names none.
        let hold = SignalHold()
        hold.begin()
        defer { hold.end() }
        let moves = known.map { $0.credentialStore != storeKind } ?? false
        let replaced = known?.account.flatMap { $0.isSame(as: account) ? nil : $0 }
        // So the secrets under an id always belong to the account in its record, and never to an id
        // without a record, where they would be lost.
        let isCleared = known == nil || (replaced != nil && !moves)
        // The key of an earlier sign-in stays only for the same account.
        var orphan: StoredKey?
        if let known, known.account?.isSame(as: account) != true || account.kind == .apiKey {
            orphan = try? await secrets.store(of: known).storedKey(of: known.id)
        }
        if isCleared { try await write(record, of: nil, at: server, in: storeKind) }
        let passwordProblem: AccountError?
        do throws(StoringProblem) {
            passwordProblem = try await store(
                account, of: record, in: storeKind, isFresh: known == nil,
                isReplacing: replaced != nil, dropsKey: orphan != nil)
        } catch {
            if isCleared, error.isAsBefore {
                await undo(record, to: replaced)
            } else if known != nil, !moves, !error.isAsBefore {
                if !isCleared { _ = try? await write(record, of: nil, at: server, in: storeKind) }
                environment.notify("'\(record.name)' is signed out now")
            }
            throw error.cause
        }
        var left: Set<CredentialKey.Item> = []
        if moves, let known {
            left = await secrets.copyExtras(of: known, to: storeKind, withKey: orphan == nil)
        }
        let settled: ServerRecord
        do throws(AccountError) {
            settled = try await write(record, of: account, at: server, in: storeKind)
        } catch {
            if moves { try? await secrets.stores.open(storeKind).eraseAll(of: record.id) }
            throw error
        }
        if moves, let known { await secrets.emptyOldStore(of: known, leaving: left) }
        if let orphan { environment.notify(orphan.notice(of: settled.name)) }
        if let replaced { environment.notify("\(replaced.words) on '\(settled.name)' is replaced") }
        if let passwordProblem {
            throw account.password == nil
                ? .passwordLeft(server: settled.name, passwordProblem)
                : .passwordNotStored(server: settled.name, passwordProblem)
        }
        return settled
    }

    /// Restores the account of a record, or removes a record that had none.
    private func undo(_ record: ServerRecord, to account: ServerAccount?) async {
        do throws(AccountError) {
            try await directory.update { list throws(AccountError) in
                if account == nil {
                    try list.remove(record.id)
                } else {
                    try list.change(record.id) { $0.account = account }
                }
            }
            if account == nil { environment.eraseFiles(of: record.id) }
        } catch {
            environment.debug("'\(record.name)' stays signed out: \(error)")
        }
    }

    /// Writes the record of a stored sign-in or, without an account, of one about to be stored.
    @discardableResult
    private func write(
        _ record: ServerRecord, of account: VerifiedAccount?, at server: UnverifiedServer,
        in storeKind: CredentialStoreKind
    ) async throws(AccountError) -> ServerRecord {
        let moment = environment.now()
        // The endpoint at a URL is that of any account there, but for files given for this sign-in.
        let isOwnEndpoint = server.record?.id == record.id || replacesEndpoint(server.endpoint)
        let (kept, before) = try await directory.update { list throws(AccountError) in
            let known = list[record.id]
            var record = known ?? record
            record.account = account.map { account in
                var kept = ServerAccount(
                    kind: account.kind, username: account.username, userID: account.user?.id)
                kept.pairedAt = account.pairedAt
                return kept
            }
            if let account {
                record.learn(account, at: server, moment, isOwnEndpoint: isOwnEndpoint)
                record.credentialStore = storeKind
            }
            if account != nil, server.isNameGiven {
                // Another process may have taken the name; that must not cost the sign-in.
                record.name = list.freeName(like: server.name, for: record.id)
            } else if known == nil {
                record.name = list.freeName(like: server.name)
            }
            let kept = record
            if known == nil {
                try list.add(kept)
            } else {
                try list.change(kept.id) { $0 = kept }
            }
            return (kept, known?.name)
        }
        if let before, before != kept.name {
            environment.notify("'\(before)' is called '\(kept.name)' from now on")
        }
        return kept
    }
}

extension AccountError {
    /// True if a moment later the files of a sign-in may be written.
    fileprivate var isPassingFileProblem: Bool {
        switch self {
        case .storeFile(let error), .serverListFile(let error): error.mayPass
        default: false
        }
    }
}

extension ServerRecord {
    /// Takes over the results of a sign-in.
    fileprivate mutating func learn(
        _ account: VerifiedAccount, at server: UnverifiedServer, _ moment: Timestamp,
        isOwnEndpoint: Bool
    ) {
        if isOwnEndpoint { replace(server.endpoint) } else { trust(server.endpoint) }
        if let allowance = server.allowance, !plainHTTPAllowances.contains(allowance) {
            plainHTTPAllowances.append(allowance)
        }
        knowledge.learn(server.client.knowledge, at: moment)
        clockOffset = account.clockOffset ?? clockOffset
    }
}

extension ServerList {
    /// The record that a sign-in renews: that with the name, else that of the account.
    fileprivate func record(
        for account: VerifiedAccount, at server: UnverifiedServer
    ) -> ServerRecord? {
        let known = servers(at: server.client.address)
        if server.isNameGiven, let named = known.first(where: { $0.isCalled(server.name) }) {
            return named
        }
        // A record without a sign-in yields to the account's own.
        return known.first { $0.account?.isSame(as: account) == true }
            ?? known.first { $0.account == nil }
    }
}

extension ServerAccount {
    /// True if a sign-in is by the user of this account; a key names no user, so any key is.
    fileprivate func isSame(as proved: VerifiedAccount) -> Bool {
        proved.kind == .apiKey ? kind == .apiKey : kind != .apiKey && username == proved.username
    }

    /// Its secret as a noun phrase.
    fileprivate var words: String {
        kind == .apiKey ? "the API key" : "the sign-in of '\(username ?? "an unknown user")'"
    }
}
