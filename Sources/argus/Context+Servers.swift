import ArgusKit

// The servers that this user knows, and the connections to them.
extension Context {
    /// The name or URL of `--server` or its setting; nil for the default server.
    func serverName() throws(Failure) -> Precedence.Resolved? {
        try setting(.server, option: globals.server)
    }

    /// All known servers.
    ///
    /// - Throws: `Failure` 1 when the file cannot be read.
    func knownServers() throws(Failure) -> ServerList {
        return try attempt(directory.load())
    }

    /// The known server of a name, an id, the beginning of an id, or a URL; the default without.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when several match, 4 when none is known at all.
    func knownServer(_ name: String?, in list: ServerList) throws(Failure) -> ServerRecord {
        try attempt(list.record(of: name))
    }

    /// The server of this run with the credentials to use there.
    ///
    /// - Throws: `Failure` 2, 3, 9 or 4.
    func server() async throws(Failure) -> SignedInServer {
        let named = try serverName()?.text
        let list = try knownServers()
        let explicit: ExplicitCredential?
        do throws(ExplicitCredentialsError) {
            explicit = try explicitCredentials.resolve()
        } catch {
            throw Failure(.usage, "\(error)")
        }
        if let explicit {
            warnIfOpen(explicit.path ?? explicit.source, explicit.modeOpenToOthers)
        }
        let (sessions, secrets) = (try sessions(), explicitCredentials)
        let server = try await Failure.explaining(
            try await sessions.open(named, in: list, with: explicit) {
                () throws(ServerError) in try secrets.fingerprint()
            })
        usedServers.add(server)
        return server
    }

    /// A known server with credentials, ready for requests.
    ///
    /// - Throws: `Failure` 6 or 9 where no endpoint can be used.
    func signedInServer(
        _ record: ServerRecord, _ credential: Credential, from source: String,
        renewing: Bool = false
    ) throws(Failure) -> SignedInServer {
        let sessions = try sessions()
        let server = try attempt(
            sessions.open(record, credential, from: source, renewing: renewing))
        usedServers.add(server)
        return server
    }

    private func sessions() throws(Failure) -> SessionOpener {
        SessionOpener(try connector(), secrets)
    }

    /// The service that makes the clients of servers.
    ///
    /// - Throws: `Failure` for a setting or a trace file that cannot be used.
    func connector() throws(Failure) -> ServerConnector {
        let context = self
        return ServerConnector(
            try ConnectionOptions(of: self), in: system.connections,
            store: { context.secrets.store(of: $0) },
            notify: { context.report($0) })
    }

    private func report(_ notice: ServerConnector.Notice) {
        switch notice {
        case .leftOut(let endpoint, let error):
            debug("\(endpoint.kind.rawValue) \(endpoint.address) is left out: \(error)")
        case .remembered(let target, let moment):
            debug("way: \(target), last proved \(moment.displayText(in: timeZone))")
        case .selected(let report):
            endpointReports.add(report)
            for line in report.lines { debug(line) }
        case .headersLeftOut(let names):
            warn(
                "\(names.joined(separator: ", ")) is not sent to the relay: argus sends its own; "
                    + "'argus server set --relay-header-stdin' takes other fields")
        case .notRemembered(let options, let path):
            warn("\(options) must be given again each time: '\(path)' is no file that lasts")
        case .retry(let sentence): debug(sentence)
        case .rateLimit(let wait):
            self.notice(
                "the server refuses more requests for now; waiting \(DurationText.short(wait))")
        }
    }

    /// The further tries of a request that failed.
    func retries() throws(Failure) -> Int {
        let text = try setting(.retries, option: globals.retries.map { String($0) })?.text
        return text.flatMap { Int($0) } ?? RetryPolicy().retries
    }

    /// Whether an endpoint remembers the client certificate that this run was given.
    func isGivenFiles(of endpoint: Endpoint) -> Bool {
        TLSFiles(of: self).areRemembered(in: endpoint)
    }

    /// Remembers what this run learnt of a server's routes and clock; missing that only costs time.
    func keepKnowledge(of server: SignedInServer) async {
        do throws(ServerDirectoryError) {
            try await server.keepKnowledge(in: directory, at: now())
        } catch {
            debug("what was learnt of '\(server.name)' is not kept: \(error)")
        }
    }

    /// Changes the known servers, safely against other processes.
    @discardableResult
    func changeServers<Value: Sendable>(
        _ change: @Sendable (inout ServerList) throws(ServerListError) -> Value
    ) async throws(Failure) -> Value {
        return try await attempt(awaiting: await directory.update(change))
    }

    /// Makes sure, before anything is sent or forgotten, that a change of the known servers will be
    /// kept.
    ///
    /// - Throws: `Failure` 1 naming the folder and the reason.
    func expectWritableState() throws(Failure) {
        try attempt(directory.expectWritable())
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
