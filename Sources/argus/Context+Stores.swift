import ArgusKit

// Where the secrets of servers are.
extension Context {
    /// The sign-in that is kept for a server; nil when there is none.
    ///
    /// What a store would not let go of at a sign-out is none.
    func storedCredential(of record: ServerRecord) async throws(Failure) -> Credential? {
        guard record.account != nil else { return nil }
        do {
            return try await store(record.credentialStore).credential(of: record.id)
        } catch {
            throw Failure(error)
        }
    }

    /// Forgets every secret of a server, apart from what it was told for pushes where that is kept.
    func eraseCredentials(
        of record: ServerRecord, keepsPush: Bool = false
    ) async throws(Failure) {
        do throws(CredentialStoreError) {
            try await presentStore(of: record)
                .eraseAll(of: record.id, except: keepsPush ? [.push] : [])
        } catch {
            throw Failure(error)
        }
    }

    /// A place where secrets live between runs.
    ///
    /// The one that is named and no other: a place that fails is an error, never a reason to look
    /// elsewhere.
    func store(
        _ kind: CredentialStoreKind
    ) throws(CredentialStoreError) -> any CredentialStore {
        switch kind {
        case .file: try sealedFiles()
        case .secretService: TimeoutSkippingStore(system.keyring(system.environment), silences)
        case .helper(let name):
            TimeoutSkippingStore(HelperStore(name, environment: system.environment), silences)
        }
    }

    /// The place of a server's secrets as another process may have changed it in the meantime.
    func presentStore(of record: ServerRecord) -> AvailableStore {
        let context = self
        return AvailableStore(name: record.credentialStore.name) {
            () throws(CredentialStoreError) in
            let known = (try? context.directory.load())?[record.id] ?? record
            return try context.store(known.credentialStore)
        }
    }

    /// Where new sign-ins are to be kept; nil when nobody has said it.
    func chosenStore() throws(Failure) -> CredentialStoreKind? {
        try setting(.credentialStore).flatMap { CredentialStoreKind($0.text) }
    }

    /// Makes sure that the place which was chosen for new sign-ins answers, before one is begun:
    /// servers allow few, and one that cannot be kept is lost.
    func checkChosenStore() async throws(Failure) {
        let chosen = try chosenStore() ?? .file
        try expectWritableState()
        do throws(CredentialStoreError) {
            guard chosen != .file else { return try sealedFiles().expectWritable() }
            _ = try await store(chosen).read(CredentialKey(.random()))
        } catch {
            throw Failure(error)
        }
    }

    /// Moves the secrets of a server to another place, and returns the record that says so.
    ///
    /// The new place has everything, read back, before the record points there, and the old one is
    /// emptied last: whatever fails or is killed on the way, the record leads to whole secrets.
    func moveSecrets(
        of record: ServerRecord, to kind: CredentialStoreKind
    ) async throws(Failure) -> ServerRecord {
        try await withSessionLock(record) { () async throws(Failure) in
            // A sign-in or another move may have ended just before we had the lock.
            let record = try knownServers()[record.id] ?? record
            guard record.credentialStore != kind else { return record }
            do throws(CredentialStoreError) {
                try await store(kind).copyAll(
                    of: record.id, from: try store(record.credentialStore))
            } catch {
                throw Failure(error)
            }
            let moved = try await changeServers { list throws(ServerListError) in
                try list.change(record.id) { $0.credentialStore = kind }
                return list[record.id] ?? record
            }
            await empty(record)
            return moved
        }
    }

    /// Takes to another place what is no sign-in, which a new sign-in does not bring again: the
    /// relay's header fields and what was registered for pushes.
    ///
    /// The old place may be broken, which keeps nobody from signing in.
    ///
    /// - Returns: what could not be taken along and is to stay in the old place.
    func takeAlong(
        _ record: ServerRecord, to kind: CredentialStoreKind
    ) async -> Set<CredentialKey.Item> {
        var left: Set<CredentialKey.Item> = []
        let things: [(item: CredentialKey.Item, words: String)] = [
            (.relayHeaders, "header fields for the relay"), (.push, "push registrations"),
        ]
        for (item, words) in things {
            do throws(CredentialStoreError) {
                let old = try store(record.credentialStore)
                // What an earlier sign-in had to leave in the new place is better than nothing.
                guard try await old.read(CredentialKey(record.id, item)) != nil else { continue }
                try await store(kind).copy([item], of: record.id, from: old)
            } catch {
                left.insert(item)
                warn(
                    "any \(words) of '\(record.name)' were not taken along and stay in the "
                        + "\(record.credentialStore.name): \(error)")
            }
        }
        return left
    }

    /// Empties the place that had the secrets of a server, but for what was left there.
    func empty(_ record: ServerRecord, leaving left: Set<CredentialKey.Item> = []) async {
        do throws(CredentialStoreError) {
            try await store(record.credentialStore).eraseAll(of: record.id, except: left)
        } catch {
            warn("the secrets of '\(record.name)' are still in their old place too: \(error)")
        }
    }

    private func sealedFiles() throws(CredentialStoreError) -> SealedFileStore {
        let passphrase: Redacted<[UInt8]>?
        do {
            passphrase = try self.passphrase()
        } catch {
            throw .passphraseUnreadable(error)
        }
        let context = self
        return SealedFileStore(
            system.paths.state, passphrase: passphrase, machine: system.machineID()
        ) { notice in
            switch notice {
            case .keySetAside(let path):
                context.warn("a damaged key file was set aside as '\(path)'; sign in again")
            case .notBound:
                context.debug(
                    "this machine has no id in /etc/machine-id: a copy of the home folder would "
                        + "hold the sign-in too")
            }
        }
    }
}

extension Failure {
    /// What a store's failure means to the person.
    init(_ error: CredentialStoreError) {
        switch error {
        case .wrongKey, .wrongPassphrase, .damaged, .senseless, .passphraseNeeded, .otherMachine:
            self.init(
                .notSignedIn, "\(error)",
                hint: error.asksForPassphrase
                    ? "give the file of its passphrase with --passphrase-file"
                    : "sign in again with 'argus login'",
                reason: "credentials_unreadable")
        case .passphraseUnreadable:
            self.init(.usage, "\(error)")
        case .file(let cause):
            self.init(
                .failed, "\(error)", hint: cause.remedy, reason: "credential_store_failed")
        case .unavailable, .newerVersion:
            self.init(.failed, "\(error)", reason: "credential_store_failed")
        case .locked:
            self.init(
                .failed, "\(error)",
                hint: "unlock it on the desktop; --token-file and --api-key-file need no store",
                reason: "credential_store_locked")
        case .failed, .silent:
            self.init(
                .failed, "\(error)",
                hint: "see 'argus help credentials'; --token-file and --api-key-file need no store",
                reason: "credential_store_failed")
        }
    }
}

extension CredentialStoreError {
    fileprivate var asksForPassphrase: Bool {
        switch self {
        case .passphraseNeeded, .wrongPassphrase: true
        default: false
        }
    }

    /// Whether nothing is broken: the person gave no passphrase, or another one.
    var isForThePerson: Bool {
        switch self {
        case .unavailable: true
        default: asksForPassphrase
        }
    }
}
