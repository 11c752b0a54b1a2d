/// Opens servers with the credentials that a run uses there.
package struct SessionOpener: Sendable {
    /// Reads the credential that is stored for a server; nil where there is none.
    package typealias StoredCredential =
        @Sendable (ServerRecord) async throws(CredentialStoreError) -> Credential?
    /// Makes what renews a stored credential; nil for one that is never renewed.
    package typealias Renewal =
        @Sendable (ServerRecord, Credential, APIClient, FailoverTransport) -> TokenRenewal?

    private let connector: ServerConnector
    private let now: @Sendable () -> Timestamp
    private let storedCredential: StoredCredential
    private let renewal: Renewal

    /// Prepares sessions; see `StoredCredential` and `Renewal`.
    package init(
        _ connector: ServerConnector, now: @escaping @Sendable () -> Timestamp,
        storedCredential: @escaping StoredCredential, renewal: @escaping Renewal
    ) {
        self.connector = connector
        self.now = now
        self.storedCredential = storedCredential
        self.renewal = renewal
    }

    /// Opens the server that a word means, or the default one.
    ///
    /// Explicit credentials go only to a server that was named, so that a variable meant for one
    /// server never reaches another. The checks come in the contract's order: the words, then the
    /// scheme, then the credentials. Only a `fingerprint`, for a server that is named by a new URL,
    /// makes it connect.
    ///
    /// - Throws: `ServerError`.
    package func open(
        _ word: String?, in list: ServerList, with explicit: ExplicitCredential?,
        fingerprint: () throws(ServerError) -> CertificateFingerprint?
    ) async throws(ServerError) -> SignedInServer {
        guard let word, isNew(word, in: list) else {
            let record = try list.record(of: word)
            if let explicit, word != nil {
                return try open(record, explicit.credential, from: explicit.source)
            }
            return try await open(record, refusing: explicit)
        }
        let address = try connector.parse(word)
        try connector.check(address, [])
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
    /// - Throws: `ServerError` where no endpoint can be used.
    package func open(
        _ record: ServerRecord, _ credential: Credential, from source: String,
        renewing: Bool = false
    ) throws(ServerError) -> SignedInServer {
        let knowledge = RouteKnowledge(record.knowledge.currentGenerations(at: now()))
        let (client, endpoints) = try connector.connect(to: record, knowledge: knowledge)
        let renewal = renewing ? renewal(record, credential, client, endpoints) : nil
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
        let credential: Credential?
        do throws(CredentialStoreError) {
            // A store may still have secrets that a sign-out could not remove.
            credential = record.account == nil ? nil : try await storedCredential(record)
        } catch {
            throw .store(error)
        }
        guard let credential else {
            throw .notSignedIn(
                server: record.name, login: usable.first?.endpoint.address ?? record.name)
        }
        return try open(
            record, credential, from: record.credentialStore.name, renewing: true)
    }

    private func isNew(_ word: String, in list: ServerList) -> Bool {
        word.contains("://") && list.find(word) == .absent
    }
}
