/// One way to a server as requests take it: where to connect, and what must be proved there.
package struct WayTarget: Hashable, Sendable {
    package var kind: ServerWay.Kind
    /// The address that the record holds, whose host is proved.
    package var address: ServerAddress
    /// The proof; its endpoint is set where the server was found at another address.
    package var proof: ServerProof
    /// The certificate that the pin was taken from, which a found server may claim to have.
    package var fingerprint: CertificateFingerprint?
    /// Whether a found server claims that certificate.
    package private(set) var isClaimed = false

    package init(
        _ kind: ServerWay.Kind, _ address: ServerAddress, proof: ServerProof,
        fingerprint: CertificateFingerprint? = nil
    ) {
        self.kind = kind
        self.address = address
        self.proof = proof
        self.fingerprint = fingerprint
    }

    /// The same way with another place to connect to.
    package func at(_ endpoint: Endpoint) -> WayTarget {
        var target = self
        target.proof.endpoint = endpoint
        return target
    }

    /// The same way at a server that was found.
    func at(_ endpoint: Endpoint, claimedBy found: DiscoveredServer) -> WayTarget {
        var target = at(endpoint)
        target.isClaimed = fingerprint != nil && found.fingerprint == fingerprint
        return target
    }

    /// Whether both lead to the same place, whatever is claimed there.
    func leads(where other: WayTarget) -> Bool {
        kind == other.kind && address == other.address && proof == other.proof
    }

    /// A request for `primary`, sent by this way instead.
    func carrying(_ request: HTTPRequest, from primary: ServerAddress) -> HTTPRequest {
        var request = request
        let certificate = request.proof.clientCertificate
        request.origin = address.origin
        request.proof = proof
        if address.origin.scheme == .https { request.proof.clientCertificate = certificate }
        if request.target.hasPrefix(primary.basePath) {
            let rest = request.target.dropFirst(primary.basePath.count)
            request.target = address.basePath + String(rest)
        }
        return request
    }
}

extension WayTarget: CustomStringConvertible {
    /// Such as `local https://home.example at 192.168.1.5:8443`.
    package var description: String {
        guard let endpoint = proof.endpoint else { return "\(kind.rawValue) \(address)" }
        let host = Origin(scheme: .https, host: endpoint.address, port: endpoint.port).hostInURL
        return "\(kind.rawValue) \(address) at \(host):\(endpoint.port)"
    }
}

/// All that is known of how a server may be reached now.
package struct WayPlan: Sendable {
    /// The ways of the record that may be used, the local ones first.
    package var targets: [WayTarget]
    /// The networks on which a server that is found may be asked; looked up when one was found.
    package var link: @Sendable () -> LocalLink
    /// Whether the network may be searched.
    package var searches: Bool

    package init(
        targets: [WayTarget], link: @escaping @Sendable () -> LocalLink, searches: Bool = true
    ) {
        self.targets = targets
        self.link = link
        self.searches = searches
    }

    /// The local ways by which a found server could be the one that is meant.
    ///
    /// Plain http proves nothing, so nothing that was found stands in for it.
    func candidates(_ found: DiscoveredServer) -> [WayTarget] {
        guard link().reaches(found.address, on: found.interface) else { return [] }
        return targets.compactMap { target in
            let origin = target.address.origin
            guard target.kind == .local else { return nil }
            guard origin.scheme == .https, found.usesTLS else { return nil }
            let endpoint = Endpoint(address: found.address, port: found.origin.port)
            let isSet = origin.host == endpoint.address && origin.port == endpoint.port
            return isSet ? nil : target.at(endpoint, claimedBy: found)
        }
    }

    /// Whether a search of the network could find the server.
    var needsSearch: Bool {
        searches
            && targets.contains { $0.kind == .local && $0.address.origin.scheme == .https }
    }
}
