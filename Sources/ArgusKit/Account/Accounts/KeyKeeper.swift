import ArgusCore
package import ArgusTransport

/// Makes and revokes the API key that replaces a sign-in once it has ended.
package struct KeyKeeper: Sendable {
    private let secrets: ServerSecrets

    package init(_ secrets: ServerSecrets) { self.secrets = secrets }

    /// Makes a key with a fresh sign-in and stores it, unless a stored one still works.
    ///
    /// The name is stored first: a run that is killed before it has the key leaves one with a known
    /// name, which the next call or a sign-out revokes.
    ///
    /// - Throws: `KeyKeepingError`; no new key is left on the server unless the error names it.
    package func make(
        named name: String, of record: ServerRecord, at server: SignedInServer
    ) async throws(KeyKeepingError) -> StoredKey {
        try await secrets.environment.withSignInLock { () async throws(KeyKeepingError) in
            let store = secrets.store(of: record)
            let earlier = try await rethrowing(
                awaiting: await store.storedKey(of: record.id),
                as: { KeyKeepingError.store($0, left: nil) })
            if let earlier {
                if await works(earlier, at: server) { return earlier }
                try await rethrowing(
                    awaiting: await Self.end(earlier, at: server),
                    as: KeyKeepingError.request)
            }
            return try await make(StoredKey(name: name), of: record, at: server, in: store)
        }
    }

    private func make(
        _ intent: StoredKey, of record: ServerRecord, at server: SignedInServer,
        in store: AvailableStore
    ) async throws(KeyKeepingError) -> StoredKey {
        let place: CredentialPlace
        do throws(AccountError) {
            try await store.keep(intent, of: record.id)
            place = try await store.place(for: CredentialKey(record.id, .apiKey))
        } catch {
            throw .store(error, left: nil)
        }
        let hold = SignalHold()
        defer { hold.end() }
        // A stored key serves for reading only.
        let new = NewAPIKey(
            name: intent.name, scopes: [.readEvents, .readCameras], expiresAt: nil,
            requestsPerMinute: nil)
        let made: (key: APIKey, secret: Redacted<String>?)
        do throws(APIError) {
            made = try await server.session.call(APIKeyRoutes.create, new, holding: hold)
        } catch {
            // A refusal means that no key exists; after a lost answer one may.
            if !error.provesNothing {
                try? await store.erase(CredentialKey(record.id, .apiKey))
            }
            throw .request(error)
        }
        let kept = StoredKey(name: intent.name, id: made.key.id, secret: made.secret)
        guard made.secret != nil else { throw .noSecret(left: await left(kept, at: server)) }
        do throws(AccountError) {
            try await place.keep(kept.encoded, pausing: secrets.environment.pause)
            try await store.expectKept(kept.encoded, for: CredentialKey(record.id, .apiKey))
            return kept
        } catch { throw .store(error, left: await left(kept, at: server)) }
    }

    /// Revokes a key that could not be stored; returns it if it is still valid.
    private func left(_ key: StoredKey, at server: SignedInServer) async -> StoredKey? {
        do { try await Self.end(key, at: server) } catch { return key }
        return nil
    }

    private func works(_ key: StoredKey, at server: SignedInServer) async -> Bool {
        guard let secret = key.secret else { return false }
        let session = Session(client: server.session.client, authorization: .apiKey(secret))
        return (try? await session.call(AccountRoutes.probe, ())) != nil
    }

    /// Revokes a key on the server: by its id, or by its name if the id was lost.
    ///
    /// - Throws: `APIError`; not for a key that is absent.
    package static func end(
        _ key: StoredKey, at server: SignedInServer
    ) async throws(APIError) {
        var ids = [key.id].compactMap { $0 }
        if ids.isEmpty {
            ids = try await server.session.call(APIKeyRoutes.list, false).values
                .filter { $0.name == key.name }.map(\.id)
        }
        for id in ids {
            do throws(APIError) {
                try await server.session.call(APIKeyRoutes.revoke, id)
            } catch  where error.kind == .notFound {
                continue
            }
        }
    }
}

/// The reason why a sign-in has no API key.
package enum KeyKeepingError: Error, Sendable {
    /// The server made none, or did not answer.
    case request(APIError)
    /// The store failed; `left` is a key that is still valid on the server.
    case store(AccountError, left: StoredKey?)
    /// The server sent a key that no request can carry.
    case noSecret(left: StoredKey?)

    /// The key that is valid on the server and stored nowhere.
    package var left: StoredKey? {
        switch self {
        case .request: nil
        case .store(_, let left), .noSecret(let left): left
        }
    }
}
