import ArgusCore
package import ArgusTransport

/// A discovered server with the result of its probe.
package struct ProbedServer: Sendable {
    package var server: DiscoveredServer
    package var result = CandidateProbe.Result()
    /// The known server whose identity it has proved.
    package var record: ServerRecord?

    package var url: String { server.origin.description }
}

extension ServerConnector {
    /// Searches the network and passes on each probed server, until `take` returns false or the time
    /// is up; nothing secret is sent.
    ///
    /// - Throws: `DiscoveryError` if the network cannot be searched.
    package func search(
        for duration: Duration, among records: [ServerRecord], _ take: (ProbedServer) -> Bool
    ) async throws(DiscoveryError) {
        let (connector, link) = (self, environment.link())
        let probe = CandidateProbe(environment.makeTransport(.none, options.observation))
        let look: @Sendable (DiscoveredServer) async -> ProbedServer = { server in
            var found = ProbedServer(server: server)
            guard link.reaches(server.address, on: server.interface) else {
                found.result.problem = "the address is not of the network on which it was announced"
                return found
            }
            found.result = await probe.look(at: server.origin)
            found.record = await connector.record(of: found, among: records, probe)
            return found
        }
        try await environment.browser.search(for: duration, probe: look, take)
    }

    /// The known server whose identity a found one has proved.
    private func record(
        of found: ProbedServer, among records: [ServerRecord], _ probe: CandidateProbe
    ) async -> ServerRecord? {
        guard let certificate = found.result.certificate else { return nil }
        let place = SocketAddress(address: found.server.address, port: found.server.origin.port)
        for record in records {
            for endpoint in record.endpoints where endpoint.kind == .local {
                switch endpoint.proof {
                case .pin(let pin): if pin == certificate.pin { return record }
                case .publicCertificate:
                    if await proves(endpoint, at: place, probe) { return record }
                case .plain: break
                }
            }
        }
        return nil
    }

    private func proves(
        _ endpoint: Endpoint, at place: SocketAddress, _ probe: CandidateProbe
    ) async -> Bool {
        guard let origin = endpoint.origin, origin.scheme == .https, origin.isNamed else {
            return false
        }
        var proof = options.files.proof(of: endpoint)
        // A server that has proved nothing must not learn the client's identity.
        proof.clientCertificate = nil
        return await probe.proves(proof, of: origin, at: place)
    }

    /// The default time of a search.
    package static let searchTime: Duration = .seconds(3)

    /// Searches the network for servers that answer, until one shows the expected certificate.
    ///
    /// - Returns: The servers, and the reason for an early end.
    package func reachableServers(
        showing expected: CertificateFingerprint?
    ) async -> (found: [ProbedServer], problem: DiscoveryError?) {
        var found: [ProbedServer] = []
        do throws(DiscoveryError) {
            try await search(for: Self.searchTime, among: []) { server in
                guard server.result.isReachable else { return true }
                found.append(server)
                return expected == nil || server.result.certificate?.fingerprint != expected
            }
        } catch {
            return (found, error)
        }
        return (found, nil)
    }
}
