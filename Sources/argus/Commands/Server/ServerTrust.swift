import ArgusKit
import CommandLineKit

/// The command `argus server trust`.
enum ServerTrust: ArgusCommand {
    struct Options: VerbOptions {
        @Required var name: String
        var fingerprint: Fingerprint?
    }

    static let about = CommandInfo(
        name: "trust", summary: "Trust the certificate that a server shows now",
        description: """
            Needed when a server has a new key: argus refuses it, status 9, until somebody has
            looked. What was trusted and what is seen are shown on the terminal, and a typed
            \(code: "yes") replaces the one by the other; \(flag: "fingerprint") does so without a
            terminal. Nothing is sent to the server meanwhile.

            A server that a public authority vouched for so far is trusted by fingerprint only, read
            on the server itself.

            Each address of a server has a proof of its own. Those that do not show what is trusted
            are asked about one after the other, \(flag: "fingerprint") is for the one that shows
            it, and \(flag: "via") leaves out the others. Named by one of its addresses, a server is
            asked there only.
            """,
        examples: [
            "argus server trust home": "Look at the new certificate and decide",
            "argus server trust home --via relay": "Those of the relays only",
            "argus server trust https://relay.example": "That of this address only",
        ],
        exitStatuses: [0, 1, 2, 3, 6, 9], prints: .objects(ServerView.fields))

    static let flags: [Flag<Options>] = [.fingerprint(\.fingerprint)]

    static let arguments: [Argument<Options>] = [
        .required("NAME", sets: \.$name, "A server's name, id or address")
            .completing(.dynamic("servers"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ServerView.fields, .operands(1))
        let known = try context.knownServers()
        var record = try context.knownServer(options.name, in: known)
        let isAddress = options.name.contains("://")
        let connector = try context.connector()
        let unverifiedServers =
            try attempt(connector.unverifiedServers(byEndpointOf: record))
            .filter { !isAddress || $0.endpoint.leads(to: options.name) }
        guard !unverifiedServers.isEmpty else {
            throw unasked(isAddress ? options.name : nil, of: record)
        }
        let expected = try context.expectedFingerprint(options.fingerprint)
        var trusted: [Endpoint] = []
        var problem: Failure?
        for unverified in unverifiedServers {
            do throws(Failure) {
                let settled =
                    if let expected {
                        try await Failure.explaining(
                            connector.trust(
                                try await connector.certificate(of: unverified, showing: expected),
                                of: unverified))
                    } else {
                        try await ask(
                            about: unverified, among: unverifiedServers.count, connector,
                            in: context)
                    }
                guard let settled else { continue }
                record = try await keep(settled, of: record, in: context)
                trusted.append(settled.endpoint)
            } catch {
                // The other address may be the one that is meant, or answer.
                guard unverifiedServers.count > 1, error.kind == .unreachable || expected != nil
                else { throw after(trusted, error, unverified.endpoint) }
                var reported = error
                reported.message = "\(words(unverified.endpoint)): \(error.message)"
                if expected == nil { context.warn(reported.message) }
                problem = merged(problem, reported)
            }
        }
        if trusted.isEmpty, let problem { throw problem }
        let outcome =
            switch (trusted.count, unverifiedServers.count) {
            case (0, _): "shows what is trusted; nothing has changed"
            case (_, 1): "is trusted by the certificate that it shows now"
            default: "is trusted at \(words(trusted)) by what it shows there now"
            }
        try context.report(
            ServerRow(record: record, isDefault: record.id == known.defaultServer?.id),
            with: printer, "'\(record.name)' \(outcome)")
    }

    /// Why no certificate is to be asked for, at one address of a server or at any.
    private static func unasked(_ address: String?, of record: ServerRecord) -> Failure {
        let endpoint = address.flatMap { address in record.endpoints.first { $0.leads(to: address) }
        }
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

    private static func words(_ endpoint: Endpoint) -> String {
        "\(endpoint.kind.rawValue) \(endpoint.address)"
    }

    private static func words(_ endpoints: [Endpoint]) -> String {
        endpoints.map { words($0) }.joined(separator: " and ")
    }

    /// The failure at one address, which tells what was trusted before it and stays so.
    private static func after(
        _ trusted: [Endpoint], _ error: Failure, _ endpoint: Endpoint
    ) -> Failure {
        guard !trusted.isEmpty else { return error }
        var failure = error
        failure.message =
            "\(words(endpoint)): \(error.message); \(words(trusted)) is trusted from now on"
        return failure
    }

    /// The failure that tells of both; not to be the server is worse than not to answer.
    private static func merged(_ first: Failure?, _ second: Failure) -> Failure {
        guard let first else { return second }
        var failure = second.kind == .identity ? second : first
        failure.message = "\(first.message); \(second.message)"
        return failure
    }

    private static func keep(
        _ trusted: UnverifiedServer, of record: ServerRecord, in context: Context
    ) async throws(Failure) -> ServerRecord {
        try await context.changeServers { list throws(ServerListError) in
            // Other accounts on the same server meet the same certificate.
            for known in list.servers(at: trusted.client.address) {
                let isItself = known.id == record.id
                try list.change(known.id) { known in
                    if isItself {
                        known.replace(trusted.endpoint)
                    } else {
                        known.trust(trusted.endpoint)
                    }
                }
            }
            return list[record.id] ?? record
        }
    }

    /// The newcomer with what the person trusts; nil where, of several addresses, this one shows
    /// what is trusted already.
    private static func ask(
        about unverified: UnverifiedServer, among count: Int, _ connector: ServerConnector,
        in context: Context
    ) async throws(Failure) -> UnverifiedServer? {
        let seen = try await Failure.explaining(try await connector.certificate(of: unverified))
        let vouchedFor = connector.trustAuthorities(of: unverified)
        let isPublic =
            (try? await vouchedFor.client.certificate(holding: vouchedFor.client.proof)) != nil
        let isUnchanged =
            switch unverified.endpoint.proof {
            case .pin(let pin): pin == seen.pin && !isPublic
            case .publicCertificate: isPublic
            case .plain: true
            }
        if count > 1, isUnchanged { return nil }
        if unverified.endpoint.proof == .publicCertificate, !isPublic {
            throw Failure(
                .identity,
                "\(unverified.endpoint.authority) vouched for '\(unverified.name)' so far, and none does now; "
                    + "its certificate has the SHA-256 \(seen.fingerprint)",
                hint: "read the fingerprint on the server itself and pass it with --fingerprint",
                reason: "identity_refused")
        }
        let trustedSoFar =
            switch unverified.endpoint.proof {
            case .pin(let pin):
                unverified.endpoint.fingerprint.map { "SHA-256 \($0)" }
                    ?? "the key pin sha256/\(pin)"
            case .publicCertificate, .plain:
                "a certificate that \(unverified.endpoint.authority) vouches for"
            }
        let lines =
            [
                "Trusted so far: \(trustedSoFar)",
                "Seen now at \(unverified.client.address) (\(unverified.endpoint.kind.rawValue)):",
            ]
            + seen.lines
            + (isPublic
                ? ["It is valid for this address by \(vouchedFor.endpoint.authority)."]
                : [check(unverified.endpoint.kind)])
        do throws(Failure) {
            try context.confirmTrust(below: lines)
        } catch {
            // Who runs this from a script still wants to compare the two.
            if error.reason == "input_needed" { lines.forEach(context.noticeAlways) }
            throw error
        }
        return isPublic ? vouchedFor : connector.trust(seen, of: unverified)
    }

    /// How to tell whether a certificate is the right one.
    private static func check(_ kind: Endpoint.Kind) -> String {
        let machine = kind == .local ? "the server" : "the machine of the relay"
        return "Compare the fingerprint with that read on \(machine) itself: "
            + "openssl x509 -noout -fingerprint -sha256 -in CERT"
    }
}

extension Endpoint {
    /// Who vouches for the certificate of the way where no pin is kept of it.
    fileprivate var authority: String {
        authorities.map { "an authority in '\($0)'" } ?? "a public authority"
    }
}
