import ArgusKit

// What a sign-in leaves behind.
extension Context {
    /// The client of a server, without credentials.
    func client(
        for address: ServerAddress, proof: WayProof, knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(Failure) -> APIClient {
        return APIClient(
            transport: try transport(), address: address, proof: serverProof(proof),
            knowledge: knowledge,
            patience: APIClient.Patience(firstByte: try patience()),
            userAgent: "argus/\(Tool.version)")
    }

    /// Keeps a proved sign-in: the credentials first, so that no record is without them.
    func remember(
        _ account: ProvedAccount, at newcomer: Newcomer
    ) async throws(Failure) -> ServerRecord {
        var record =
            newcomer.record
            ?? ServerRecord(name: newcomer.name, ways: [newcomer.way], addedAt: now())
        record.name = newcomer.name
        record.account = ServerAccount(
            kind: account.kind, username: account.username, userID: account.user?.id)
        if let allowance = newcomer.allowance, !record.plainHTTPAllowances.contains(allowance) {
            record.plainHTTPAllowances.append(allowance)
        }
        record.knowledge.learn(newcomer.client.knowledge, at: now())
        do {
            try await store().keep(account.credential, of: record.id)
        } catch {
            throw Failure(error)
        }
        let kept = record
        let isNew = newcomer.record == nil
        try await changeServers { list throws(ServerListError) in
            guard isNew || list[kept.id] == nil else {
                return try list.change(kept.id) { $0 = kept }
            }
            try list.add(kept)
        }
        return record
    }

    /// Remembers what this run learnt of a server's routes; missing that only costs time.
    func keepKnowledge(of home: Home) async {
        guard let record = home.record, home.session.client.knowledge.isChanged else { return }
        let knowledge = home.session.client.knowledge
        let moment = now()
        do throws(Failure) {
            try await changeServers { list throws(ServerListError) in
                try list.change(record.id) { $0.knowledge.learn(knowledge, at: moment) }
            }
        } catch {
            note("what was learnt of '\(home.name)' is not kept: \(error.message)")
        }
    }

    /// How long to wait for the first byte, where somebody said so.
    private func patience() throws(Failure) -> Duration? {
        if let given = globals.timeout { return given.duration }
        guard let value = try setting(.timeout), value.origin != .builtIn else { return nil }
        do {
            return try DurationText.parse(value.text)
        } catch {
            throw Failure(.usage, "timeout: \(error)")
        }
    }

    private func serverProof(_ proof: WayProof) -> ServerProof {
        let identity: ServerProof.Identity =
            switch proof {
            case .plain: .plain
            case .pin(let digest): .pin(digest)
            case .publicCertificate: .publicCertificate(authorities: globals.authorities)
            }
        let certificate = globals.certificate.map {
            ClientCertificate(certificatePath: $0, keyPath: globals.key)
        }
        // Plain http must not pass through a proxy, which would read it (contract section 7.4).
        return ServerProof(
            identity, clientCertificate: certificate, avoidsProxies: proof == .plain)
    }
}

extension ServerKnowledge {
    /// For how long what was learnt is believed without a look.
    private static let lifetime: Duration = .seconds(7 * 86_400)

    /// The generations still believed at a moment.
    func currentGenerations(at now: Timestamp) -> [String: String] {
        guard let learntAt, now - learntAt < Self.lifetime else { return [:] }
        return generations
    }

    /// Takes over what a run learnt.
    mutating func learn(_ knowledge: RouteKnowledge, at now: Timestamp) {
        generations = knowledge.routes
        learntAt = now
    }
}
