/// Signs out of servers, here and as far as possible at the server; the records stay.
package struct SignOut: Sendable {
    /// Something that the user should know, although the sign-out goes on.
    package enum Notice: Sendable {
        /// The credential cannot be read, so that the server still has the session.
        case unreadable(server: String, CredentialStoreError)
        /// An API key ends only at the server.
        case keyStaysValid(server: String)
        /// The server cannot end a pairing.
        case pairingStays(server: String)
        /// The server was not reached for this reason, and still has the session.
        case notReached(server: String, reason: String)
        /// The server did not end the session.
        case notEnded(SignedInServer, APIError)
        /// The access token may be accepted until then, whatever is signed out.
        case acceptedUntil(Timestamp, server: String)
    }

    /// Why a server cannot be reached at all, in a sentence.
    package struct Unreachable: Error {
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    private let secrets: ServerSecrets
    private let connect:
        @Sendable (ServerRecord, Credential, _ renewing: Bool) throws(Unreachable) -> SignedInServer
    private let takePushBack: @Sendable (ServerRecord, Credential) async -> Void
    private let report: @Sendable (Notice) async -> Void

    /// Prepares to sign out of servers.
    ///
    /// - Parameters:
    ///   - secrets: The secrets and records of the known servers.
    ///   - connect: Makes a server ready for requests with a credential, which is renewed where that
    ///     is asked.
    ///   - takePushBack: Takes back what this machine registered for pushes, while the sign-in works
    ///     still.
    ///   - report: Receives what the user should know.
    package init(
        _ secrets: ServerSecrets,
        connect:
            @escaping @Sendable (ServerRecord, Credential, _ renewing: Bool)
            throws(Unreachable) -> SignedInServer,
        takePushBack: @escaping @Sendable (ServerRecord, Credential) async -> Void,
        report: @escaping @Sendable (Notice) async -> Void
    ) {
        self.secrets = secrets
        self.connect = connect
        self.takePushBack = takePushBack
        self.report = report
    }

    /// Signs out of the server of a record, whatever state its secrets are in.
    ///
    /// - Returns: the credential that was signed in with; nil where it cannot be read any more.
    /// - Throws: `SignOutError`; of secrets that are left after all else was done.
    package func end(
        _ record: ServerRecord, keepsPush: Bool
    ) async throws(SignOutError) -> Credential? {
        let credential: Credential?
        do throws(CredentialStoreError) {
            let store = try secrets.stores.open(record.credentialStore)
            credential = try await store.credential(of: record.id)
        } catch {
            let ignored = secrets.stores.ignoredProblem
            guard ignored != nil || !error.isForUser else { throw .unreadable(error) }
            if record.account != nil {
                await report(.unreadable(server: record.name, ignored ?? error))
            }
            // Without an account, too: an earlier sign-out may have had to leave secrets.
            try await secrets.locks.withSessionLock(record.id) { () async throws(SignOutError) in
                try await forget(record, keepsPush: keepsPush)
            }
            return nil
        }
        guard let credential else { throw .notSignedIn(server: record.name) }
        try await end(record, credential, keepsPush: keepsPush)
        return credential
    }

    /// Signs out of the server of a record whose credential was read.
    ///
    /// What this machine registered for pushes is taken back first, unless it is to be kept.
    ///
    /// - Throws: `SignOutError` for a record or secrets that are left after all else was done.
    package func end(
        _ record: ServerRecord, _ credential: Credential, keepsPush: Bool
    ) async throws(SignOutError) {
        if !keepsPush { await takePushBack(record, credential) }
        if credential.isPairing { await renew(record, credential) }
        try await secrets.locks.withSessionLock(record.id) { () async throws(SignOutError) in
            var hasEnded = false
            switch await current(credential, of: record) {
            case .session(let session)?: hasEnded = await endSession(session, of: record)
            case .apiKey?: await report(.keyStaysValid(server: record.name))
            case nil: break
            }
            try await forget(record, keepsPush: keepsPush, hasEnded: hasEnded)
        }
    }

    /// The sign-in as the last renewal has left it, which is the one that lives at the server; nil
    /// where another process has signed out.
    private func current(_ credential: Credential, of record: ServerRecord) async -> Credential? {
        do throws(CredentialStoreError) {
            return try await secrets.store(of: record).credential(of: record.id)
        } catch {
            return credential
        }
    }

    /// Renews a device's access token where it has ended: servers end a refresh token only for a
    /// caller with a live one.
    private func renew(_ record: ServerRecord, _ credential: Credential) async {
        let server = try? connect(record, credential, true)
        _ = await server?.session.renewal?.current()
    }

    /// Ends the session at the server as far as that is possible, and returns whether it is ended; a
    /// failure never keeps the rest back.
    private func endSession(_ session: StoredSession, of record: ServerRecord) async -> Bool {
        let hasEnded: Bool
        do throws(Unreachable) {
            let server = try connect(record, .session(session), false)
            hasEnded = await endSession(session, at: server)
        } catch {
            hasEnded = false
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
                try await server.session.call(
                    AccountRoutes.logout, session.refreshTokenIfEnded(at: secrets.environment.now())
                )
            }
            return true
        } catch {
            switch error.kind {
            // A token that the server refuses already, or a server without the route, is signed out.
            case .unauthorized: break
            case .unsupported:
                guard session.kind == .mobile else { break }
                await report(.pairingStays(server: server.name))
            default: await report(.notEnded(server, error))
            }
            return false
        }
    }

    /// Forgets a sign-in here: the record no longer has an account, even where its store does not
    /// let go of the secrets.
    ///
    /// `hasEnded` is whether the server has ended the session.
    private func forget(
        _ record: ServerRecord, keepsPush: Bool, hasEnded: Bool = false
    ) async throws(SignOutError) {
        var left: CredentialStoreError?
        do throws(CredentialStoreError) {
            try await secrets.store(of: record).eraseAll(
                of: record.id, except: keepsPush ? [.push] : [])
        } catch {
            left = error
        }
        do throws(ServerDirectoryError) {
            try await secrets.directory.update { list throws(ServerListError) in
                try list.change(record.id) { $0.account = nil }
            }
        } catch {
            throw .recordLeft(
                server: record.name, hasEnded: hasEnded, hasSecrets: left != nil, error)
        }
        if let left {
            throw .secretsLeft(
                server: record.name, store: record.credentialStore.name, left)
        }
    }
}

/// Why a sign-out is not complete.
package enum SignOutError: Error, Hashable, Sendable {
    /// There is no sign-in to end.
    case notSignedIn(server: String)
    /// The credential cannot be read for a reason that the user can remove; nothing was done.
    case unreadable(CredentialStoreError)
    /// The record could not be changed: it still has its account.
    case recordLeft(server: String, hasEnded: Bool, hasSecrets: Bool, ServerDirectoryError)
    /// The store did not let go of the secrets; they are used no more.
    case secretsLeft(server: String, store: String, CredentialStoreError)
}

extension SignOutError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSignedIn(let server): "not signed in to '\(server)'"
        case .unreadable(let error): error.description
        case .recordLeft(let server, let hasEnded, let hasSecrets, let error):
            (hasEnded ? "the server has ended the session, but " : "")
                + (hasSecrets ? "the" : "the record of the")
                + " sign-in to '\(server)' is still kept here: \(error)"
        case .secretsLeft(let server, let store, let error):
            "signed out of '\(server)', but its secrets are still in the \(store): \(error)"
        }
    }
}

extension Credential {
    /// Whether it is the credential of a paired device.
    fileprivate var isPairing: Bool {
        if case .session(let session) = self { session.kind == .mobile } else { false }
    }
}

extension StoredSession {
    /// The refresh token, which names the session to the server once the access token no longer
    /// does; nil while the access token lives.
    fileprivate func refreshTokenIfEnded(at now: Timestamp) -> Redacted<String>? {
        guard let endsAt, endsAt <= now else { return nil }
        return refreshToken
    }
}
