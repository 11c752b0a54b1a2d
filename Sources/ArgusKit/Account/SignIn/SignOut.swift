package import ArgusCore
package import ArgusTransport

/// Signs out of servers, locally and as far as possible at the server; the records stay.
package struct SignOut: Sendable {
    /// A message for the user; the sign-out continues.
    package enum Notice: Sendable {
        /// The credential is unreadable, so the server keeps the session.
        case unreadable(server: String, AccountError)
        /// An API key can be ended only at the server.
        case keyStaysValid(server: String)
        /// The key of `--keep-alive` was not revoked, and is erased here.
        case storedKeyStays(server: String, StoredKey)
        /// The server cannot end a pairing.
        case pairingStays(server: String)
        /// The server is unreachable for this reason, and keeps the session.
        case notReached(server: String, reason: String)
        /// The server did not end the session.
        case notEnded(SignedInServer, APIError)
        /// The server may accept the access token until this time, in spite of the sign-out.
        case acceptedUntil(Timestamp, server: String)
    }

    /// The reason why a server is unreachable, as a sentence.
    package struct Unreachable: Error {
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Connects to a server with a credential, renewed on request.
    package typealias Connect =
        @Sendable (ServerRecord, Credential, _ renewing: Bool) throws(Unreachable) -> SignedInServer

    private let secrets: ServerSecrets
    private let connect: Connect
    private let endPush: @Sendable (ServerRecord, Credential) async -> Void
    private let endKey: @Sendable (SignedInServer, StoredKey) async throws(APIError) -> Void
    private let report: @Sendable (Notice) async -> Void

    /// Prepares to sign out of servers.
    ///
    /// `connect` connects with a credential, which is renewed on request. `endPush` ends this
    /// machine's push registrations while the sign-in still works, and `endKey` revokes its API
    /// key.
    package init(
        _ secrets: ServerSecrets, connect: @escaping Connect,
        endPush: @escaping @Sendable (ServerRecord, Credential) async -> Void,
        endKey: @escaping @Sendable (SignedInServer, StoredKey) async throws(APIError) -> Void,
        report: @escaping @Sendable (Notice) async -> Void
    ) {
        self.secrets = secrets
        self.connect = connect
        self.endPush = endPush
        self.endKey = endKey
        self.report = report
    }

    /// Signs out of the server of a record, whatever the state of its secrets.
    ///
    /// - Returns: The credential; nil if it is unreadable.
    /// - Throws: `AccountError`; secrets that remain are reported after everything else is done.
    package func end(
        _ record: ServerRecord, keepsPush: Bool
    ) async throws(AccountError) -> Credential? {
        let credential: Credential?
        do throws(AccountError) {
            let store = try secrets.stores.open(record.credentialStore)
            credential = try await store.credential(of: record.id)
        } catch {
            let ignored = secrets.stores.ignoredProblem
            guard ignored != nil || !error.isForUser else { throw error }
            if record.account != nil {
                await report(.unreadable(server: record.name, ignored ?? error))
            }
            // Even without an account: an earlier sign-out may have left secrets.
            try await secrets.environment.withSessionLock(record.id) {
                () async throws(AccountError) in
                try await forget(record, keepsPush: keepsPush)
            }
            return nil
        }
        if let credential {
            try await end(record, credential, keepsPush: keepsPush)
            return credential
        }
        // The server may have ended the session, whose key stays valid.
        guard let key = await secrets.storedKey(of: record) else {
            throw .notSignedIn(server: record.name)
        }
        await report(.storedKeyStays(server: record.name, key))
        try await secrets.environment.withSessionLock(record.id) { () async throws(AccountError) in
            try await forget(record, keepsPush: keepsPush)
        }
        return key.secret.map(Credential.apiKey)
    }

    /// Ends the API key of a sign-in, while that still works.
    private func revokeKey(of record: ServerRecord, _ credential: Credential) async {
        guard let key = await secrets.storedKey(of: record) else { return }
        guard let server = try? connect(record, credential, true),
            (try? await endKey(server, key)) != nil
        else { return await report(.storedKeyStays(server: record.name, key)) }
    }

    /// Ends this machine's push registrations, unless they are to stay, then the sign-in.
    ///
    /// - Throws: `AccountError` for a record or secrets that remain after everything else is done.
    package func end(
        _ record: ServerRecord, _ credential: Credential, keepsPush: Bool
    ) async throws(AccountError) {
        if !keepsPush { await endPush(record, credential) }
        await revokeKey(of: record, credential)
        if case .session(let session) = credential, session.kind == .mobile {
            // Servers do not end a device's refresh token for an expired access token.
            let server = try? connect(record, credential, true)
            _ = await server?.session.renewal?.current()
        }
        try await secrets.environment.withSessionLock(record.id) { () async throws(AccountError) in
            var hasEnded = false
            switch await current(credential, of: record) {
            case .session(let session)?: hasEnded = await endSession(session, of: record)
            case .apiKey?: await report(.keyStaysValid(server: record.name))
            case nil: break
            }
            try await forget(record, keepsPush: keepsPush, hasEnded: hasEnded)
        }
    }

    /// The sign-in after the last renewal; nil if another process has signed out.
    private func current(_ credential: Credential, of record: ServerRecord) async -> Credential? {
        do throws(AccountError) {
            return try await secrets.store(of: record).credential(of: record.id)
        } catch {
            return credential
        }
    }

    /// Ends the session at the server; false if that failed, which does not stop the sign-out.
    private func endSession(_ session: StoredSession, of record: ServerRecord) async -> Bool {
        var hasEnded = false
        do throws(Unreachable) {
            hasEnded = await endSession(session, at: try connect(record, .session(session), false))
        } catch {
            await report(.notReached(server: record.name, reason: error.reason))
        }
        if let expiresAt = session.endsAt, expiresAt > secrets.environment.now() {
            await report(.acceptedUntil(expiresAt, server: record.name))
        }
        return hasEnded
    }

    private func endSession(_ session: StoredSession, at server: SignedInServer) async -> Bool {
        do throws(APIError) {
            if session.kind == .mobile {
                guard let token = session.refreshToken else { return false }
                try await server.session.call(PairingRoutes.revoke, token)
            } else {
                let hasEnded = session.hasEnded(at: secrets.environment.now())
                try await server.session.call(
                    AccountRoutes.logout, hasEnded ? session.refreshToken : nil)
            }
            return true
        } catch {
            switch error.kind {
            // A refused token, or a server without the route, counts as signed out.
            case .unauthorized: break
            case .unsupported:
                guard session.kind == .mobile else { break }
                await report(.pairingStays(server: server.name))
            default: await report(.notEnded(server, error))
            }
            return false
        }
    }

    /// Erases a sign-in locally: the record loses its account, even if its store keeps the secrets.
    private func forget(
        _ record: ServerRecord, keepsPush: Bool, hasEnded: Bool = false
    ) async throws(AccountError) {
        var left: AccountError?
        do throws(AccountError) {
            try await secrets.store(of: record).eraseAll(
                of: record.id, except: keepsPush ? [.push] : [])
        } catch {
            left = error
        }
        do throws(AccountError) {
            try await secrets.directory.update { list throws(AccountError) in
                try list.change(record.id) { $0.account = nil }
            }
        } catch {
            throw .recordLeft(
                server: record.name, hasEnded: hasEnded, hasSecrets: left != nil, error)
        }
        if let left {
            throw .secretsLeft(server: record.name, store: record.credentialStore.name, left)
        }
    }
}
