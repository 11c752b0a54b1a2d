import ArgusCore
package import ArgusTransport

/// Opens servers with the credentials of a run.
package struct SessionOpener: Sendable {
    private let connector: ServerConnector
    private let secrets: ServerSecrets
    private let pairingID: @Sendable (ServerRecord) -> String?

    /// Prepares to open servers; `pairingID` is the hardware id of a pairing that was stored
    /// without it.
    package init(
        _ connector: ServerConnector, _ secrets: ServerSecrets,
        pairingID: @escaping @Sendable (ServerRecord) -> String? = { _ in nil }
    ) {
        self.connector = connector
        self.secrets = secrets
        self.pairingID = pairingID
    }

    /// Opens the server named by a word, or the default one.
    ///
    /// Explicit credentials go only to a server that was named, so that a variable meant for one
    /// server never reaches another. Connects only to compare the `fingerprint` of a server that is
    /// named by a new URL.
    ///
    /// - Throws: `ServerError`.
    package func open(
        _ word: String?, in list: ServerList, with explicit: ExplicitCredential?,
        fingerprint: () throws(ServerError) -> CertificateFingerprint?
    ) async throws(ServerError) -> SignedInServer {
        guard let word, word.contains("://"), list.find(word).isEmpty else {
            let record = try list.record(of: word)
            if let explicit, word != nil {
                return try open(record, explicit.credential, from: explicit.source)
            }
            return try await open(record, refusing: explicit)
        }
        let address = try connector.parse(word)
        try await connector.check(address, [])
        guard let explicit else {
            throw .notSignedIn(server: "\(address)", login: "\(address)")
        }
        let endpoint = Endpoint(.local, address)
        var server = UnverifiedServer(
            name: address.description, client: try connector.client(for: address, by: endpoint),
            endpoint: endpoint)
        if endpoint.proof != .plain, let expected = try fingerprint() {
            let seen = try await connector.certificate(of: server, showing: expected)
            server = connector.trust(seen, of: server)
        }
        return SignedInServer(
            name: server.name,
            session: Session(
                client: server.client, authorization: explicit.credential.authorization),
            credential: explicit.credential, credentialSource: explicit.source)
    }

    /// Opens a known server with a credential; only one from the store is ever renewed.
    ///
    /// - Throws: `ServerError` if no endpoint can be used.
    package func open(
        _ record: ServerRecord, _ credential: Credential, from source: String,
        renewing: Bool = false
    ) throws(ServerError) -> SignedInServer {
        let moment = secrets.environment.now()
        let knowledge = RouteKnowledge(record.knowledge.currentGenerations(at: moment))
        let (connected, endpoints) = try connector.connect(to: record, knowledge: knowledge)
        var client = connected
        if case .session(let session) = credential, session.kind == .mobile {
            client.pairingID = session.hardwareID ?? pairingID(record)
        }
        let renewal =
            renewing
            ? secrets.renewal(of: record, credential, by: client) { endpoints.current } : nil
        return SignedInServer(
            record: record, name: record.name,
            session: Session(
                client: client, authorization: credential.authorization, renewal: renewal),
            credential: credential, credentialSource: source, endpoints: endpoints)
    }

    private func open(
        _ record: ServerRecord, refusing explicit: ExplicitCredential?
    ) async throws(ServerError) -> SignedInServer {
        if let explicit {
            throw .serverNotNamed(source: explicit.source, selected: record.name)
        }
        let usable = try connector.usableEndpoints(of: record)
        let credential = try await rethrowing(
            awaiting: await secrets.credential(of: record), as: ServerError.account)
        if credential == nil, let key = await secrets.storedKey(of: record)?.secret {
            var server = try open(record, .apiKey(key), from: record.credentialStore.name)
            server.session.isStandIn = true
            return server
        }
        guard let credential else {
            throw .notSignedIn(
                server: record.name, login: usable.first?.endpoint.address ?? record.name,
                isPairing: record.account?.kind == .pairing)
        }
        return try open(
            record, credential, from: record.credentialStore.name, renewing: true)
    }
}
