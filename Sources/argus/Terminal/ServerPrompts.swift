import ArgusAccount
import ArgusTransport

/// Finds and verifies the server of a sign-in, with prompts if the command line is not sufficient.
struct ServerPrompts {
    private let context: Context
    private let connector: ServerConnector

    init(_ context: Context) throws(Failure) {
        self.context = context
        connector = try context.connector()
    }

    /// The server of a URL, a known server, or, if none is known, one found on the network, after
    /// it has proved its identity.
    ///
    /// - Throws: `Failure` 9 if several answer and none can be selected, or if the server does not
    ///   prove its identity; 6 if none answers and no relay is configured.
    func server(
        for target: SignInTarget, fingerprint: CertificateFingerprint?
    ) async throws(Failure) -> UnverifiedServer {
        guard target.url == nil || context.globals.server == nil else {
            throw Failure(.usage, "give the server's address or --server, not both")
        }
        var target = target
        target.server = try context.settings[.server]?.text
        let list = try context.knownServers()
        let isKnown = target.url != nil || target.server != nil || !list.servers.isEmpty
        let server =
            isKnown
            ? try await attempt(
                awaiting: await connector.unverifiedServer(for: target, in: list))
            : try await foundServer(for: target, fingerprint, in: list)
        return try await verified(server, fingerprint, command: target.command)
    }

    private func foundServer(
        for target: SignInTarget, _ fingerprint: CertificateFingerprint?, in list: ServerList
    ) async throws(Failure) -> UnverifiedServer {
        try attempt(list.expectFree(target.name, for: []))
        let expected = try context.credentialOverrides.fingerprint(unless: fingerprint)
        context.console.notice("searching the local network for servers")
        let (found, problem) = await connector.reachableServers(showing: expected)
        // Without an avahi-daemon there may still be a relay.
        if let problem { context.console.debug("\(problem)") }
        guard let chosen = try select(among: found, showing: expected) else {
            guard let relay = try context.settings[.relayURL]?.text else {
                throw Failure(ServerError.noServerFound(problem, command: target.command))
            }
            return try attempt(connector.unverifiedRelay(relay, name: target.name))
        }
        var target = target
        target.url = chosen.url
        var server = try await attempt(
            awaiting: await connector.unverifiedServer(for: target, in: list))
        if target.name == nil { server.name = list.freeName(like: chosen.server.name) }
        return server
    }

    /// Selects the server with the fingerprint, else prompts for one; nil if none answers.
    private func select(
        among found: [ProbedServer], showing expected: CertificateFingerprint?
    ) throws(Failure) -> ProbedServer? {
        guard !found.isEmpty else { return nil }
        if let expected {
            let match = found.first { $0.result.certificate?.fingerprint == expected }
            guard let match else { throw Failure(ServerError.fingerprintNotFound(expected)) }
            return match
        }
        let lines =
            ["Found in the network (the names are their own, and prove nothing):"]
            + found.enumerated().map { number, server in
                "  \(number + 1)  \(server.server.name)  \(server.url)"
            }
        let answer: String
        do throws(Failure) {
            answer = try context.console.ask(
                "Which one? 1 to \(found.count): ", below: lines,
                otherwise: "the server's URL, or --fingerprint")
        } catch  where error.reason == "input_needed" {
            throw Failure(ServerError.unknownServers(found.map(\.url)))
        }
        guard let number = Int(answer.filter { $0 != " " }), found.indices ~= number - 1 else {
            throw Failure(.usage, "there is no number '\(answer)'", hint: "nothing was sent")
        }
        return found[number - 1]
    }

    /// The server with the proof to require from now on: the given fingerprint, else a public
    /// certificate, else, for a new server, the certificate that the user confirms.
    private func verified(
        _ server: UnverifiedServer, _ fingerprint: CertificateFingerprint?, command: String
    ) async throws(Failure) -> UnverifiedServer {
        let isPlain = server.endpoint.proof == .plain
        if isPlain, fingerprint != nil { throw Failure(ServerError.fingerprintNeedsTLS) }
        let expected =
            isPlain ? nil : try context.credentialOverrides.fingerprint(unless: fingerprint)
        let verification: ServerConnector.Verification
        do throws(ServerError) {
            verification = try await connector.verify(server, showing: expected)
        } catch {
            let address = server.client.address
            if case .connection(_, let cause) = error, cause.kind == .handshakeFailed,
                await connector.speaksPlainHTTP(address)
            {
                throw Failure(ServerError.speaksPlainHTTP(address, command: command))
            }
            throw await error.explained
        }
        switch verification {
        case .proved(let server): return server
        case .unconfirmed(let server, let seen, let reason):
            try confirm(seen, of: server, because: reason)
            return connector.trust(seen, of: server)
        }
    }

    private func confirm(
        _ seen: PeerCertificate, of server: UnverifiedServer, because reason: String
    ) throws(Failure) {
        let lines =
            ["The certificate of \(server.client.address) is not publicly valid: \(reason)."]
            + seen.lines
            + ["Compare the fingerprint with the server's own, read on the server itself."]
        do throws(Failure) {
            try context.console.confirmTrust(below: lines)
        } catch  where error.reason == "input_needed" {
            throw Failure(
                .identity,
                "'\(server.title)' did not prove its identity: \(reason); "
                    + "its certificate has the SHA-256 \(seen.fingerprint)",
                hint: "if that is the server's own fingerprint, pass it with --fingerprint",
                reason: "identity_refused")
        }
    }
}

extension PeerCertificate {
    /// The fields that identify the certificate, one per line.
    var lines: [String] {
        [
            "  SHA-256: \(fingerprint)", "  subject: \(subject)", "  issuer:  \(issuer)",
            "  valid:   \(validFrom) to \(validUntil)",
        ]
    }
}
