// The proof of a server's identity, settled before anything secret is sent (contract section 7.1).
extension ServerConnector {
    /// The outcome of a verification.
    package enum Verification: Sendable {
        /// The server, with the proof that its endpoint needs from now on.
        case proved(UnverifiedServer)
        /// The certificate of a new server is not publicly valid for this reason: the user must
        /// compare its fingerprint.
        case unconfirmed(UnverifiedServer, PeerCertificate, reason: String)
    }

    /// Verifies a server: by the fingerprint that is expected, else by what its endpoint asks for.
    ///
    /// The endpoint remembers the files of this run's options. Plain http proves nothing, and passes.
    ///
    /// - Throws: `ServerError` for another fingerprint, or where a server is not reached or does not
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
            guard error.kind == .identityRefused, isNew, options.files.authorities == nil else {
                throw .connection(server, error)
            }
            return .unconfirmed(server, try await certificate(of: server), reason: error.detail)
        }
    }

    /// Reads the certificate that a server shows now, whatever it is.
    ///
    /// - Throws: `ServerError.connection`.
    package func certificate(
        of server: UnverifiedServer
    ) async throws(ServerError) -> PeerCertificate {
        do throws(TransportError) {
            return try await server.client.certificate(holding: nil)
        } catch {
            throw .connection(server, error)
        }
    }

    /// Reads the certificate that a server shows now.
    ///
    /// - Throws: `ServerError.otherFingerprint` where it has another fingerprint than this one.
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

    /// Makes a new endpoint of a server with its proof; only a fingerprint makes it connect.
    ///
    /// A client certificate does not tell what the server must prove: an endpoint that is replaced
    /// for one hands its proof on.
    ///
    /// - Throws: `ServerError` for plain http that is not allowed, or another fingerprint.
    package func endpoint(
        _ kind: Endpoint.Kind, _ address: ServerAddress, of record: ServerRecord,
        replacing known: Endpoint?, showing expected: CertificateFingerprint?
    ) async throws(ServerError) -> Endpoint {
        guard kind == .local || address.origin.scheme == .https else { throw .plainRelay(address) }
        try check(address, record.plainHTTPAllowances)
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

    /// Writes the files of this run's options to an endpoint.
    package func remember(in endpoint: inout Endpoint) {
        options.files.remember(in: &endpoint) { notify(.notRemembered(options: $0, path: $1)) }
    }
}

extension ExplicitCredentials {
    /// Reads the fingerprint that a server must show: `ARGUS_FINGERPRINT`, then `argus.fingerprint`
    /// of `$CREDENTIALS_DIRECTORY`; nil where neither is there.
    ///
    /// - Throws: `ServerError` for a text that is no fingerprint, or a file that cannot be read.
    package func fingerprint() throws(ServerError) -> CertificateFingerprint? {
        let (text, source): (String, String)
        if let variable = environment["ARGUS_FINGERPRINT"] {
            (text, source) = (variable, "ARGUS_FINGERPRINT")
        } else if let path = serviceFile("argus.fingerprint") {
            do throws(SecretError) {
                text = try SecretFile(path, as: .anyText).secret.reveal()
            } catch {
                throw .fingerprintFile(error)
            }
            source = "$CREDENTIALS_DIRECTORY/argus.fingerprint"
        } else {
            return nil
        }
        guard let fingerprint = CertificateFingerprint(text) else {
            throw .invalidFingerprint(source: source)
        }
        return fingerprint
    }
}
