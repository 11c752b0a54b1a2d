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
        let all = try await attempt(awaiting: await pendings.load())
        let named = try serverName()
        let known = try knownServers()
        let isConfigured = if case .configuration = named?.origin { true } else { false }
        return try attempt(
            all.chosen(
                naming: named?.text, isConfigured: isConfigured, in: known, at: now()))
    }

    /// The server of a pairing that was begun earlier, with the proof that was settled then.
    func unverifiedServer(of pairing: PendingPairing) throws(Failure) -> UnverifiedServer {
        guard let endpoint = pairing.server.endpoints.first else {
            throw Failure(.failed, "the pairing that waits names no address")
        }
        let (connector, list) = (try connector(), try knownServers())
        return try attempt(
            connector.unverifiedServer(
                resuming: pairing.server, at: endpoint, isNameGiven: pairing.isNameGiven, in: list))
    }
}
