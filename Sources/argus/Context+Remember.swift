import ArgusKit

// What a sign-in leaves behind.
extension Context {
    /// Keeps a proved sign-in: its secrets first, and then the account in the record.
    ///
    /// Whatever fails or is killed on the way, no record tells of an account whose secrets are not
    /// there: it tells of that of before, or of none. Of two sign-ins at once to one account the
    /// second renews what the first made.
    ///
    /// - Throws: `Failure`; also for a password that could not be kept or removed, after the rest.
    func remember(
        _ account: ProvedAccount, at newcomer: Newcomer
    ) async throws(Failure) -> ServerRecord {
        try await whileNobodySignsIn { () async throws(Failure) in
            let list = try knownServers()
            let chosen = try chosenStore()
            var fresh = ServerRecord(name: newcomer.name, ways: [newcomer.way], addedAt: now())
            fresh.credentialStore = chosen ?? fresh.credentialStore
            let record =
                newcomer.record.map { list[$0.id] ?? $0 }
                ?? list.record(for: account, at: newcomer) ?? fresh
            return try await whileNothingRenews(record) { () async throws(Failure) in
                // Another process may have moved the secrets before we had the lock.
                let known = try knownServers()[record.id]
                let place = chosen ?? (known ?? record).credentialStore
                return try await remember(account, at: newcomer, as: known, record, in: place)
            }
        }
    }

    private func remember(
        _ account: ProvedAccount, at newcomer: Newcomer, as known: ServerRecord?,
        _ record: ServerRecord, in place: CredentialStoreKind
    ) async throws(Failure) -> ServerRecord {
        let moves = known.map { $0.credentialStore != place } ?? false
        let replaced = known?.account.flatMap { $0.isSame(as: account) ? nil : $0 }
        // What is kept under an id is then never of another account than its record tells, and never
        // under an id that no record has: nobody would find it again to forget it.
        let isNobodys = known == nil || (replaced != nil && !moves)
        if isNobodys { try await write(record, of: nil, at: newcomer, in: place) }
        let problem: Failure?
        do throws(Failure) {
            problem = try await keep(account, of: record, in: place, isReplacing: replaced != nil)
        } catch {
            if isNobodys { await undo(record, to: replaced) }
            throw error
        }
        let left = if moves, let known { await takeAlong(known, to: place) } else { Self.nothing }
        let settled: ServerRecord
        do throws(Failure) {
            settled = try await write(record, of: account, at: newcomer, in: place)
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
            note("'\(record.name)' stays signed out: \(error.message)")
        }
    }

    /// Writes the record of a sign-in whose secrets are kept, or, without an account, of one whose
    /// secrets are about to be.
    @discardableResult
    private func write(
        _ record: ServerRecord, of account: ProvedAccount?, at newcomer: Newcomer,
        in place: CredentialStoreKind
    ) async throws(Failure) -> ServerRecord {
        let moment = now()
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
                record.learn(account, at: newcomer, moment)
                record.credentialStore = place
            }
            if account != nil, newcomer.isNameGiven {
                // Another process may have taken it meanwhile; the sign-in is not lost for that.
                record.name = list.freeName(like: newcomer.name, for: record.id)
            } else if known == nil {
                record.name = list.freeName(like: newcomer.name)
            }
            let kept = record
            if known == nil { try list.add(kept) } else { try list.change(kept.id) { $0 = kept } }
            return kept
        }
    }

    /// Puts the secrets of a sign-in in their place.
    ///
    /// - Returns: what became of the password, where it could not be kept or removed.
    /// - Throws: `Failure` when the sign-in is not kept; that of before is, then.
    private func keep(
        _ account: ProvedAccount, of record: ServerRecord, in place: CredentialStoreKind,
        isReplacing: Bool
    ) async throws(Failure) -> Failure? {
        let key = CredentialKey(record.id, .password)
        let store: any CredentialStore
        do throws(CredentialStoreError) {
            store = try self.store(place)
            // A password must never stand beside the sign-in of somebody else.
            if isReplacing { try await store.erase(key) }
            try await store.keep(account.credential, of: record.id)
        } catch {
            throw Failure(error)
        }
        do throws(CredentialStoreError) {
            guard let password = account.password else {
                try await store.erase(key)
                return nil
            }
            try await store.write(Redacted(Array(password.reveal().utf8)), for: key)
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
}

extension ServerRecord {
    /// Takes over what a sign-in proved and learnt of its server.
    fileprivate mutating func learn(
        _ account: ProvedAccount, at newcomer: Newcomer, _ moment: Timestamp
    ) {
        replace(newcomer.way)
        if let allowance = newcomer.allowance, !plainHTTPAllowances.contains(allowance) {
            plainHTTPAllowances.append(allowance)
        }
        knowledge.learn(newcomer.client.knowledge, at: moment)
        clockOffset = account.clockOffset ?? clockOffset
    }
}

extension ServerList {
    /// The record that a sign-in renews: the one of that name, else the one of that account.
    fileprivate func record(
        for account: ProvedAccount, at newcomer: Newcomer
    ) -> ServerRecord? {
        let known = servers(at: newcomer.client.address)
        if newcomer.isNameGiven, let named = known.first(where: { $0.isCalled(newcomer.name) }) {
            return named
        }
        // A record that nobody is signed in to gives way to the account's own.
        return known.first { $0.account?.isSame(as: account) == true }
            ?? known.first { $0.account == nil }
    }
}

extension ServerAccount {
    /// Whether a sign-in is by the user of this account; a key tells no user, so any key is.
    fileprivate func isSame(as proved: ProvedAccount) -> Bool {
        proved.kind == .apiKey ? kind == .apiKey : kind != .apiKey && username == proved.username
    }

    /// What is kept for it, in words.
    fileprivate var words: String {
        kind == .apiKey ? "the API key" : "the sign-in of '\(username ?? "an unknown user")'"
    }
}
