package import ArgusCore
package import ArgusTransport

// The proof of a server's identity, settled before anything secret is sent
// (docs/servers-and-trust.md).
extension ServerConnector {
    /// The result of a verification.
    package enum Verification: Sendable {
        /// The server with the proof of its endpoint for later requests.
        case proved(UnverifiedServer)
        /// The certificate of a new server is not publicly valid: the user must compare its
        /// fingerprint.
        case unconfirmed(UnverifiedServer, PeerCertificate, reason: String)
    }

    /// Verifies a server by the expected fingerprint, else by the proof of its endpoint.
    ///
    /// The endpoint stores the files of this run's options. Plain http proves nothing, and passes.
    ///
    /// - Throws: `ServerError` for another fingerprint, or if the server is unreachable or does not
    ///   prove its identity.
    package func verify(
        _ server: UnverifiedServer, showing expected: CertificateFingerprint?
    ) async throws(ServerError) -> Verification {
        guard server.endpoint.proof != .plain else { return .proved(server) }
        var server = server
        remember(in: &server.endpoint)
        let isNew = !server.isKnown
        if let expected {
            let seen = try await certificate(of: server, showing: expected)
            if isNew { return .proved(trust(seen, of: server)) }
        }
        do throws(TransportError) {
            _ = try await server.client.certificate(holding: server.client.proof)
            return .proved(server)
        } catch {
            guard error.kind == .identityRefused, !error.isByDates, isNew,
                options.files.authorities == nil
            else {
                throw .connection(server, error)
            }
            return .unconfirmed(server, try await certificate(of: server), reason: error.detail)
        }
    }

    /// True if a server that failed the TLS handshake answers a request by plain http, which carries
    /// no credentials.
    package func speaksPlainHTTP(_ address: ServerAddress) async -> Bool {
        guard address.origin.scheme == .https else { return false }
        let probe = CandidateProbe(environment.makeTransport(.none, options.observation))
        return await probe.look(at: address.asPlainHTTP.origin).isReachable
    }

    /// Reads the server's current certificate without a proof.
    ///
    /// - Throws: `ServerError.connection`.
    package func certificate(
        of server: UnverifiedServer
    ) async throws(ServerError) -> PeerCertificate {
        try await rethrowing(
            awaiting: await server.client.certificate(holding: nil),
            as: { ServerError.connection(server, $0) })
    }

    /// Reads the server's current certificate.
    ///
    /// - Throws: `ServerError.otherFingerprint` if it has another fingerprint than this one.
    package func certificate(
        of server: UnverifiedServer, showing expected: CertificateFingerprint
    ) async throws(ServerError) -> PeerCertificate {
        let seen = try await certificate(of: server)
        guard seen.fingerprint == expected else {
            throw .otherFingerprint(
                server: server.title, expected: expected, seen: seen.fingerprint)
        }
        return seen
    }

    /// Returns the server with the key of a certificate as its proof.
    package func trust(_ seen: PeerCertificate, of server: UnverifiedServer) -> UnverifiedServer {
        var server = server
        server.endpoint.proof = .pin(seen.pin)
        server.endpoint.fingerprint = seen.fingerprint
        server.client.proof = options.files.proof(of: server.endpoint)
        return server
    }

    /// Returns the server with its publicly valid certificate as its proof.
    package func trustAuthorities(of server: UnverifiedServer) -> UnverifiedServer {
        var server = server
        server.endpoint.proof = .publicCertificate
        server.endpoint.fingerprint = nil
        remember(in: &server.endpoint)
        server.client.proof = options.files.proof(of: server.endpoint)
        return server
    }

    /// Makes a new endpoint of a server; connects only to compare a fingerprint.
    ///
    /// An endpoint that is replaced for another client certificate passes its proof on.
    ///
    /// - Throws: `ServerError` for plain http that is not allowed, or another fingerprint.
    package func endpoint(
        _ kind: Endpoint.Kind, _ address: ServerAddress, of record: ServerRecord,
        replacing known: Endpoint?, showing expected: CertificateFingerprint?
    ) async throws(ServerError) -> Endpoint {
        guard kind == .local || address.origin.scheme == .https else { throw .plainRelay(address) }
        try await check(address, record.plainHTTPAllowances)
        var endpoint = Endpoint(kind, address)
        if let known, expected == nil, options.files.authorities == nil {
            (endpoint.proof, endpoint.fingerprint) = (known.proof, known.fingerprint)
            endpoint.authorities = known.authorities
        }
        if endpoint.proof != .plain { remember(in: &endpoint) }
        guard let expected else { return endpoint }
        guard endpoint.proof != .plain else { throw .fingerprintNeedsTLS }
        let server = UnverifiedServer(
            name: record.name, client: try client(for: address, by: endpoint), endpoint: endpoint)
        do throws(ServerError) {
            return trust(try await certificate(of: server, showing: expected), of: server).endpoint
        } catch {
            throw .endpoint(kind, address, error)
        }
    }

    /// Makes a client of a new relay, which gets its header fields but no field of this device.
    ///
    /// - Throws: `ServerError` for an address that cannot be used.
    package func unverifiedRelay(
        _ relay: Endpoint, named name: String, sending headers: RelayHeaders?
    ) throws(ServerError) -> UnverifiedServer {
        let address = try parse(relay.address)
        var client = try client(for: address, by: relay)
        client.deviceHeaders = headers?[address.origin] ?? []
        return UnverifiedServer(name: name, client: client, isNameGiven: true, endpoint: relay)
    }

    /// Stores the files of this run's options in an endpoint.
    package func remember(in endpoint: inout Endpoint) {
        options.files.remember(in: &endpoint) { notify(.notRemembered(options: $0, path: $1)) }
    }
}

extension CredentialOverrides {
    /// The expected fingerprint: `ARGUS_FINGERPRINT`, then `argus.fingerprint` of
    /// `$CREDENTIALS_DIRECTORY`; nil if neither exists.
    ///
    /// - Throws: `ServerError` for an invalid fingerprint or an unreadable file.
    package func fingerprint() throws(ServerError) -> CertificateFingerprint? {
        var (text, source) = (environment["ARGUS_FINGERPRINT"], "ARGUS_FINGERPRINT")
        if text == nil, let path = serviceFile("argus.fingerprint") {
            source = "$CREDENTIALS_DIRECTORY/argus.fingerprint"
            text = try rethrowing(
                SecretFile(path, as: .anyText, environment).secret.reveal(),
                as: ServerError.account)
        }
        guard let text else { return nil }
        guard let fingerprint = CertificateFingerprint(text) else {
            throw .invalidFingerprint(source: source)
        }
        return fingerprint
    }
}
