/// A server that a search of the network found.
package struct FoundServer: Sendable {
    package var server: DiscoveredServer
    /// The answer to a look at it.
    package var result = CandidateProbe.Result()
    /// The known server whose identity it has proved.
    package var record: ServerRecord?

    /// Its address as a URL.
    package var url: String { server.origin.description }
}

extension ServerConnector {
    /// Searches the network, and hands over each server that was looked at, until `take` returns
    /// false or the time is up; nothing secret is sent.
    ///
    /// - Throws: `DiscoveryError` where the network cannot be searched.
    package func search(
        for duration: Duration, among records: [ServerRecord], _ take: (FoundServer) -> Bool
    ) async throws(DiscoveryError) {
        let (connector, link) = (self, environment.link())
        let probe = CandidateProbe(environment.makeTransport(.none, options.observation))
        let search = ServerSearch(environment.browser) { server in
            guard link.reaches(server.address, on: server.interface) else {
                var found = FoundServer(server: server)
                found.result.problem = "the address is not of the network on which it was told"
                return found
            }
            var found = FoundServer(server: server, result: await probe.look(at: server.origin))
            found.record = await connector.record(of: found, among: records, probe)
            return found
        }
        try await search.run(for: duration, take)
    }

    /// The known server whose identity a found one has proved.
    private func record(
        of found: FoundServer, among records: [ServerRecord], _ probe: CandidateProbe
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
        // A server that has proved nothing yet need not learn who is calling.
        proof.clientCertificate = nil
        return await probe.proves(proof, of: origin, at: place)
    }

    /// The time of a search where no option gives another.
    package static let searchTime: Duration = .seconds(3)

    /// Searches the network for servers that answer; the one with the certificate of a fingerprint
    /// ends the search.
    ///
    /// - Returns: the servers, and the reason for which the search ended early.
    package func reachableServers(
        showing expected: CertificateFingerprint?
    ) async -> (found: [FoundServer], problem: DiscoveryError?) {
        var found: [FoundServer] = []
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
