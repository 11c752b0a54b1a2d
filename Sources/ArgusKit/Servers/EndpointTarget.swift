/// One way to a server as requests take it: where to connect, and what must be proved there.
package struct EndpointTarget: Hashable, Sendable {
    package var kind: Endpoint.Kind
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
        _ kind: Endpoint.Kind, _ address: ServerAddress, proof: ServerProof,
        fingerprint: CertificateFingerprint? = nil
    ) {
        self.kind = kind
        self.address = address
        self.proof = proof
        self.fingerprint = fingerprint
    }

    /// The same way with another place to connect to.
    package func at(_ socketAddress: SocketAddress) -> EndpointTarget {
        var target = self
        target.proof.socketAddress = socketAddress
        return target
    }

    /// The same way at a server that was found.
    func at(_ socketAddress: SocketAddress, as found: DiscoveredServer) -> EndpointTarget {
        var target = at(socketAddress)
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
    func leads(where other: EndpointTarget) -> Bool {
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

extension EndpointTarget: CustomStringConvertible {
    /// Such as `local https://home.example at 192.168.1.5:8443`.
    package var description: String {
        guard let socketAddress = proof.socketAddress else { return "\(kind.rawValue) \(address)" }
        let host = Origin(scheme: .https, host: socketAddress.address, port: socketAddress.port)
            .hostInURL
        return "\(kind.rawValue) \(address) at \(host):\(socketAddress.port)"
    }
}

/// All that is known of how a server may be reached now.
package struct EndpointPlan: Sendable {
    /// The ways of the record that may be used, the local ones first.
    package var targets: [EndpointTarget]
    /// Reads the networks on which a server that is found may be asked.
    package var link: @Sendable () -> LocalLink
    /// Whether the network may be searched.
    package var searches: Bool
    /// Why nothing may be sent to an address on the network of this moment; nil where it may.
    private let refusal: @Sendable (ServerAddress) -> TransportError?

    package init(
        targets: [EndpointTarget], link: @escaping @Sendable () -> LocalLink, searches: Bool = true,
        refusing refusal: @escaping @Sendable (ServerAddress) -> TransportError? = { _ in nil }
    ) {
        self.targets = targets
        self.link = link
        self.searches = searches
        self.refusal = refusal
    }

    /// Why a way may not be used now: a machine may have come to another network since the command
    /// began, and plain http goes only where it was allowed.
    func refusal(of target: EndpointTarget) -> TransportError? {
        target.address.origin.scheme == .http ? refusal(target.address) : nil
    }

    /// The local ways by which a found server could be the one that is meant; one that cannot prove
    /// it is looked at only to tell that somebody answers.
    func candidates(_ found: DiscoveredServer, on link: LocalLink) -> [EndpointTarget] {
        guard link.reaches(found.address, on: found.interface) else { return [] }
        let socketAddress = SocketAddress(address: found.address, port: found.origin.port)
        let locals = targets.filter { $0.kind == .local }
        // A pin holds under any name, so that one try tells for all addresses that have it.
        var pins = Set(locals.filter { $0.isPinned && $0.isSet(at: socketAddress) }.map(\.proof))
        return locals.compactMap { target in
            guard !target.isSet(at: socketAddress),
                !target.isPinned || pins.insert(target.proof).inserted
            else { return nil }
            return target.at(socketAddress, as: found)
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

extension EndpointTarget {
    /// Whether its place is worth remembering: Avahi looks the name up, and whoever is there proves
    /// to be the one that is meant.
    var isToBeLocated: Bool {
        kind == .local && proof.socketAddress == nil && address.origin.scheme == .https
            && LocalNames.name(of: address.origin) != nil
    }

    fileprivate var isOfThisMachine: Bool { address.origin.isLoopback }

    fileprivate var isPinned: Bool {
        if case .pin = proof.identity { true } else { false }
    }

    /// Whether the record's address is this one.
    fileprivate func isSet(at socketAddress: SocketAddress) -> Bool {
        address.origin.host == socketAddress.address && address.origin.port == socketAddress.port
    }
}
