import ArgusKit

// How a sign-in stays alive.
extension Context {
    /// What keeps the tokens of a stored sign-in fresh; nil for a key, and for a token that the
    /// person brought along.
    func renewal(
        of record: ServerRecord, _ credential: Credential, by client: APIClient,
        _ addresses: FailoverTransport
    ) -> TokenRenewal? {
        guard case .session(let session) = credential, session.kind != .imported else {
            return nil
        }
        let store = presentStore(of: record)
        let context = self
        let endpoints = RenewalMethods(
            client: client, store: store, budget: signInBudget, now: now, sleep: sleep,
            target: { addresses.current })
        let procedure = RenewalProcedure(
            endpoints, of: record.id, in: store, folder: system.paths.state, now: now,
            sleep: system.sleep
        ) { context.warn($0) }
        return TokenRenewal(session, offset: record.clockOffset, procedure: procedure)
    }

    /// The sign-ins of all processes, counted.
    var signInBudget: SignInBudget { SignInBudget(system.paths.state, sleep: system.sleep) }

    /// Does what changes the secrets of a server while no renewal does; a renewal that hangs, or a
    /// folder that cannot be locked, must not keep a person from signing in or out.
    func withSessionLock<Value>(
        _ record: ServerRecord, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await holding(
            { () async throws(FileSystemError) in
                try await SessionLock.take(
                    system.paths.state, record.id, sleep: system.sleep, notify: warn)
            }, work)
    }

    /// Keeps a sign-in while no other process keeps one; the same holds for what hangs.
    func whileNobodySignsIn<Value>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await holding(
            { () async throws(FileSystemError) in
                try await SessionLock.takeForSignIn(
                    system.paths.state, sleep: system.sleep, notify: warn)
            }, work)
    }

    private func holding<Value>(
        _ take: () async throws(FileSystemError) -> FileLock?,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let lock: FileLock?
        do throws(FileSystemError) {
            lock = try await take()
        } catch {
            debug("\(error)")
            return try await work()
        }
        let value = try await work()
        _ = consume lock
        return value
    }

    /// Warns when a sign-in can soon be renewed no longer, where that is known.
    func warnOfLastRenewal(_ server: SignedInServer) async {
        if let warning = await renewalWarning(server) { warn(warning) }
    }

    /// What to say when a sign-in can be renewed for less than 7 more days; else nil.
    func renewalWarning(_ server: SignedInServer) async -> String? {
        guard let record = server.record, let renewal = server.session.renewal,
            let until = await renewal.session.renewableUntil
        else { return nil }
        let left = await until - renewal.serverTime
        guard left < .seconds(7 * 86_400), await !remembersPassword(of: record) else { return nil }
        let time = until.displayText(in: timeZone)
        return left > .zero
            ? "this sign-in can be renewed until \(time); after that sign in again"
            : "this sign-in can be renewed no longer; sign in again with 'argus login'"
    }

    private func remembersPassword(of record: ServerRecord) async -> Bool {
        let key = CredentialKey(record.id, .password)
        guard let value = try? await store(record.credentialStore).read(key) else { return false }
        return !value.reveal().isEmpty
    }
}
