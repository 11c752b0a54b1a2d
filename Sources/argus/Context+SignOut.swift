import ArgusKit

// Ending a sign-in.
extension Context {
    /// Signs out, here and as far as possible at the server; the record stays.
    ///
    /// What this machine registered for pushes is taken back first, unless it is to be kept.
    func signOut(
        of record: ServerRecord, _ credential: Credential, keepsPush: Bool
    ) async throws(Failure) {
        if !keepsPush { await takeBackPush(of: record, credential) }
        if case .session = credential {
            await endSession(record, credential)
        } else {
            say("the API key stays valid until it is revoked on the server")
        }
        try await eraseCredentials(of: record, keepsPush: keepsPush)
        try await changeServers { list throws(ServerListError) in
            try list.change(record.id) { $0.account = nil }
        }
    }

    /// Ends the session at the server as far as that is possible; it never keeps the rest back.
    private func endSession(_ record: ServerRecord, _ credential: Credential) async {
        do throws(Failure) {
            if credential.isPairing {
                try await endPairing(record, credential)
            } else {
                let home = try self.home(record, credential, from: record.credentialStore.name)
                try await home.attempt("sign out") { () async throws(APIError) in
                    try await home.session.call(
                        AccountRoutes.logout, credential.refreshToken(when: now()))
                }
            }
        } catch {
            if error.kind == .unsupported, credential.isPairing {
                say("this server cannot end a pairing: remove the device in its dashboard")
            }
            // A token that the server refuses already, or a server without the route, is signed out.
            if error.kind != .notSignedIn, error.kind != .unsupported {
                warn("the session on the server was not ended: \(error.message)")
            }
        }
        if let expiresAt = credential.expiresAt, expiresAt > now() {
            let until = expiresAt.displayText(in: timeZone)
            say("the server may accept the access token until \(until)")
        }
    }

    /// Ends a paired device's tokens; servers take the refresh token only from who has an access
    /// token too, which is renewed for that where it must be.
    private func endPairing(
        _ record: ServerRecord, _ credential: Credential
    ) async throws(Failure) {
        let home = try self.home(
            record, credential, from: record.credentialStore.name, renewing: true)
        _ = await home.session.renewal?.current()
        guard case .session(let session) = await home.renewed.credential,
            let token = session.refreshToken
        else { return }
        try await home.attempt("sign out") { () async throws(APIError) in
            try await home.session.call(PairingRoutes.revoke, token)
        }
    }
}

extension Credential {
    /// Whether it is that of a paired device.
    fileprivate var isPairing: Bool {
        if case .session(let session) = self { session.kind == .mobile } else { false }
    }

    /// What names the session to the server once the access token no longer does.
    fileprivate func refreshToken(when now: Timestamp) -> Redacted<String>? {
        guard case .session(let session) = self, let expiresAt, expiresAt <= now else { return nil }
        return session.refreshToken
    }
}
