/// One way to a server as requests take it: where to connect, and what must be proved there.
package struct WayTarget: Hashable, Sendable {
    package var kind: ServerWay.Kind
    /// The address that the record holds, whose host is proved.
    package var address: ServerAddress
    /// The proof; its endpoint is set where the server was found at another address.
    package var proof: ServerProof
    /// The certificate that the pin was taken from, which a found server may claim to have.
    package var fingerprint: CertificateFingerprint?
    /// What a server that was found there says of itself; nil for an address of the record.
    package private(set) var advertisement: Advertisement?

    /// The words of a server that was found, which prove nothing.
    package struct Advertisement: Hashable, Sendable {
        /// The name of its service, such as `Anna's house`.
        package var name: String
        /// Whether it says that it speaks https.
        package var usesTLS: Bool
        /// Whether it says itself that it has another certificate than the one that is meant.
        package var isOfAnother: Bool
    }

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
    func at(_ endpoint: Endpoint, as found: DiscoveredServer) -> WayTarget {
        var target = at(endpoint)
        let isOfAnother =
            fingerprint != nil && found.fingerprint != nil && found.fingerprint != fingerprint
        target.advertisement = Advertisement(
            name: found.name, usesTLS: found.usesTLS, isOfAnother: isOfAnother)
        return target
    }

    /// Whether it can be used: plain http proves nothing, so nothing that was found stands in for
    /// it, and nothing that was found to speak it stands in for https.
    var canProve: Bool {
        guard let advertisement else { return true }
        return advertisement.usesTLS && address.origin.scheme == .https
    }

    /// Whether both lead to the same place, whatever is claimed there.
    func leads(where other: WayTarget) -> Bool {
        kind == other.kind && address == other.address && proof == other.proof
    }

    /// A request for `primary`, sent by this way instead.
    func carrying(_ request: HTTPRequest, from primary: ServerAddress) -> HTTPRequest {
        var request = request
        request.origin = address.origin
        request.proof = proof
        if request.target.hasPrefix(primary.basePath) {
            request.target = address.basePath + request.target.dropFirst(primary.basePath.count)
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
    /// Reads the networks on which a server that is found may be asked.
    package var link: @Sendable () -> LocalLink
    /// Whether the network may be searched.
    package var searches: Bool
    /// Why nothing may be sent to an address on the network of this moment; nil where it may.
    private let refusal: @Sendable (ServerAddress) -> TransportError?

    package init(
        targets: [WayTarget], link: @escaping @Sendable () -> LocalLink, searches: Bool = true,
        refusing refusal: @escaping @Sendable (ServerAddress) -> TransportError? = { _ in nil }
    ) {
        self.targets = targets
        self.link = link
        self.searches = searches
        self.refusal = refusal
    }

    /// Why a way may not be used now: a machine may have come to another network since the command
    /// began, and plain http goes only where it was allowed.
    func refusal(of target: WayTarget) -> TransportError? {
        target.address.origin.scheme == .http ? refusal(target.address) : nil
    }

    /// The local ways by which a found server could be the one that is meant; one that cannot prove
    /// it is looked at only to tell that somebody answers.
    func candidates(_ found: DiscoveredServer, on link: LocalLink) -> [WayTarget] {
        guard link.reaches(found.address, on: found.interface) else { return [] }
        let endpoint = Endpoint(address: found.address, port: found.origin.port)
        let locals = targets.filter { $0.kind == .local }
        // A pin holds under any name, so that one try tells for all addresses that have it.
        var pins = Set(locals.filter { $0.isPinned && $0.isSet(at: endpoint) }.map(\.proof))
        return locals.compactMap { target in
            guard !target.isSet(at: endpoint),
                !target.isPinned || pins.insert(target.proof).inserted
            else { return nil }
            return target.at(endpoint, as: found)
        }
    }

    /// Whether the server may be reached at more than one address, found ones included.
    package var hasAlternatives: Bool { targets.count > 1 || searches && mayBeFound }

    /// Whether a search of the network could find the server, or somebody in its place; what is on
    /// this machine and speaks plain http stays where it is.
    var needsSearch: Bool {
        searches && (mayBeFound || targets.contains { $0.kind == .local && !$0.isOfThisMachine })
    }

    private var mayBeFound: Bool {
        targets.contains { $0.kind == .local && $0.address.origin.scheme == .https }
    }
}

extension WayTarget {
    /// Whether its place is worth remembering: Avahi looks the name up, and whoever is there proves
    /// to be the one that is meant.
    var isToBeLocated: Bool {
        kind == .local && proof.endpoint == nil && address.origin.scheme == .https
            && LocalNames.name(of: address.origin) != nil
    }

    fileprivate var isOfThisMachine: Bool { address.origin.isLoopback }

    fileprivate var isPinned: Bool {
        if case .pin = proof.identity { true } else { false }
    }

    /// Whether the record's address is this one.
    fileprivate func isSet(at endpoint: Endpoint) -> Bool {
        address.origin.host == endpoint.address && address.origin.port == endpoint.port
    }
}
