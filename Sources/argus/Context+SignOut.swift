import ArgusKit

// Ending a sign-in.
extension Context {
    /// Signs out, here and as far as possible at the server; the record stays.
    ///
    /// What this machine registered for pushes is taken back first, unless it is to be kept.
    ///
    /// - Throws: `Failure` 1 for secrets that could not be forgotten, after all else was.
    func signOut(
        of record: ServerRecord, _ credential: Credential, keepsPush: Bool
    ) async throws(Failure) {
        if !keepsPush { await takeBackPush(of: record, credential) }
        if credential.isPairing { await renew(record, credential) }
        try await withSessionLock(record) { () async throws(Failure) in
            var hasEnded = false
            switch await present(credential, of: record) {
            case let session? where session.isSession:
                hasEnded = await endSession(record, session)
            case .some:
                notice(
                    "the API key of '\(record.name)' stays valid until it is revoked on the server")
            case nil: break
            }
            try await forgetSignIn(of: record, keepsPush: keepsPush, hasEnded: hasEnded)
        }
    }

    /// The sign-in as the last renewal has left it, which is the one that lives at the server; nil
    /// where another process has signed out.
    private func present(_ credential: Credential, of record: ServerRecord) async -> Credential? {
        do throws(CredentialStoreError) {
            return try await presentStore(of: record).credential(of: record.id)
        } catch {
            return credential
        }
    }

    /// Has a device's access token live: servers take its refresh token only from who has one.
    private func renew(_ record: ServerRecord, _ credential: Credential) async {
        let server = try? signedInServer(
            record, credential, from: record.credentialStore.name, renewing: true)
        _ = await server?.session.renewal?.current()
    }

    /// Signs out of the server of a record, whatever state its secrets are in.
    ///
    /// - Returns: what was signed in with; nil where it could not be read any more.
    /// - Throws: `Failure` 4 where nobody is signed in, 1 for secrets that could not be forgotten,
    ///   now or at an earlier sign-out.
    func signOut(
        of record: ServerRecord, keepsPush: Bool
    ) async throws(Failure) -> Credential? {
        let credential: Credential?
        do throws(CredentialStoreError) {
            credential = try await store(record.credentialStore).credential(of: record.id)
        } catch {
            let problem = passphraseProblem
            guard problem != nil || !error.isForThePerson else { throw Failure(error) }
            if record.account != nil {
                warn("the server of '\(record.name)' was not told: \(problem ?? error)")
            }
            // Without an account, too: an earlier sign-out may have had to leave secrets.
            try await withSessionLock(record) { () async throws(Failure) in
                try await forgetSignIn(of: record, keepsPush: keepsPush)
            }
            return nil
        }
        guard let credential else {
            throw Failure(
                .notSignedIn, "not signed in to '\(record.name)'", reason: "no_credentials")
        }
        try await signOut(of: record, credential, keepsPush: keepsPush)
        return credential
    }

    /// Forgets a sign-in here: the record no longer has an account, even where its store does not
    /// let go of the secrets.
    ///
    /// `hasEnded` is whether the server has ended the session.
    private func forgetSignIn(
        of record: ServerRecord, keepsPush: Bool, hasEnded: Bool = false
    ) async throws(Failure) {
        let secrets = await secretsLeft(of: record, keepsPush: keepsPush)
        do throws(Failure) {
            try await changeServers { list throws(ServerListError) in
                try list.change(record.id) { $0.account = nil }
            }
        } catch {
            var failure = error
            let first = hasEnded ? "the server has ended the session, but " : ""
            let what = secrets == nil ? "the record of the" : "the"
            failure.message =
                "\(first)\(what) sign-in to '\(record.name)' is still kept here: \(error.message)"
            throw failure
        }
        guard var failure = secrets else { return }
        failure.message = "signed out of '\(record.name)', but \(failure.message)"
        failure.hint = "when that is mended: argus logout --server \(record.name)"
        throw failure
    }

    /// Forgets every secret of a server, while nothing renews; returns what kept some from being
    /// forgotten.
    func secretsLeft(of record: ServerRecord, keepsPush: Bool = false) async -> Failure? {
        do throws(Failure) {
            try await eraseCredentials(of: record, keepsPush: keepsPush)
            return nil
        } catch {
            var failure = error
            failure.kind = .failed
            let place = record.credentialStore.name
            failure.message = "its secrets are still in the \(place): \(error.message)"
            return failure
        }
    }

    /// Ends the session at the server as far as that is possible, and returns whether it said so; it
    /// never keeps the rest back.
    private func endSession(_ record: ServerRecord, _ credential: Credential) async -> Bool {
        var hasEnded = true
        do throws(Failure) {
            let server = try self.signedInServer(
                record, credential, from: record.credentialStore.name)
            if credential.isPairing {
                hasEnded = try await endPairing(server)
            } else {
                try await server.attempt("sign out") { () async throws(APIError) in
                    try await server.session.call(
                        AccountRoutes.logout, credential.refreshToken(when: now()))
                }
            }
        } catch {
            hasEnded = false
            if error.kind == .unsupported, credential.isPairing {
                notice("'\(record.name)' cannot end a pairing: remove the device in its dashboard")
            }
            // A token that the server refuses already, or a server without the route, is signed out.
            if error.kind != .notSignedIn, error.kind != .unsupported {
                warn(
                    "the session on the server '\(record.name)' was not ended: \(error.message)")
            }
        }
        if let expiresAt = credential.expiresAt, expiresAt > now() {
            let until = expiresAt.displayText(in: timeZone)
            notice("'\(record.name)' may accept the access token until \(until)")
        }
        return hasEnded
    }

    /// Ends a paired device's tokens; false where there is none to end.
    private func endPairing(_ server: SignedInServer) async throws(Failure) -> Bool {
        guard case .session(let session) = server.credential, let token = session.refreshToken
        else { return false }
        try await server.attempt("sign out") { () async throws(APIError) in
            try await server.session.call(PairingRoutes.revoke, token)
        }
        return true
    }
}

extension Credential {
    /// Whether it is that of a paired device.
    fileprivate var isPairing: Bool {
        if case .session(let session) = self { session.kind == .mobile } else { false }
    }

    /// Whether it is a sign-in, and no key.
    fileprivate var isSession: Bool { if case .session = self { true } else { false } }

    /// What names the session to the server once the access token no longer does.
    fileprivate func refreshToken(when now: Timestamp) -> Redacted<String>? {
        guard case .session(let session) = self, let expiresAt, expiresAt <= now else { return nil }
        return session.refreshToken
    }
}
