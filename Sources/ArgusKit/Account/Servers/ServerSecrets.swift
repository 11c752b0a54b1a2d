package import ArgusCore

/// The secrets of the known servers, in the stores of their records.
package struct ServerSecrets: Sendable {
    package let stores: CredentialStores
    package let directory: ServerDirectory
    package let environment: StateEnvironment

    package init(
        in stores: CredentialStores, of directory: ServerDirectory,
        _ environment: StateEnvironment
    ) {
        self.stores = stores
        self.directory = directory
        self.environment = environment
    }

    /// The stored sign-in of a server; nil after a sign-out, even if its store kept secrets.
    ///
    /// - Throws: `AccountError`, as the store gives it.
    package func credential(
        of record: ServerRecord
    ) async throws(AccountError) -> Credential? {
        guard record.account != nil else { return nil }
        return try await stores.open(record.credentialStore).credential(of: record.id)
    }

    /// The store of a server's secrets, looked up for each call: another process may move them.
    package func store(of record: ServerRecord) -> AvailableStore {
        AvailableStore(name: record.credentialStore.name) { () throws(AccountError) in
            let known = (try? directory.load())?[record.id] ?? record
            return try stores.open(known.credentialStore)
        }
    }

    /// Replaces the stored password, if there is one.
    ///
    /// - Throws: `AccountError`; the old password is then still stored.
    package func replacePassword(
        of record: ServerRecord, by password: Redacted<String>
    ) async throws(AccountError) {
        let (store, key) = (store(of: record), CredentialKey(record.id, .password))
        try await insisting(while: \.mayPass, pausing: environment.pause) {
            () async throws(AccountError) in
            guard try await store.read(key) != nil else { return }
            try await store.write(Redacted(Array(password.reveal().utf8)), for: key)
        }
    }

    /// Removes the record of a server and its secrets.
    ///
    /// - Returns: The error of a store that kept secrets, although the record is removed.
    /// - Throws: `AccountError` if the record was not removed.
    package func remove(
        _ record: ServerRecord
    ) async throws(AccountError) -> AccountError? {
        let problem = try await environment.withSessionLock(record.id) {
            () async throws(AccountError) in
            var problem: AccountError?
            if let key = try? await store(of: record).storedKey(of: record.id) {
                environment.notify(key.notice(of: record.name))
            }
            do throws(AccountError) {
                try await store(of: record).eraseAll(of: record.id)
            } catch {
                problem = error
            }
            try await directory.update { list throws(AccountError) in
                try list.remove(record.id)
            }
            return problem
        }
        environment.eraseFiles(of: record.id)
        return problem
    }

    /// Moves the secrets of a server to another store, and returns the record that names it.
    ///
    /// Everything is read back from the new store before the record points there, and the old one is
    /// erased last: after any failure or kill, the record leads to complete secrets.
    ///
    /// - Throws: `AccountError`; the old store then still has everything.
    package func move(
        _ record: ServerRecord, to kind: CredentialStoreKind
    ) async throws(AccountError) -> ServerRecord {
        try await environment.withSessionLock(record.id) { () async throws(AccountError) in
            // A sign-in or another move may have ended just before.
            let record = try directory.load()[record.id] ?? record
            guard record.credentialStore != kind else { return record }
            try await stores.open(kind).copyAll(
                of: record.id, from: try stores.open(record.credentialStore))
            let moved = try await directory.update { list throws(AccountError) in
                try list.change(record.id) { $0.credentialStore = kind }
                return list[record.id] ?? record
            }
            await emptyOldStore(of: record)
            return moved
        }
    }

    /// Copies the relay's header fields and the push registrations, which a new sign-in does not
    /// renew, to another store.
    ///
    /// - Returns: The items that could not be copied, for example from a broken store, and must stay.
    func copyExtras(
        of record: ServerRecord, to kind: CredentialStoreKind, withKey: Bool
    ) async -> Set<CredentialKey.Item> {
        var left: Set<CredentialKey.Item> = []
        let extras: [(item: CredentialKey.Item, words: String)] = [
            (.relayHeaders, "header fields for the relay"), (.push, "push registrations"),
            (.apiKey, "API key"),
        ]
        for (item, words) in extras where withKey || item != .apiKey {
            do throws(AccountError) {
                let old = try stores.open(record.credentialStore)
                // The new store may still have them from an earlier sign-in.
                guard try await old.read(CredentialKey(record.id, item)) != nil else { continue }
                try await stores.open(kind).copy([item], of: record.id, from: old)
            } catch {
                left.insert(item)
                environment.notify(
                    "any \(words) of '\(record.name)' were not moved and stay in the "
                        + "\(record.credentialStore.name): \(error)")
            }
        }
        return left
    }

    /// Erases the secrets of a server in its old store, except for some items.
    func emptyOldStore(
        of record: ServerRecord, leaving left: Set<CredentialKey.Item> = []
    ) async {
        do throws(AccountError) {
            try await stores.open(record.credentialStore).eraseAll(of: record.id, except: left)
        } catch {
            environment.notify(
                "the old store still has the secrets of '\(record.name)' too: \(error)")
        }
    }
}
