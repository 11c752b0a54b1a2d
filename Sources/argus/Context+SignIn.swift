import ArgusKit

// What a sign-in needs, and what a run learns of a server.
extension Context {
    /// The client of a server, without credentials.
    func client(
        for address: ServerAddress, by endpoint: Endpoint,
        knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(Failure) -> APIClient {
        if endpoint.proof == .plain, globals.certificate != nil {
            throw Failure(.usage, "--cert needs an address with https, and \(address) is none")
        }
        let device = system.device()
        var client = APIClient(
            transport: try transport(), address: address, proof: proof(of: endpoint),
            knowledge: knowledge,
            timeouts: APIClient.Timeouts(firstByte: try firstByteTimeout()),
            userAgent: device.userAgent(of: "argus/\(Tool.version)"))
        client.deviceHeaders = device.headers(appVersion: Tool.version)
        return client
    }

    /// Remembers what this run learnt of a server's routes and clock; missing that only costs time.
    func keepKnowledge(of server: SignedInServer) async {
        let knowledge = server.session.client.knowledge
        let offset = await server.session.renewal?.learntOffset
        guard let record = server.record, knowledge.isChanged || offset != nil else { return }
        let moment = now()
        do throws(Failure) {
            try await changeServers { list throws(ServerListError) in
                try list.change(record.id) { record in
                    if knowledge.isChanged { record.knowledge.learn(knowledge, at: moment) }
                    record.clockOffset = offset ?? record.clockOffset
                }
            }
        } catch {
            debug("what was learnt of '\(server.name)' is not kept: \(error.message)")
        }
    }

    /// How long to wait for the first byte, where somebody said so.
    private func firstByteTimeout() throws(Failure) -> Duration? {
        if let given = globals.timeout { return given.duration }
        guard let value = try setting(.timeout), value.origin != .builtIn else { return nil }
        do {
            return try DurationText.parse(value.text)
        } catch {
            throw Failure(.usage, "timeout: \(error)")
        }
    }

    /// What the server must prove on a way in this run.
    func proof(of endpoint: Endpoint) -> ServerProof {
        let identity: ServerProof.Identity =
            switch endpoint.proof {
            case .plain: .plain
            case .pin(let digest): .pin(digest)
            case .publicCertificate:
                .publicCertificate(authorities: globals.authorities ?? endpoint.authorities)
            }
        // A key belongs to its certificate: both are of this run, or both are remembered.
        let (file, key) =
            globals.certificate.map { ($0, globals.key) } ?? (endpoint.certificate, endpoint.key)
        let isPlain = endpoint.proof == .plain
        let certificate = file.map { ClientCertificate(certificatePath: $0, keyPath: key) }
        // Plain http shows none, and must not pass through a proxy, which would read it (contract
        // section 7.4).
        return ServerProof(
            identity, clientCertificate: isPlain ? nil : certificate, avoidsProxies: isPlain)
    }
}
