import ArgusKit

// Pairings of this machine that are not over.
extension Context {
    /// The pairings that wait for somebody to confirm them, kept where new sign-ins go.
    func pendingPairings() throws(Failure) -> PendingPairings {
        let kind = try chosenStore() ?? .file
        let context = self
        do throws(CredentialStoreError) {
            return PendingPairings(
                in: try store(kind), system.paths.state, sleep: system.sleep,
                report: { context.warn("pairings that may have waited are lost: \($0)") })
        } catch {
            throw Failure(error)
        }
    }

    /// The device that a server is told of.
    func pairingDevice(
        name: String?, platform: PairingDevice.Platform
    ) -> PairingDevice {
        let device = system.device()
        return PairingDevice(
            hardwareID: device.id, name: name ?? "argus on \(device.name)", model: device.model,
            platform: platform)
    }

    /// The pairing to go on with: the one of the server that is named, else the only one.
    ///
    /// - Throws: `Failure` 3 when there is none, 2 when several wait and none was named.
    func pendingPairing() async throws(Failure) -> PendingPairing {
        let pendings = try pendingPairings()
        let all: [PendingPairing]
        do throws(CredentialStoreError) {
            all = try await pendings.load()
        } catch {
            throw Failure(error)
        }
        let alive = all.filter { $0.expiresAt > now() }
        var candidates = alive.isEmpty ? all : alive
        if let named = try serverName() {
            let known = try knownServers()
            let meant = all.filter { $0.isWith(named.text, in: known) }
            // The server of the configuration is seldom the new one: it decides among several.
            let isDefault = named.origin.serverChoice == .configuration
            if !isDefault || !meant.isEmpty { candidates = meant }
        }
        guard let pairing = candidates.first else {
            guard all.isEmpty else {
                throw Failure(
                    .notFound, "no pairing with '\(try serverName()?.text ?? "")' is waiting",
                    hint: "waiting: \(all.names)", reason: "nothing_pending")
            }
            throw Failure(
                .notFound, "no pairing is waiting", hint: "start one with 'argus pair URL'",
                reason: "nothing_pending")
        }
        guard candidates.count == 1 else {
            throw Failure(
                .usage, "several pairings wait: \(candidates.names)",
                hint: "name one with --server")
        }
        return pairing
    }

    /// The server of a pairing that was begun earlier, with the proof that was settled then.
    func unverifiedServer(of pairing: PendingPairing) throws(Failure) -> UnverifiedServer {
        let list = try knownServers()
        guard let begun = pairing.server.endpoints.first else {
            throw Failure(.failed, "the pairing that waits names no address")
        }
        let address = try parse(begun.address)
        let known = list.servers(at: address)
        let own = pairing.server.plainHTTPAllowances
        try check(address, own + known.flatMap(\.plainHTTPAllowances))
        let endpoints = list[pairing.server.id]?.endpoints ?? []
        let endpoint =
            (endpoints + known.flatMap(\.endpoints)).first { $0.leads(to: begun.address) } ?? begun
        return UnverifiedServer(
            name: pairing.server.name, client: try client(for: address, by: endpoint),
            record: list[pairing.server.id], isNameGiven: pairing.isNameGiven,
            isKnown: !known.isEmpty, endpoint: endpoint,
            allowance: own.first { $0.origin == address.origin })
    }
}

extension [PendingPairing] {
    /// Their servers, for a sentence.
    fileprivate var names: String {
        map { "\($0.server.name) (\($0.address))" }.joined(separator: ", ")
    }
}

extension PendingPairing {
    /// The address of the server.
    var address: String { server.endpoints.first?.address ?? "" }

    /// Whether a name, an id or a URL means the server of the pairing.
    fileprivate func isWith(_ word: String, in known: ServerList) -> Bool {
        if case .found(let record) = known.find(word),
            record.id == server.id || record.endpoints.contains(where: { $0.leads(to: address) })
        {
            return true
        }
        return server.name.lowercased() == word.lowercased() || server.id.text == word
            || server.endpoints.contains { $0.leads(to: word) }
    }
}
