import ArgusKit

// Pairings of this machine that are not over.
extension Context {
    /// The pairings that wait for somebody to confirm them, kept where new sign-ins go.
    private func pendingPairings() throws(Failure) -> PendingPairings {
        let kind = try chosenStore() ?? .file
        let context = self
        do throws(CredentialStoreError) {
            return PendingPairings(
                in: try secrets.stores.open(kind), system.paths.state, sleep: system.sleep,
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

    /// The service that pairs with a server.
    func pairingDesk(with server: UnverifiedServer) throws(Failure) -> PairingDesk {
        PairingDesk(server, try pendingPairings(), try signInTransaction())
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
        let named = try serverName()
        let known = try knownServers()
        do throws(PendingPairingError) {
            return try all.chosen(
                naming: named?.text,
                isConfigured: named?.origin.serverChoice == .configuration, in: known, at: now())
        } catch {
            throw Failure(error)
        }
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
