import ArgusAccount
import ArgusTransport
import CommandLineKit

enum ServerTrust: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var fingerprint: CertificateFingerprint?
    }

    static let about = CommandInfo(
        name: "trust", summary: "Trust the certificate that a server presents now",
        effect: .changes,
        description: """
            For a server with a new certificate, which argus refuses with status 9. Shows the
            trusted fingerprint and the new one, and waits for a typed \(code: "yes"); without a
            terminal, pass \(flag: "fingerprint"). argus sends nothing else to the server. If a
            public authority has vouched for the server before, only \(flag: "fingerprint") is
            accepted: read it on the server itself.

            If several addresses show another certificate, argus asks about each. To choose one,
            use \(flag: "via") or name the server by that address.
            """,
        examples: [
            "argus server trust home": "Look at the new certificate and decide",
            "argus server trust home --via relay": "Only the relays",
            "argus server trust https://relay.example": "Only this address",
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], prints: .objects(ServerView.fields))

    static let flags: [Flag<Options>] = [.fingerprint(\.fingerprint)]

    static let arguments: [Argument<Options>] = [.server(\.$name, "A server's name, id or address")]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        let record = try context.knownServer(options.name, in: known)
        let connector = try context.connector()
        let address = options.name.contains("://") ? options.name : nil
        let servers = try attempt(connector.unverifiedServers(byEndpointOf: record))
            .filter { address.map($0.endpoint.hasAddress) ?? true }
        guard !servers.isEmpty else { throw noCertificate(address, of: record) }
        var replacement = ProofReplacement(
            record: record, servers: servers, connector: connector,
            expected: try context.credentialOverrides.fingerprint(unless: options.fingerprint),
            context: context)
        try await replacement.run()
        try context.report(
            known.row(of: replacement.record), with: printer,
            "'\(record.name)' \(replacement.outcome)")
    }

    /// The failure if no address, or not the given one, has a certificate.
    private static func noCertificate(_ address: String?, of record: ServerRecord) -> Failure {
        let endpoint = address.flatMap { address in
            record.endpoints.first { $0.hasAddress(address) }
        }
        guard let endpoint, endpoint.proof != .plain else {
            return Failure(
                .usage, "'\(address ?? record.name)' uses plain http, which has no certificate")
        }
        let kinds =
            endpoint.kind == .relay ? "a relay, no local address" : "a local address, no relay"
        return Failure(
            .usage, "'\(endpoint.address)' of '\(record.name)' is \(kinds)",
            hint: "use '--via \(endpoint.kind.rawValue)' for it")
    }
}

/// The replacement of the proofs of a server's endpoints, one after the other.
private struct ProofReplacement {
    var record: ServerRecord
    var trusted: [Endpoint] = []
    var unchanged: [Endpoint] = []
    let servers: [UnverifiedServer]
    let connector: ServerConnector
    /// The fingerprint to trust without a prompt; nil prompts.
    let expected: CertificateFingerprint?
    let context: Context

    /// The result, in words that follow the server's name.
    var outcome: String {
        if trusted.isEmpty {
            let places = record.endpoints.count > 1 ? " at \(Self.words(unchanged))" : ""
            return "still shows the trusted certificate\(places); nothing to change"
        }
        return record.endpoints.count == 1
            ? "is trusted by the certificate that it shows now"
            : "is trusted at \(Self.words(trusted)) by what it shows there now"
    }

    /// Replaces each proof that no longer holds.
    mutating func run() async throws(Failure) {
        var problem: Failure?
        for server in servers {
            do throws(Failure) {
                guard let settled = try await settle(server) else {
                    unchanged.append(server.endpoint)
                    continue
                }
                record = try await attempt(
                    awaiting: await context.directory.replaceProof(of: record, by: settled))
                trusted.append(settled.endpoint)
            } catch {
                var reported = error
                reported.message = "\(Self.words([server.endpoint])): \(error.message)"
                // Another address may be the intended one, or answer.
                guard servers.count > 1, error.kind == .unreachable || expected != nil else {
                    guard !trusted.isEmpty else { throw error }
                    reported.message += "; \(Self.words(trusted)) is trusted from now on"
                    throw reported
                }
                if expected == nil { context.console.warn(reported.message) }
                problem = Self.merged(problem, reported)
            }
        }
        let isKnown = expected != nil && !unchanged.isEmpty
        if trusted.isEmpty, !isKnown, let problem { throw problem }
    }

    private static func words(_ endpoints: [Endpoint]) -> String {
        endpoints.map { "\($0.kind.rawValue) \($0.address)" }.joined(separator: " and ")
    }

    /// Merges two failures; a refused identity outranks no answer.
    private static func merged(_ first: Failure?, _ second: Failure) -> Failure {
        guard let first else { return second }
        var failure = second.kind == .identity ? second : first
        failure.message = "\(first.message); \(second.message)"
        return failure
    }

    /// The server with its new proof; nil if it shows what is trusted.
    private func settle(_ server: UnverifiedServer) async throws(Failure) -> UnverifiedServer? {
        if let expected {
            let seen = try await attempt(
                awaiting: await connector.certificate(of: server, showing: expected))
            let trusted = connector.trust(seen, of: server)
            return trusted.endpoint == server.endpoint ? nil : trusted
        }
        let review = try await attempt(awaiting: await connector.review(server))
        if review.isUnchanged { return nil }
        guard !review.lacksAuthority else {
            throw Failure(
                .identity,
                "\(server.endpoint.authority) vouched for '\(server.name)' so far, and none does now; "
                    + "its certificate has the SHA-256 \(review.seen.fingerprint)",
                hint: "read the fingerprint on the server itself and pass it with --fingerprint",
                reason: "identity_refused")
        }
        do throws(Failure) {
            try context.console.confirmTrust(below: review.lines)
        } catch {
            // Users of a script still need both for comparison.
            if error.reason == "input_needed" { review.lines.forEach(context.console.noticeAlways) }
            throw error
        }
        return review.proved
    }
}

extension ProofReview {
    /// The trusted and the presented certificate, with advice for comparing them.
    fileprivate var lines: [String] {
        let endpoint = server.endpoint
        let trustedSoFar =
            switch endpoint.proof {
            case .pin(let pin):
                endpoint.fingerprint.map { "SHA-256 \($0)" } ?? "the key pin sha256/\(pin)"
            case .publicCertificate, .plain:
                "a certificate that \(endpoint.authority) vouches for"
            }
        let machine = endpoint.kind == .local ? "the server" : "the machine of the relay"
        let advice =
            isPublic
            ? "It is valid for this address by \(proved.endpoint.authority)."
            : "Compare the fingerprint with that read on \(machine) itself: "
                + "openssl x509 -noout -fingerprint -sha256 -in CERT"
        return [
            "Trusted so far: \(trustedSoFar)",
            "Seen now at \(server.client.address) (\(endpoint.kind.rawValue)):",
        ] + seen.lines + [advice]
    }
}

extension Endpoint {
    /// The authority for the certificate of an endpoint without a pin.
    fileprivate var authority: String {
        authorities.map { "an authority in '\($0)'" } ?? "a public authority"
    }
}
