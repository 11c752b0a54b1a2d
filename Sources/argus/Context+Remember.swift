import ArgusKit

// What a sign-in leaves behind.
extension Context {
    /// A hold for the request whose answer `remember` keeps, which waits for both locks.
    static func signInHold() -> SignalHold {
        SignalHold(keeping: .seconds(30) + SessionLock.timeout * 2)
    }

    /// Keeps a proved sign-in: its secrets first, and then the account in the record.
    ///
    /// Whatever fails or is killed on the way, no record tells of an account whose secrets are not
    /// there: it tells of that of before, or of none. Of two sign-ins at once to one account the
    /// second renews what the first made.
    ///
    /// - Throws: `Failure`; also for a password that could not be kept or removed, after the rest.
    func remember(
        _ account: VerifiedAccount, at unverified: UnverifiedServer
    ) async throws(Failure) -> ServerRecord {
        try await whileNobodySignsIn { () async throws(Failure) in
            let list = try knownServers()
            let chosen = try chosenStore()
            var fresh = ServerRecord(
                name: unverified.name, endpoints: [unverified.endpoint], addedAt: now())
            fresh.credentialStore = chosen ?? fresh.credentialStore
            let record =
                unverified.record.map { list[$0.id] ?? $0 }
                ?? list.record(for: account, at: unverified) ?? fresh
            return try await withSessionLock(record) { () async throws(Failure) in
                // Another process may have moved the secrets before we had the lock.
                let known = try knownServers()[record.id]
                let place = chosen ?? (known ?? record).credentialStore
                return try await remember(account, at: unverified, as: known, record, in: place)
            }
        }
    }

    private func remember(
        _ account: VerifiedAccount, at unverified: UnverifiedServer, as known: ServerRecord?,
        _ record: ServerRecord, in place: CredentialStoreKind
    ) async throws(Failure) -> ServerRecord {
        // While the one takes the other's place, the record tells of none.
        let hold = SignalHold()
        hold.begin()
        defer { hold.end() }
        let moves = known.map { $0.credentialStore != place } ?? false
        let replaced = known?.account.flatMap { $0.isSame(as: account) ? nil : $0 }
        // What is kept under an id is then never of another account than its record tells, and never
        // under an id that no record has: nobody would find it again to forget it.
        let isNobodys = known == nil || (replaced != nil && !moves)
        if isNobodys { try await write(record, of: nil, at: unverified, in: place) }
        let problem: Failure?
        do throws(Unkept) {
            problem = try await keep(
                account, of: record, in: place, isFresh: known == nil, isReplacing: replaced != nil)
        } catch {
            if isNobodys, error.isAsBefore {
                await undo(record, to: replaced)
            } else if known != nil, !moves, !error.isAsBefore {
                if !isNobodys { _ = try? await write(record, of: nil, at: unverified, in: place) }
                warn("'\(record.name)' is signed out now")
            }
            throw error.failure
        }
        let left = if moves, let known { await takeAlong(known, to: place) } else { Self.nothing }
        let settled: ServerRecord
        do throws(Failure) {
            settled = try await write(record, of: account, at: unverified, in: place)
        } catch {
            if moves { try? await store(place).eraseAll(of: record.id) }
            throw error
        }
        if moves, let known { await empty(known, leaving: left) }
        if let replaced { warn("\(replaced.words) on '\(settled.name)' is replaced") }
        if var problem {
            problem.message = "signed in to '\(settled.name)', but \(problem.message)"
            throw problem
        }
        return settled
    }

    private static let nothing: Set<CredentialKey.Item> = []

    /// Gives a record back the account that it had, or removes one that had none.
    private func undo(_ record: ServerRecord, to account: ServerAccount?) async {
        do throws(Failure) {
            try await changeServers { list throws(ServerListError) in
                if account == nil {
                    try list.remove(record.id)
                } else {
                    try list.change(record.id) { $0.account = account }
                }
            }
        } catch {
            debug("'\(record.name)' stays signed out: \(error.message)")
        }
    }

    /// Writes the record of a sign-in whose secrets are kept, or, without an account, of one whose
    /// secrets are about to be.
    @discardableResult
    private func write(
        _ record: ServerRecord, of account: VerifiedAccount?, at unverified: UnverifiedServer,
        in place: CredentialStoreKind
    ) async throws(Failure) -> ServerRecord {
        let moment = now()
        // The way to a URL is that of any account there, but for files that this run was given.
        let isOwnEndpoint =
            unverified.record?.id == record.id || isGivenFiles(of: unverified.endpoint)
        return try await changeServers { list throws(ServerListError) in
            let known = list[record.id]
            var record = known ?? record
            record.account = account.map { account in
                var kept = ServerAccount(
                    kind: account.kind, username: account.username, userID: account.user?.id)
                kept.pairedAt = account.pairedAt
                return kept
            }
            if let account {
                record.learn(account, at: unverified, moment, isOwnEndpoint: isOwnEndpoint)
                record.credentialStore = place
            }
            if account != nil, unverified.isNameGiven {
                // Another process may have taken it meanwhile; the sign-in is not lost for that.
                record.name = list.freeName(like: unverified.name, for: record.id)
            } else if known == nil {
                record.name = list.freeName(like: unverified.name)
            }
            let kept = record
            if known == nil { try list.add(kept) } else { try list.change(kept.id) { $0 = kept } }
            return kept
        }
    }

    /// Puts the secrets of a sign-in in their place.
    ///
    /// What takes the most room comes first, so that a store which refuses it has lost nothing.
    ///
    /// - Returns: what became of the password, where it could not be kept or removed.
    /// - Throws: `Unkept` when the sign-in is not kept.
    private func keep(
        _ account: VerifiedAccount, of record: ServerRecord, in place: CredentialStoreKind,
        isFresh: Bool, isReplacing: Bool
    ) async throws(Unkept) -> Failure? {
        let (signIn, key) = (CredentialKey(record.id), CredentialKey(record.id, .password))
        let value = account.credential.encoded()
        let store: any CredentialStore
        let earlier: Earlier
        do throws(CredentialStoreError) {
            store = try self.store(place)
            earlier = isFresh ? .none : await Earlier(signIn, in: store)
            try await store.write(value, for: signIn)
        } catch {
            throw Unkept(failure: Failure(error), isAsBefore: true)
        }
        do throws(CredentialStoreError) {
            // That it cannot be asked just now is no proof that it has lost anything.
            guard (try? await store.gives(back: value, for: signIn)) != false else {
                throw .loses(store: store.name)
            }
            // A password must never stand beside the sign-in of somebody else.
            if isReplacing { try await store.erase(key) }
        } catch {
            let isAsBefore = await putBack(earlier, for: signIn, in: store)
            throw Unkept(failure: Failure(error), isAsBefore: isAsBefore)
        }
        do throws(CredentialStoreError) {
            guard let password = account.password else {
                if !isReplacing { try await store.erase(key) }
                return nil
            }
            let bytes = Redacted(Array(password.reveal().utf8))
            try await store.write(bytes, for: key)
            try await store.expectKept(bytes, for: key)
            return nil
        } catch {
            var failure = Failure(error)
            let what =
                account.password == nil
                ? "an earlier password is still kept" : "the password is not kept"
            failure.message = "\(what): \(failure.message)"
            return failure
        }
    }

    /// Gives a store back the sign-in that it had; one that cannot be had again leaves none.
    ///
    /// - Returns: whether the store has again what it had.
    private func putBack(
        _ earlier: Earlier, for key: CredentialKey, in store: any CredentialStore
    ) async -> Bool {
        do throws(CredentialStoreError) {
            guard case .value(let value) = earlier else {
                try await store.erase(key)
                return earlier == .none
            }
            try await store.write(value, for: key)
            return try await store.gives(back: value, for: key)
        } catch {
            debug("the sign-in is left in the \(store.name), where nothing tells of it: \(error)")
            return false
        }
    }
}

/// What a store had of a sign-in before another was put there.
private enum Earlier: Equatable {
    case none
    case value(Redacted<[UInt8]>)
    case unreadable

    init(_ key: CredentialKey, in store: any CredentialStore) async {
        do throws(CredentialStoreError) {
            self = if let value = try await store.read(key) { .value(value) } else { .none }
        } catch {
            self = .unreadable
        }
    }
}

/// Why a sign-in is not kept.
private struct Unkept: Error {
    var failure: Failure
    /// Whether the secrets are still those of before, or are again.
    var isAsBefore: Bool
}

extension ServerRecord {
    /// Takes over what a sign-in proved and learnt of its server.
    fileprivate mutating func learn(
        _ account: VerifiedAccount, at unverified: UnverifiedServer, _ moment: Timestamp,
        isOwnEndpoint: Bool
    ) {
        if isOwnEndpoint { replace(unverified.endpoint) } else { trust(unverified.endpoint) }
        if let allowance = unverified.allowance, !plainHTTPAllowances.contains(allowance) {
            plainHTTPAllowances.append(allowance)
        }
        knowledge.learn(unverified.client.knowledge, at: moment)
        clockOffset = account.clockOffset ?? clockOffset
    }
}

extension ServerList {
    /// The record that a sign-in renews: the one of that name, else the one of that account.
    fileprivate func record(
        for account: VerifiedAccount, at unverified: UnverifiedServer
    ) -> ServerRecord? {
        let known = servers(at: unverified.client.address)
        if unverified.isNameGiven, let named = known.first(where: { $0.isCalled(unverified.name) })
        {
            return named
        }
        // A record that nobody is signed in to gives way to the account's own.
        return known.first { $0.account?.isSame(as: account) == true }
            ?? known.first { $0.account == nil }
    }
}

extension ServerAccount {
    /// Whether a sign-in is by the user of this account; a key tells no user, so any key is.
    fileprivate func isSame(as proved: VerifiedAccount) -> Bool {
        proved.kind == .apiKey ? kind == .apiKey : kind != .apiKey && username == proved.username
    }

    /// What is kept for it, in words.
    fileprivate var words: String {
        kind == .apiKey ? "the API key" : "the sign-in of '\(username ?? "an unknown user")'"
    }
}
