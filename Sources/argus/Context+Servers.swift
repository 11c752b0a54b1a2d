import ArgusKit

// The servers that this user knows, and which of them is meant.
extension Context {
    /// The name or URL that the person gave, and where; nil to use the default.
    func serverName() throws(Failure) -> Precedence.Resolved? {
        try setting(.server, option: globals.server)
    }

    /// All known servers.
    ///
    /// - Throws: `Failure` 1 when the file cannot be read.
    func knownServers() throws(Failure) -> ServerList {
        do {
            return try directory.load()
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// The known server of a name, an id, the beginning of an id, or a URL; the default without.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when several match, 4 when none is known at all.
    func knownServer(_ name: String?, in list: ServerList) throws(Failure) -> ServerRecord {
        guard let name else {
            if let record = list.defaultServer { return record }
            guard list.servers.isEmpty else {
                throw Failure(
                    .usage, "several servers are known and none is the default",
                    hint: "name one with --server, or choose one with 'argus server use NAME'")
            }
            throw Failure(
                .notSignedIn, "no server is known", hint: "sign in with 'argus login URL'",
                reason: "no_server")
        }
        switch list.find(name) {
        case .found(let record): return record
        case .absent:
            throw Failure(
                .notFound, "there is no server '\(name)'",
                hint: "'argus server list' shows those that are known")
        case .ambiguous(let records):
            let candidates = records.map { "\($0.id.text) (\($0.name))" }
            throw Failure(
                .usage, "'\(name)' names several servers: \(candidates.joined(separator: ", "))",
                hint: "give the whole id")
        }
    }

    /// Changes the known servers, safely against other processes.
    @discardableResult
    func changeServers<Value: Sendable>(
        _ change: @Sendable (inout ServerList) throws(ServerListError) -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await directory.update(change)
        } catch {
            if case .list = error { throw Failure(.usage, "\(error)") }
            throw Failure(.failed, "\(error)")
        }
    }

    /// The sign-in that is kept for a server; nil when there is none.
    func storedCredential(of record: ServerRecord) async throws(Failure) -> Credential? {
        do {
            return try await store().credential(of: record.id)
        } catch {
            throw Failure(error)
        }
    }

    /// Forgets every secret of a server.
    func eraseCredentials(of record: ServerRecord) async throws(Failure) {
        try await whileNothingRenews(record) { () async throws(Failure) in
            do throws(CredentialStoreError) {
                try await store().eraseAll(of: record.id)
            } catch {
                throw Failure(error)
            }
        }
    }

    /// The place where secrets live between runs.
    func store() throws(CredentialStoreError) -> any CredentialStore {
        let passphrase: Redacted<[UInt8]>?
        do {
            passphrase = try explicitCredentials.passphrase()
        } catch {
            throw .unavailable(reason: "\(error)")
        }
        let warn = self.warn
        return SealedFileStore(world.paths.state, passphrase: passphrase) { path in
            warn("a damaged key file was set aside as '\(path)'; sign in again")
        }
    }

    /// The secrets of options, variables and the service manager.
    var explicitCredentials: ExplicitCredentials {
        ExplicitCredentials(
            tokenFile: globals.tokenFile, apiKeyFile: globals.apiKeyFile,
            passphraseFile: globals.passphraseFile, environment: world.environment)
    }

    /// The names that completion offers for a server; nil where nothing can be kept.
    func cache(for home: Home) -> CompletionCache? {
        home.record.flatMap { CompletionCache(world.paths.cache, server: $0.id) }
    }

    /// Forgets the names of a server.
    func forgetCache(of record: ServerRecord) {
        CompletionCache(world.paths.cache, server: record.id)?.erase()
    }

    /// What TAB offers for a kind of word, from what earlier runs saw; nothing is an answer too.
    func completionCandidates(of kind: String) -> [CompletionCache.Candidate] {
        guard let list = try? knownServers() else { return [] }
        if kind == "servers" {
            return list.servers.map {
                CompletionCache.Candidate(text: $0.name, description: $0.ways.first?.address)
            }
        }
        guard let record = try? knownServer(try serverName()?.text, in: list),
            let cache = CompletionCache(world.paths.cache, server: record.id)
        else { return [] }
        switch kind {
        case "cameras": return cache.cameras
        case "events": return cache.events.map { CompletionCache.Candidate(text: $0) }
        default: return []
        }
    }

    private var directory: ServerDirectory {
        let context = self
        return ServerDirectory(world.paths.state) { notice in
            switch notice {
            case .notKept(let reason): context.note("nothing is kept: \(reason)")
            case .damaged(let path): context.warn("'\(path)' is damaged; it is read as empty")
            case .setAside(let path): context.warn("the damaged list of servers is now '\(path)'")
            case .unreadableRecords(let count):
                context.warn(
                    "\(count) records of servers cannot be read; they are kept as they are")
            }
        }
    }
}

extension Failure {
    /// What a store's failure means to the person.
    init(_ error: CredentialStoreError) {
        switch error {
        case .wrongKey, .wrongPassphrase, .damaged, .passphraseNeeded, .otherMachine:
            self.init(
                .notSignedIn, "\(error)",
                hint: error.asksForPassphrase
                    ? "give --passphrase-file" : "sign in again with 'argus login'",
                reason: "credentials_unreadable")
        case .unavailable, .file, .newerVersion:
            self.init(.failed, "\(error)", reason: "credential_store_failed")
        case .locked:
            self.init(
                .failed, "\(error)",
                hint: "unlock it on the desktop; --token-file and --api-key-file need no store",
                reason: "credential_store_locked")
        case .failed:
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
}
