import ArgusKit

// What is found on the network, and which of it is known.
extension Context {
    /// How long a search takes where nobody said.
    static let searchTime: Duration = .seconds(3)

    /// Searches the network and looks at each answer; nothing secret is sent to any of them.
    ///
    /// - Throws: `Failure` 1 with a remedy where nothing can be searched.
    func search(
        for duration: Duration, _ take: (FoundServer) throws(Failure) -> Bool
    ) async throws(Failure) {
        let records = try knownServers().servers
        let link = system.link()
        let probe = CandidateProbe(system.makeTransport(.none, try observation()))
        let context = self
        let search = ServerSearch(system.browser) { server in
            await context.look(at: server, records, link, probe)
        }
        var failure: Failure?
        do throws(DiscoveryError) {
            try await search.run(for: duration) { found in
                do throws(Failure) {
                    return try take(found)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw Failure(error)
        }
        if let failure { throw failure }
    }

    private func look(
        at server: DiscoveredServer, _ records: [ServerRecord], _ link: LocalLink,
        _ probe: CandidateProbe
    ) async -> FoundServer {
        guard link.reaches(server.address, on: server.interface) else {
            var found = FoundServer(server: server)
            found.result.problem = "the address is not of the network on which it was told"
            return found
        }
        var found = FoundServer(server: server, result: await probe.look(at: server.origin))
        guard let certificate = found.result.certificate else { return found }
        let socketAddress = SocketAddress(address: server.address, port: server.origin.port)
        for record in records {
            for endpoint in record.endpoints where endpoint.kind == .local {
                let isProved =
                    switch endpoint.proof {
                    case .pin(let pin): pin == certificate.pin
                    case .publicCertificate:
                        await isProved(endpoint, at: socketAddress, by: probe)
                    case .plain: false
                    }
                guard isProved else { continue }
                found.record = record
                return found
            }
        }
        return found
    }

    private func isProved(
        _ endpoint: Endpoint, at socketAddress: SocketAddress, by probe: CandidateProbe
    ) async -> Bool {
        guard let origin = endpoint.origin, origin.scheme == .https, origin.isNamed
        else { return false }
        var proof = proof(of: endpoint)
        proof.clientCertificate = nil
        return await probe.proves(proof, of: origin, at: socketAddress)
    }
}

/// A server that was found, and what a look at it told.
struct FoundServer: Sendable {
    var server: DiscoveredServer
    var result = CandidateProbe.Result()
    /// The known server whose identity it has proved.
    var record: ServerRecord?

    /// Its address as a URL.
    var url: String { server.origin.description }
}

extension Failure {
    /// The network cannot be searched.
    init(_ error: DiscoveryError) {
        self.init(.failed, "\(error)", hint: error.remedy, reason: "discovery_failed")
    }
}
