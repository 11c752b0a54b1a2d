import ArgusKit

// From a name to a server that requests can be sent to.
extension Context {
    /// The server of this run with the credentials to use there.
    ///
    /// The checks come in the contract's order: the words, then the scheme, then the credentials;
    /// the network is not touched.
    /// - Throws: `Failure` 2, 3, 9 or 4.
    func server() async throws(Failure) -> SignedInServer {
        let named = try serverName()
        let list = try knownServers()
        let explicit: ExplicitCredential?
        do throws(ExplicitCredentialsError) {
            explicit = try explicitCredentials.resolve()
        } catch {
            throw Failure(.usage, "\(error)")
        }
        if let explicit {
            warnIfOpen(explicit.path ?? explicit.source, explicit.modeOpenToOthers)
            let choice = named?.origin.serverChoice ?? .defaultRecord
            if let named, choice.mayReceiveExplicitCredentials {
                return try await signedInServer(named.text, in: list, with: explicit)
            }
        }
        let record = try signedInRecord(named?.text, in: list)
        if let explicit {
            throw Failure(
                .usage, "the credentials of \(explicit.source) go only to a server that was named",
                hint: "add --server \(record.name)")
        }
        let endpoints = try usableEndpoints(to: record)
        let stored: Credential?
        do throws(CredentialStoreError) {
            stored = try await secrets.credential(of: record)
        } catch {
            throw Failure(error)
        }
        guard let credential = stored else {
            throw Failure(
                .notSignedIn, "not signed in to '\(record.name)'",
                hint: "sign in with 'argus login \(endpoints.first?.address ?? record.name)'",
                reason: "no_credentials")
        }
        return try signedInServer(
            record, credential, from: record.credentialStore.name, renewing: true)
    }

    /// A known server with credentials, ready for requests.
    ///
    /// Only what came from the store is ever renewed.
    func signedInServer(
        _ record: ServerRecord, _ credential: Credential, from source: String,
        renewing: Bool = false
    ) throws(Failure) -> SignedInServer {
        let (client, endpoints) = try client(
            to: record,
            knowledge: RouteKnowledge(record.knowledge.currentGenerations(at: now())))
        let renewal =
            renewing
            ? secrets.renewal(of: record, credential, by: client) { endpoints.current } : nil
        let server = SignedInServer(
            record: record, name: record.name,
            session: Session(
                client: client, authorization: credential.authorization, renewal: renewal),
            credential: credential, credentialSource: source, endpoints: endpoints)
        usedServers.add(server)
        return server
    }

    /// A known server without credentials, once for each of its ways that show a certificate.
    func anonymousByEachEndpoint(_ record: ServerRecord) throws(Failure) -> [UnverifiedServer] {
        var unverifiedServers: [UnverifiedServer] = []
        // A client by plain http is refused where a certificate of ours is given.
        for endpoint in try usableEndpoints(to: record) where endpoint.proof != .plain {
            let client = try client(for: try address(of: endpoint, record), by: endpoint)
            unverifiedServers.append(
                UnverifiedServer(
                    name: record.name, client: client, record: record, isKnown: true,
                    endpoint: endpoint))
        }
        return unverifiedServers
    }

    /// A known server without credentials, by whichever of its ways works.
    func anonymous(_ record: ServerRecord) throws(Failure) -> UnverifiedServer {
        let (client, endpoints) = try client(to: record)
        let endpoint = record.endpoints.first { $0.leads(to: client.address.description) }
        return UnverifiedServer(
            name: record.name, client: client, record: record, isKnown: true,
            endpoint: endpoint ?? newEndpoint(.local, client.address), endpoints: endpoints)
    }

    /// The server that a person signs in to: by URL, or one that is known already.
    ///
    /// Of several accounts at a URL, the one of that name or user shows its own certificate there.
    /// `command` is the one that does it, for hints.
    func unverifiedServer(
        url: String?, name: String?, username: String? = nil, allowingPlainHTTP: Bool,
        by command: String = "login"
    ) throws(Failure) -> UnverifiedServer {
        let list = try knownServers()
        let inUse = try serverName()?.text
        guard let word = url ?? inUse else {
            guard list.servers.isEmpty else {
                return try again(
                    try knownServer(nil, in: list), name: name,
                    allowingPlainHTTP: allowingPlainHTTP, in: list)
            }
            throw Failure(
                .usage, "the server's address is missing",
                hint: "argus \(command) https://home.example")
        }
        if !word.contains("://") {
            // Without a scheme a word is a known server, else a host.
            let match = list.find(word)
            if url == nil || match != .absent {
                return try again(
                    try knownServer(word, in: list), name: name,
                    allowingPlainHTTP: allowingPlainHTTP, in: list)
            }
        }
        let address = try parse(word)
        let known = list.servers(at: address)
        try expectName(name, for: known, in: list)
        var allowances = known.flatMap(\.plainHTTPAllowances)
        var allowance: PlainHTTPAllowance?
        if allowingPlainHTTP, address.origin.scheme == .http {
            let granted = PlainHTTPRule.allowance(for: address.origin, on: system.lookedUpNetwork())
            allowance = granted
            allowances.append(granted)
        }
        try check(address, allowances, by: command)
        let own =
            known.first { record in name.map(record.isCalled) ?? false }
            ?? known.first { username != nil && $0.account?.username == username } ?? known.first
        let endpoint =
            own?.endpoints.first { $0.leads(to: address.description) }
            ?? newEndpoint(.local, address)
        return UnverifiedServer(
            name: name ?? known.first?.name ?? list.freeName(like: address.origin.host),
            client: try client(for: address, by: endpoint), isNameGiven: name != nil,
            isKnown: !known.isEmpty, endpoint: endpoint, allowance: allowance)
    }

    /// A known server to sign in to, under another name and with a permission where they are given.
    private func again(
        _ record: ServerRecord, name: String?, allowingPlainHTTP: Bool, in list: ServerList
    ) throws(Failure) -> UnverifiedServer {
        try expectName(name, for: [record], in: list)
        var record = record
        var allowance: PlainHTTPAllowance?
        if allowingPlainHTTP,
            let origin = record.endpoints.lazy.compactMap(\.origin).first(where: {
                $0.scheme == .http
            })
        {
            let granted = PlainHTTPRule.allowance(for: origin, on: system.lookedUpNetwork())
            allowance = granted
            record.plainHTTPAllowances.append(granted)
        }
        var unverified = try anonymous(record)
        unverified.name = name ?? record.name
        unverified.isNameGiven = name != nil
        unverified.allowance = allowance
        return unverified
    }

    /// Makes sure, before anything is sent, that a sign-in can be kept under the name: servers allow
    /// few, and the records are those that it may renew.
    func expectName(
        _ name: String?, for records: [ServerRecord], in list: ServerList
    ) throws(Failure) {
        guard let name else { return }
        do throws(ServerListError) {
            try list.expectName(name, for: records.map(\.id))
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }

    /// A server that was named, with credentials that are not from the store.
    private func signedInServer(
        _ word: String, in list: ServerList, with explicit: ExplicitCredential
    ) async throws(Failure) -> SignedInServer {
        guard word.contains("://"), list.find(word) == .absent else {
            return try signedInServer(
                try knownServer(word, in: list), explicit.credential, from: explicit.source)
        }
        let address = try parse(word)
        try check(address, [])
        let endpoint = newEndpoint(.local, address)
        var client = try client(for: address, by: endpoint)
        if endpoint.proof != .plain, try expectedFingerprint(nil) != nil {
            let stranger = UnverifiedServer(
                name: address.description, client: client, endpoint: endpoint)
            client = try await proving(stranger, fingerprint: nil).client
        }
        return SignedInServer(
            record: nil, name: address.description,
            session: Session(client: client, authorization: explicit.credential.authorization),
            credential: explicit.credential, credentialSource: explicit.source)
    }

    /// The known server that is meant; a URL that nobody signed in to is told as such.
    private func signedInRecord(
        _ word: String?, in list: ServerList
    ) throws(Failure) -> ServerRecord {
        guard let word, word.contains("://"), case .absent = list.find(word) else {
            return try knownServer(word, in: list)
        }
        let address = try parse(word)
        try check(address, [])
        throw Failure(
            .notSignedIn, "not signed in to '\(address)'",
            hint: "sign in with 'argus login \(address)'", reason: "no_credentials")
    }

    /// A way that nothing is known of: the public certificate is asked for over https.
    func newEndpoint(_ kind: Endpoint.Kind, _ address: ServerAddress) -> Endpoint {
        let isPlain = address.origin.scheme == .http
        return Endpoint(kind, address.description, proof: isPlain ? .plain : .publicCertificate)
    }

    func address(
        of endpoint: Endpoint, _ record: ServerRecord
    ) throws(Failure) -> ServerAddress {
        let address = try parse(endpoint.address)
        try check(address, record.plainHTTPAllowances)
        return address
    }

    func parse(_ text: String) throws(Failure) -> ServerAddress {
        do {
            return try ServerAddress(parsing: text)
        } catch {
            throw Failure(.usage, "\(error)", hint: "such as https://home.example:8443")
        }
    }

    /// - Throws: `Failure` 9 for plain http that nobody allowed (contract section 7.4).
    func check(
        _ address: ServerAddress, _ allowances: [PlainHTTPAllowance],
        by command: String = "login"
    ) throws(Failure) {
        guard address.origin.scheme == .http else { return }
        let decision = PlainHTTPRule.decide(
            address.origin, allowances: allowances, network: system.lookedUpNetwork(),
            command: command)
        if case .refused(let refusal) = decision {
            throw Failure(.identity, refusal.reason, hint: refusal.hint, reason: "plain_http")
        }
    }
}

extension SettingOrigin {
    /// How a server was chosen that was named here.
    var serverChoice: ServerChoice {
        switch self {
        case .option: .option
        case .variable: .environment
        case .configuration: .configuration
        case .builtIn: .defaultRecord
        }
    }
}
