import ArgusKit

// What a sign-in leaves behind.
extension Context {
    /// The client of a server, without credentials.
    func client(
        for address: ServerAddress, by way: ServerWay, knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(Failure) -> APIClient {
        if way.proof == .plain, globals.certificate != nil {
            throw Failure(.usage, "--cert needs an address with https, and \(address) is none")
        }
        let device = world.device()
        var client = APIClient(
            transport: try transport(), address: address, proof: proof(of: way),
            knowledge: knowledge,
            patience: APIClient.Patience(firstByte: try patience()),
            userAgent: device.userAgent(of: "argus/\(Tool.version)"))
        client.deviceHeaders = device.headers(appVersion: Tool.version)
        return client
    }

    /// Keeps a proved sign-in.
    ///
    /// The record is found or made under the lock of the list, so that of two sign-ins at once to
    /// one account the second renews what the first made; only then are the credentials stored.
    func remember(
        _ account: ProvedAccount, at newcomer: Newcomer
    ) async throws(Failure) -> ServerRecord {
        let moment = now()
        let chosen = try chosenStore()
        let (record, isNew, replaced) = try await changeServers { list throws(ServerListError) in
            var record =
                newcomer.record.map { list[$0.id] ?? $0 } ?? list.record(for: account, at: newcomer)
                ?? ServerRecord(name: newcomer.name, ways: [newcomer.way], addedAt: moment)
            let isNew = list[record.id] == nil
            if isNew { record.credentialStore = chosen ?? record.credentialStore }
            if newcomer.isNameGiven {
                // Another process may have taken it meanwhile; the sign-in is not lost for that.
                record.name = list.freeName(like: newcomer.name, for: record.id)
            } else if isNew {
                record.name = list.freeName(like: newcomer.name)
            }
            record.replace(newcomer.way)
            let replaced = record.account.flatMap { $0.isSame(as: account) ? nil : $0 }
            record.account = ServerAccount(
                kind: account.kind, username: account.username, userID: account.user?.id)
            record.account?.pairedAt = account.pairedAt
            if let allowance = newcomer.allowance, !record.plainHTTPAllowances.contains(allowance) {
                record.plainHTTPAllowances.append(allowance)
            }
            record.knowledge.learn(newcomer.client.knowledge, at: moment)
            record.clockOffset = account.clockOffset ?? record.clockOffset
            let kept = record
            if isNew { try list.add(kept) } else { try list.change(kept.id) { $0 = kept } }
            return (kept, isNew, replaced)
        }
        do throws(Failure) {
            return try await whileNothingRenews(record) { () async throws(Failure) in
                // Another process may have moved the secrets before we had the lock.
                let record = try knownServers()[record.id] ?? record
                let place = chosen ?? record.credentialStore
                try await keep(account, of: record, in: place)
                if let replaced { warn("\(replaced.words) on '\(record.name)' is replaced") }
                guard place != record.credentialStore else { return record }
                let left = await takeAlong(record, to: place)
                return try await settle(record, in: place, leaving: left)
            }
        } catch {
            if isNew {
                try await changeServers { list throws(ServerListError) in
                    try list.remove(record.id)
                }
            }
            throw error
        }
    }

    private func keep(
        _ account: ProvedAccount, of record: ServerRecord, in place: CredentialStoreKind
    ) async throws(Failure) {
        do throws(CredentialStoreError) {
            let store = try store(place)
            try await store.keep(account.credential, of: record.id)
            let key = CredentialKey(record.id, .password)
            guard let password = account.password else { return try await store.erase(key) }
            try await store.write(Redacted(Array(password.reveal().utf8)), for: key)
        } catch {
            throw Failure(error)
        }
    }

    /// Remembers what this run learnt of a server's routes and clock; missing that only costs time.
    func keepKnowledge(of home: Home) async {
        let knowledge = home.session.client.knowledge
        let offset = await home.session.renewal?.learntOffset
        guard let record = home.record, knowledge.isChanged || offset != nil else { return }
        let moment = now()
        do throws(Failure) {
            try await changeServers { list throws(ServerListError) in
                try list.change(record.id) { record in
                    if knowledge.isChanged { record.knowledge.learn(knowledge, at: moment) }
                    record.clockOffset = offset ?? record.clockOffset
                }
            }
        } catch {
            note("what was learnt of '\(home.name)' is not kept: \(error.message)")
        }
    }

    /// How long to wait for the first byte, where somebody said so.
    private func patience() throws(Failure) -> Duration? {
        if let given = globals.timeout { return given.duration }
        guard let value = try setting(.timeout), value.origin != .builtIn else { return nil }
        do {
            return try DurationText.parse(value.text)
        } catch {
            throw Failure(.usage, "timeout: \(error)")
        }
    }

    /// What the server must prove on a way in this run.
    func proof(of way: ServerWay) -> ServerProof {
        let identity: ServerProof.Identity =
            switch way.proof {
            case .plain: .plain
            case .pin(let digest): .pin(digest)
            case .publicCertificate:
                .publicCertificate(authorities: globals.authorities ?? way.authorities)
            }
        // A key belongs to its certificate: both are of this run, or both are remembered.
        let (file, key) =
            globals.certificate.map { ($0, globals.key) } ?? (way.certificate, way.key)
        let certificate = file.map { ClientCertificate(certificatePath: $0, keyPath: key) }
        // Plain http must not pass through a proxy, which would read it (contract section 7.4).
        return ServerProof(
            identity, clientCertificate: certificate, avoidsProxies: way.proof == .plain)
    }
}

extension ServerList {
    /// The records of an address, one for each account.
    func servers(at address: ServerAddress) -> [ServerRecord] {
        switch find(address.description) {
        case .found(let record): [record]
        case .ambiguous(let records): records
        case .absent: []
        }
    }

    /// The record that a sign-in renews: the one of that name, else the one of that account.
    fileprivate func record(
        for account: ProvedAccount, at newcomer: Newcomer
    ) -> ServerRecord? {
        let known = servers(at: newcomer.client.address)
        if newcomer.isNameGiven, let named = known.first(where: { $0.isCalled(newcomer.name) }) {
            return named
        }
        // A record that nobody is signed in to gives way to the account's own.
        return known.first { $0.account?.isSame(as: account) == true }
            ?? known.first { $0.account == nil }
    }
}

extension ServerAccount {
    /// Whether a sign-in is by the user of this account; a key tells no user, so any key is.
    fileprivate func isSame(as proved: ProvedAccount) -> Bool {
        proved.kind == .apiKey ? kind == .apiKey : kind != .apiKey && username == proved.username
    }

    /// What is kept for it, in words.
    fileprivate var words: String {
        kind == .apiKey ? "the API key" : "the sign-in of '\(username ?? "an unknown user")'"
    }
}

extension ServerKnowledge {
    /// For how long what was learnt is believed without a look.
    private static let lifetime: Duration = .seconds(7 * 86_400)

    /// The generations still believed at a moment.
    func currentGenerations(at now: Timestamp) -> [String: String] {
        guard let learntAt, now - learntAt < Self.lifetime else { return [:] }
        return generations
    }

    /// Takes over what a run learnt.
    mutating func learn(_ knowledge: RouteKnowledge, at now: Timestamp) {
        generations = knowledge.routes
        learntAt = now
    }
}
