import ArgusKit

// What a server must prove, settled before anything is sent to it (contract section 7.1).
extension Context {
    /// The newcomer with the proof that its way will need from now on.
    ///
    /// A fingerprint that the person gave decides; else the public certificate; else, for a server
    /// that is not known yet, what the person types at the terminal.
    ///
    /// - Throws: `Failure` 9 when the server does not prove itself, 6 when it is not reached.
    func proving(
        _ unverified: UnverifiedServer, fingerprint: Fingerprint?
    ) async throws(Failure) -> UnverifiedServer {
        var unverified = unverified
        guard unverified.endpoint.proof != .plain else {
            guard fingerprint == nil else {
                throw Failure(.usage, "--fingerprint needs an address with https")
            }
            return unverified
        }
        rememberFiles(for: &unverified.endpoint)
        if let expected = try expectedFingerprint(fingerprint) {
            let seen = try await certificate(of: unverified, showing: expected)
            guard !unverified.isKnown else { return try await held(unverified) }
            return trusting(seen, unverified)
        }
        do throws(TransportError) {
            _ = try await unverified.client.certificate(holding: unverified.client.proof)
            return unverified
        } catch {
            guard error.kind == .identityRefused, !unverified.isKnown,
                globals.authorities == nil
            else { throw await failure(error, of: unverified) }
            let seen = try await certificate(of: unverified)
            try confirm(seen, of: unverified, because: error.detail)
            return trusting(seen, unverified)
        }
    }

    /// The certificate that a server shows now, whatever it is; nothing is sent.
    func certificate(of unverified: UnverifiedServer) async throws(Failure) -> PeerCertificate {
        do throws(TransportError) {
            return try await unverified.client.certificate(holding: nil)
        } catch {
            throw await failure(error, of: unverified)
        }
    }

    /// The certificate that a server shows, which must have this fingerprint.
    func certificate(
        of unverified: UnverifiedServer, showing expected: CertificateFingerprint
    ) async throws(Failure) -> PeerCertificate {
        let seen = try await certificate(of: unverified)
        guard seen.fingerprint == expected else {
            throw Failure(
                .identity,
                "'\(unverified.title)' shows another certificate than the expected one: "
                    + "expected SHA-256 \(expected), seen \(seen.fingerprint)",
                hint: "nothing was sent; read the fingerprint on the server itself",
                reason: "fingerprint_mismatch")
        }
        return seen
    }

    /// The newcomer with a certificate's key as its proof.
    func trusting(_ seen: PeerCertificate, _ unverified: UnverifiedServer) -> UnverifiedServer {
        var unverified = unverified
        unverified.endpoint.proof = .pin(seen.pin)
        unverified.endpoint.fingerprint = seen.fingerprint
        unverified.client.proof = proof(of: unverified.endpoint)
        return unverified
    }

    /// The newcomer with its publicly valid certificate as its proof.
    func trustingAuthorities(_ unverified: UnverifiedServer) -> UnverifiedServer {
        var unverified = unverified
        unverified.endpoint.proof = .publicCertificate
        unverified.endpoint.fingerprint = nil
        rememberFiles(for: &unverified.endpoint)
        unverified.client.proof = proof(of: unverified.endpoint)
        return unverified
    }

    /// A known server, after it has proved what its record asks for.
    private func held(_ unverified: UnverifiedServer) async throws(Failure) -> UnverifiedServer {
        do throws(TransportError) {
            _ = try await unverified.client.certificate(holding: unverified.client.proof)
            return unverified
        } catch {
            throw await failure(error, of: unverified)
        }
    }

    /// Asks the person whether the certificate is the server's own.
    private func confirm(
        _ seen: PeerCertificate, of unverified: UnverifiedServer, because reason: String
    ) throws(Failure) {
        let lines =
            [
                "The certificate of \(unverified.client.address) is not publicly valid: \(reason)."
            ] + seen.lines + [
                "Compare the fingerprint with the server's own, read on the server itself."
            ]
        do throws(Failure) {
            try confirmTrust("Trust this certificate from now on?", below: lines)
        } catch  where error.reason == "input_needed" {
            throw Failure(
                .identity,
                "'\(unverified.title)' did not prove its identity: \(reason); "
                    + "its certificate has the SHA-256 \(seen.fingerprint)",
                hint: "if that is the server's own fingerprint, pass it with --fingerprint",
                reason: "identity_refused")
        }
    }

    /// Prompts for a typed `yes` to trust a certificate.
    func confirmTrust(_ prompt: String, below lines: [String]) throws(Failure) {
        try confirm(
            prompt, below: lines, orPass: "--fingerprint",
            otherwise: Failure(
                .identity, "the certificate was not trusted", hint: "nothing was sent",
                reason: "not_trusted"))
    }

    private func failure(_ error: TransportError, of unverified: UnverifiedServer) async -> Failure
    {
        await unverified.failure(APIError(.transport(error), error.detail), doing: "connect")
    }

    /// Has a way remember the files of `--cacert`, `--cert` and `--key` where they were given, by
    /// paths that hold when a later command runs in another folder.
    func rememberFiles(for endpoint: inout Endpoint) {
        if let file = globals.authorities, canRemember([file], of: "--cacert") {
            endpoint.authorities = absolute(file)
        }
        // A key belongs to its certificate: both are remembered, or none is.
        let files = [globals.certificate, globals.key].compactMap { $0 }
        let options = files.count > 1 ? "--cert and --key" : "--cert"
        if let file = globals.certificate, canRemember(files, of: options) {
            (endpoint.certificate, endpoint.key) = (absolute(file), globals.key.map(absolute))
        }
    }

    /// Whether the client certificate of a way is the one that this run was given to remember.
    func isGivenFiles(of endpoint: Endpoint) -> Bool {
        globals.certificate.map { absolute($0) == endpoint.certificate } ?? false
    }

    /// Whether later commands will find the files; says where they will not.
    private func canRemember(_ paths: [String], of options: String) -> Bool {
        guard let gone = paths.first(where: { !FileContents.isLasting($0) }) else { return true }
        warn("\(options) must be given again each time: '\(gone)' is no file that lasts")
        return false
    }

    private func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = system.workingFolder() else { return path }
        return folder + "/" + path
    }
}

extension PeerCertificate {
    /// What a person needs to recognise it, a line each.
    var lines: [String] {
        [
            "  SHA-256: \(fingerprint)", "  subject: \(subject)", "  issuer:  \(issuer)",
            "  valid:   \(validFrom) to \(validUntil)",
        ]
    }
}
