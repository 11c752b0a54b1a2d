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
            throw Failure(error)
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
                .notFound, "there is no server \(name.inQuotes)",
                hint: "'argus server list' shows those that are known")
        case .ambiguous(let records) where name.contains("://"):
            let names = records.map(\.name).joined(separator: ", ")
            throw Failure(
                .usage, "\(name.inQuotes) is the address of several servers: \(names)",
                hint: "give the name of one of them")
        case .ambiguous(let records):
            let candidates = records.map { "\($0.id.text) (\($0.name))" }
            throw Failure(
                .usage,
                "\(name.inQuotes) names several servers: \(candidates.joined(separator: ", "))",
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
            throw Failure(error)
        }
    }

    /// Makes sure, before anything is sent or forgotten, that a change of the known servers will be
    /// kept.
    ///
    /// - Throws: `Failure` 1 naming the folder and the reason.
    func expectWritableState() throws(Failure) {
        do {
            try directory.expectWritable()
        } catch {
            throw Failure(error)
        }
    }

    /// The names that completion offers for a server; nil where nothing can be kept.
    func cache(for server: SignedInServer) -> CompletionCache? {
        server.record.flatMap { CompletionCache(system.paths.cache, server: $0.id) }
    }

    /// Forgets the names of a server.
    func forgetCache(of record: ServerRecord) {
        CompletionCache(system.paths.cache, server: record.id)?.erase()
    }

    var directory: ServerDirectory {
        let context = self
        return ServerDirectory(system.paths.state) { notice in
            guard context.seenNotices.insert(notice) else { return }
            switch notice {
            case .damaged(let path): context.warn("'\(path)' is damaged; it is read as empty")
            case .setAside(let path): context.warn("the damaged list of servers is now '\(path)'")
            case .unreadableRecords(1):
                context.warn("the record of 1 server cannot be read; it is kept as it is")
            case .unreadableRecords(let count):
                context.warn(
                    "the records of \(count) servers cannot be read; they are kept as they are")
            }
        }
    }
}

extension Failure {
    /// Why the known servers could not be read or changed.
    init(_ error: ServerDirectoryError) {
        switch error {
        case .list: self.init(.usage, "\(error)")
        case .file(let cause):
            self.init(.failed, "\(error)", hint: cause.remedy, reason: "state_failed")
        case .noPlace, .unwritable, .newerVersion:
            self.init(.failed, "\(error)", reason: "state_failed")
        }
    }
}
