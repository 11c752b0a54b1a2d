import ArgusKit

// The server that a person signs in to or pairs with, when they name none.
extension Context {
    /// The server of a URL, a known one, or, where none is known, one that is found.
    ///
    /// - Throws: `Failure` 9 where servers answer and nobody can say which is meant, 6 where none
    ///   answers and no relay is configured.
    func unverifiedServer(
        url: String?, name: String?, username: String? = nil, allowingPlainHTTP: Bool,
        fingerprint: Fingerprint?, by command: String = "login"
    ) async throws(Failure) -> UnverifiedServer {
        guard url == nil || globals.server == nil else {
            throw Failure(.usage, "give the server's address or --server, not both")
        }
        guard url == nil, try serverName() == nil, try knownServers().servers.isEmpty else {
            return try unverifiedServer(
                url: url, name: name, username: username, allowingPlainHTTP: allowingPlainHTTP,
                by: command)
        }
        try expectName(name, for: [], in: ServerList())
        let (found, problem) = try await reachableServers(
            showing: try expectedFingerprint(fingerprint))
        guard let chosen = try choice(among: found, fingerprint: fingerprint) else {
            return try configuredRelay(name: name, because: problem, by: command)
        }
        var unverified = try unverifiedServer(
            url: chosen.url, name: name, allowingPlainHTTP: allowingPlainHTTP, by: command)
        if name == nil { unverified.name = try knownServers().freeName(like: chosen.server.name) }
        return unverified
    }

    /// The servers of the network that answer, of those with a fingerprint the first, and what kept
    /// the network from being searched.
    private func reachableServers(
        showing expected: CertificateFingerprint?
    ) async throws(Failure) -> (found: [FoundServer], problem: Failure?) {
        notice("searching the local network for servers")
        var found: [FoundServer] = []
        do throws(Failure) {
            try await search(for: Self.searchTime) { server in
                guard server.result.isReachable else { return true }
                found.append(server)
                return expected == nil || server.result.certificate?.fingerprint != expected
            }
        } catch {
            // Without a daemon there may still be a relay.
            debug(error.message)
            return (found, error)
        }
        return (found, nil)
    }

    /// The one that shows the fingerprint, or that the person chooses; nil when none answers.
    private func choice(
        among found: [FoundServer], fingerprint: Fingerprint?
    ) throws(Failure) -> FoundServer? {
        if let expected = try expectedFingerprint(fingerprint) {
            let match = found.first { $0.result.certificate?.fingerprint == expected }
            guard match == nil, !found.isEmpty else { return match }
            throw Failure(
                .identity,
                "no server in the network shows the certificate with SHA-256 \(expected)",
                hint: "nothing was sent; 'argus discover' shows who answers",
                reason: "fingerprint_mismatch")
        }
        guard !found.isEmpty else { return nil }
        let lines =
            ["Found in the network (the names are their own, and prove nothing):"]
            + found.enumerated().map { number, server in
                "  \(number + 1)  \(server.server.name)  \(server.url)"
            }
        let answer: String
        do throws(Failure) {
            answer = try ask(
                "Which one? 1 to \(found.count): ", below: lines,
                otherwise: "the server's URL, or --fingerprint")
        } catch  where error.reason == "input_needed" {
            throw Failure(
                .identity,
                "servers answer in the network, and none of them is known: "
                    + found.map(\.url).joined(separator: ", "),
                hint: "nothing was sent; give the server's URL, or --fingerprint",
                reason: "unknown_server")
        }
        guard let number = Int(answer.filter { $0 != " " }), found.indices ~= number - 1 else {
            throw Failure(.usage, "'\(answer)' is none of them", hint: "nothing was sent")
        }
        return found[number - 1]
    }

    /// The relay of the configuration, where nothing answers in the network or nobody can be asked.
    private func configuredRelay(
        name: String?, because problem: Failure?, by command: String
    ) throws(Failure) -> UnverifiedServer {
        guard let text = try setting(.relayURL)?.text else {
            let cause = problem?.message ?? "no server answers in the local network"
            let remedy = problem?.hint.map { "\($0); or " } ?? ""
            throw Failure(
                .unreachable, "\(cause), and no relay is configured",
                hint: "\(remedy)name the server: argus \(command) https://home.example; or set "
                    + "relay_url in config.toml, or ARGUS_RELAY_URL", reason: "no_server")
        }
        let address = try parse(text)
        guard address.origin.scheme == .https || address.origin.isLoopback else {
            throw Failure(
                .identity, "a relay is reached over https only, not by \(address)",
                reason: "plain_http")
        }
        let endpoint = newEndpoint(.relay, address)
        return UnverifiedServer(
            name: name ?? ServerList().freeName(like: address.origin.host),
            client: try client(for: address, by: endpoint), isNameGiven: name != nil,
            endpoint: endpoint)
    }
}
