/// The secrets of the known servers, in the stores that their records name.
package struct ServerSecrets: Sendable {
    package let stores: CredentialStores
    package let directory: ServerDirectory
    package let environment: StateEnvironment

    package var locks: SessionLocks { SessionLocks(in: environment) }

    /// Prepares the access to the secrets of the servers in a directory.
    package init(
        in stores: CredentialStores, of directory: ServerDirectory,
        _ environment: StateEnvironment
    ) {
        self.stores = stores
        self.directory = directory
        self.environment = environment
    }

    /// The sign-in that is stored for a server; nil when there is none.
    ///
    /// Secrets that a store did not let go of at a sign-out count as none.
    ///
    /// - Throws: `CredentialStoreError`, as the store gives it.
    package func credential(
        of record: ServerRecord
    ) async throws(CredentialStoreError) -> Credential? {
        guard record.account != nil else { return nil }
        return try await stores.open(record.credentialStore).credential(of: record.id)
    }

    /// The store of a server's secrets, found anew for each call: another process may move them.
    package func store(of record: ServerRecord) -> AvailableStore {
        AvailableStore(name: record.credentialStore.name) { () throws(CredentialStoreError) in
            let known = (try? directory.load())?[record.id] ?? record
            return try stores.open(known.credentialStore)
        }
    }

    /// Puts a new password in the place of one that is stored for later sign-ins; does nothing where
    /// none is.
    ///
    /// - Throws: `CredentialStoreError`; the old password is then still stored.
    package func replacePassword(
        of record: ServerRecord, by password: Redacted<String>
    ) async throws(CredentialStoreError) {
        let (store, key) = (store(of: record), CredentialKey(record.id, .password))
        guard try await store.read(key) != nil else { return }
        try await store.write(Redacted(Array(password.reveal().utf8)), for: key)
    }

    /// Forgets a server and all of its secrets.
    ///
    /// - Returns: the error of a store that did not let go of some secrets; the record is gone.
    /// - Throws: `ServerDirectoryError` where the record could not be removed.
    package func remove(
        _ record: ServerRecord
    ) async throws(ServerDirectoryError) -> CredentialStoreError? {
        try await locks.withSessionLock(record.id) { () async throws(ServerDirectoryError) in
            var problem: CredentialStoreError?
            do throws(CredentialStoreError) {
                try await store(of: record).eraseAll(of: record.id)
            } catch {
                problem = error
            }
            try await directory.update { list throws(ServerListError) in
                try list.remove(record.id)
            }
            return problem
        }
    }

    /// Moves the secrets of a server to another store, and returns the record that names it.
    ///
    /// The new store has everything, read back, before the record points there, and the old one is
    /// emptied last: whatever fails or is killed on the way, the record leads to whole secrets.
    ///
    /// - Throws: `ServerStateError`; the old store then has everything still.
    package func move(
        _ record: ServerRecord, to kind: CredentialStoreKind
    ) async throws(ServerStateError) -> ServerRecord {
        try await locks.withSessionLock(record.id) { () async throws(ServerStateError) in
            // A sign-in or another move may have ended just before we had the lock.
            let record = try directory.records()[record.id] ?? record
            guard record.credentialStore != kind else { return record }
            do throws(CredentialStoreError) {
                try await stores.open(kind).copyAll(
                    of: record.id, from: try stores.open(record.credentialStore))
            } catch {
                throw .store(error)
            }
            let moved = try await directory.change { list throws(ServerListError) in
                try list.change(record.id) { $0.credentialStore = kind }
                return list[record.id] ?? record
            }
            await emptyOldStore(of: record)
            return moved
        }
    }

    /// Takes to another store what is no sign-in, which a new sign-in does not bring again: the
    /// relay's header fields and what was registered for pushes.
    ///
    /// The old store may be broken, which keeps no one from signing in.
    ///
    /// - Returns: the items that could not be copied and are to stay in the old store.
    func copyExtras(
        of record: ServerRecord, to kind: CredentialStoreKind
    ) async -> Set<CredentialKey.Item> {
        var left: Set<CredentialKey.Item> = []
        let extras: [(item: CredentialKey.Item, words: String)] = [
            (.relayHeaders, "header fields for the relay"), (.push, "push registrations"),
        ]
        for (item, words) in extras {
            do throws(CredentialStoreError) {
                let old = try stores.open(record.credentialStore)
                // What an earlier sign-in had to leave in the new store is better than nothing.
                guard try await old.read(CredentialKey(record.id, item)) != nil else { continue }
                try await stores.open(kind).copy([item], of: record.id, from: old)
            } catch {
                left.insert(item)
                environment.notify(
                    "any \(words) of '\(record.name)' were not taken along and stay in the "
                        + "\(record.credentialStore.name): \(error)")
            }
        }
        return left
    }

    /// Empties the store that had the secrets of a server, but for the items left there.
    func emptyOldStore(
        of record: ServerRecord, leaving left: Set<CredentialKey.Item> = []
    ) async {
        do throws(CredentialStoreError) {
            try await stores.open(record.credentialStore).eraseAll(of: record.id, except: left)
        } catch {
            environment.notify(
                "the secrets of '\(record.name)' are still in their old place too: \(error)")
        }
    }
}

/// Why the record or the secrets of a server could not be read or changed.
package enum ServerStateError: Error, Hashable, Sendable, CustomStringConvertible {
    case store(CredentialStoreError)
    case directory(ServerDirectoryError)

    package var description: String {
        switch self {
        case .store(let error): error.description
        case .directory(let error): error.description
        }
    }
}

extension ServerDirectory {
    /// `load` for transactions that change secrets too.
    func records() throws(ServerStateError) -> ServerList {
        do throws(ServerDirectoryError) { return try load() } catch { throw .directory(error) }
    }

    /// `update` for transactions that change secrets too.
    @discardableResult
    func change<Value: Sendable>(
        _ change: (inout ServerList) throws(ServerListError) -> Value
    ) async throws(ServerStateError) -> Value {
        do throws(ServerDirectoryError) {
            return try await update(change)
        } catch {
            throw .directory(error)
        }
    }
}
