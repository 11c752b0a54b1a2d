import ArgusKit
import CommandLineKit

enum ServerTrust: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var fingerprint: Fingerprint?
    }

    static let about = CommandInfo(
        name: "trust", summary: "Trust the certificate that a server shows now",
        description: """
            For a server with a new key, which argus refuses with status 9. Shows what was trusted
            and what is seen now, and replaces it after a typed \(code: "yes");
            \(flag: "fingerprint") does so without a terminal. Nothing else is sent to the server.

            A server that a public authority vouched for is trusted by fingerprint only, read on the
            server itself.

            Each address has its own proof. argus asks about each one that does not show it;
            \(flag: "fingerprint") is for the one that shows it, and \(flag: "via") leaves out the
            others. A server named by one of its addresses is asked only there.
            """,
        examples: [
            "argus server trust home": "Look at the new certificate and decide",
            "argus server trust home --via relay": "Those of the relays only",
            "argus server trust https://relay.example": "That of this address only",
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], prints: .objects(ServerView.fields))

    static let flags: [Flag<Options>] = [.fingerprint(\.fingerprint)]

    static let arguments: [Argument<Options>] = [.server(\.$name, "A server's name, id or address")]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        var record = try context.knownServer(options.name, in: known)
        let isAddress = options.name.contains("://")
        let connector = try context.connector()
        let servers =
            try attempt(connector.unverifiedServers(byEndpointOf: record))
            .filter { !isAddress || $0.endpoint.leads(to: options.name) }
        guard !servers.isEmpty else { throw unasked(isAddress ? options.name : nil, of: record) }
        let expected = try context.expectedFingerprint(options.fingerprint)
        let trusted = try await trust(servers, of: &record, showing: expected, connector, context)
        let outcome =
            switch (trusted.count, servers.count) {
            case (0, _): "shows what is trusted; nothing has changed"
            case (_, 1): "is trusted by the certificate that it shows now"
            default: "is trusted at \(words(trusted)) by what it shows there now"
            }
        try context.report(known.row(of: record), with: printer, "'\(record.name)' \(outcome)")
    }

    /// Settles the proof of each endpoint in turn; the result is those with a new one.
    private static func trust(
        _ servers: [UnverifiedServer], of record: inout ServerRecord,
        showing expected: CertificateFingerprint?, _ connector: ServerConnector, _ context: Context
    ) async throws(Failure) -> [Endpoint] {
        var trusted: [Endpoint] = []
        var problem: Failure?
        for server in servers {
            do throws(Failure) {
                let settled: UnverifiedServer?
                if let expected {
                    let seen = try await Failure.explaining(
                        try await connector.certificate(of: server, showing: expected))
                    settled = connector.trust(seen, of: server)
                } else {
                    settled = try await ask(about: server, among: servers.count, connector, context)
                }
                guard let settled else { continue }
                record = try await keep(settled, of: record, in: context)
                trusted.append(settled.endpoint)
            } catch {
                var reported = error
                reported.message = "\(words([server.endpoint])): \(error.message)"
                // The other address may be the one that is meant, or answer.
                guard servers.count > 1, error.kind == .unreachable || expected != nil else {
                    guard !trusted.isEmpty else { throw error }
                    reported.message += "; \(words(trusted)) is trusted from now on"
                    throw reported
                }
                if expected == nil { context.warn(reported.message) }
                // Not to be the server is worse than not to answer.
                let message = problem.map { "\($0.message); \(reported.message)" }
                if problem == nil || reported.kind == .identity { problem = reported }
                if let message { problem?.message = message }
            }
        }
        if trusted.isEmpty, let problem { throw problem }
        return trusted
    }

    /// The failure where no address of a server, or not this one, has a certificate to ask for.
    private static func unasked(_ address: String?, of record: ServerRecord) -> Failure {
        let endpoint = record.endpoints.first { address.map($0.leads(to:)) ?? false }
        guard let endpoint, endpoint.proof != .plain else {
            return Failure(
                .usage,
                "'\(address ?? record.name)' is reached by plain http, which has no certificate")
        }
        let kinds =
            endpoint.kind == .relay ? "a relay, no local address" : "a local address, no relay"
        return Failure(
            .usage, "'\(endpoint.address)' of '\(record.name)' is \(kinds)",
            hint: "'--via \(endpoint.kind.rawValue)' asks there")
    }

    private static func words(_ endpoints: [Endpoint]) -> String {
        endpoints.map { "\($0.kind.rawValue) \($0.address)" }.joined(separator: " and ")
    }

    private static func keep(
        _ trusted: UnverifiedServer, of record: ServerRecord, in context: Context
    ) async throws(Failure) -> ServerRecord {
        let (id, endpoint) = (record.id, trusted.endpoint)
        return try await context.changeServers { list throws(ServerListError) in
            // Other accounts on the same server meet the same certificate.
            for known in list.servers(at: trusted.client.address) {
                try list.change(known.id) {
                    if known.id == id { $0.replace(endpoint) } else { $0.trust(endpoint) }
                }
            }
            return list[id] ?? record
        }
    }

    /// The server with the proof that the user trusts; nil if, of several addresses, this one shows
    /// the trusted one already.
    private static func ask(
        about unverified: UnverifiedServer, among count: Int, _ connector: ServerConnector,
        _ context: Context
    ) async throws(Failure) -> UnverifiedServer? {
        let seen = try await Failure.explaining(try await connector.certificate(of: unverified))
        let publicServer = connector.trustAuthorities(of: unverified)
        let client = publicServer.client
        let isPublic = (try? await client.certificate(holding: client.proof)) != nil
        let endpoint = unverified.endpoint
        let trustedSoFar: String
        let isUnchanged: Bool
        if case .pin(let pin) = endpoint.proof {
            isUnchanged = pin == seen.pin && !isPublic
            trustedSoFar =
                endpoint.fingerprint.map { "SHA-256 \($0)" } ?? "the key pin sha256/\(pin)"
        } else {
            isUnchanged = isPublic || endpoint.proof == .plain
            trustedSoFar = "a certificate that \(endpoint.authority) vouches for"
        }
        if count > 1, isUnchanged { return nil }
        if endpoint.proof == .publicCertificate, !isPublic {
            throw Failure(
                .identity,
                "\(endpoint.authority) vouched for '\(unverified.name)' so far, and none does now; "
                    + "its certificate has the SHA-256 \(seen.fingerprint)",
                hint: "read the fingerprint on the server itself and pass it with --fingerprint",
                reason: "identity_refused")
        }
        let machine = endpoint.kind == .local ? "the server" : "the machine of the relay"
        let advice =
            isPublic
            ? "It is valid for this address by \(publicServer.endpoint.authority)."
            : "Compare the fingerprint with that read on \(machine) itself: "
                + "openssl x509 -noout -fingerprint -sha256 -in CERT"
        let place = "\(unverified.client.address) (\(endpoint.kind.rawValue))"
        let lines =
            ["Trusted so far: \(trustedSoFar)", "Seen now at \(place):"] + seen.lines + [advice]
        do throws(Failure) {
            try context.confirmTrust(below: lines)
        } catch {
            // Who runs this from a script still wants to compare the two.
            if error.reason == "input_needed" { lines.forEach(context.noticeAlways) }
            throw error
        }
        return isPublic ? publicServer : connector.trust(seen, of: unverified)
    }
}

extension Endpoint {
    fileprivate var authority: String {
        authorities.map { "an authority in '\($0)'" } ?? "a public authority"
    }
}
