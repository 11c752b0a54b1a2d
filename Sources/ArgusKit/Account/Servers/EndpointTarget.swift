package import ArgusCore
package import ArgusTransport

/// An endpoint in use: the address to connect to and the proof.
package struct EndpointTarget: Hashable, Sendable, CustomStringConvertible {
    package var kind: Endpoint.Kind
    /// The address in the record, whose host is proved.
    package var address: ServerAddress
    /// The proof; its socket address is set if the server was found at another address.
    package var proof: ServerProof
    /// The certificate from which the pin was taken, which a found server may announce.
    package var fingerprint: CertificateFingerprint?
    /// The announcement of a found server; nil for an address of the record.
    package private(set) var advertisement: Advertisement?

    /// The announcement of a found server, which proves nothing.
    package struct Advertisement: Hashable, Sendable {
        /// The name of its service, such as `Anna's house`.
        package var name: String
        /// True if it announces https.
        package var usesTLS: Bool
        /// True if it announces another certificate than the expected one.
        package var announcesOtherCertificate: Bool
    }

    /// The same endpoint with another address to connect to.
    package func at(_ socketAddress: SocketAddress) -> EndpointTarget {
        var target = self
        target.proof.socketAddress = socketAddress
        return target
    }

    /// The same endpoint at a found server.
    func at(_ socketAddress: SocketAddress, as found: DiscoveredServer) -> EndpointTarget {
        var target = at(socketAddress)
        let announcesOtherCertificate =
            fingerprint != nil && found.fingerprint != nil && found.fingerprint != fingerprint
        target.advertisement = Advertisement(
            name: found.name, usesTLS: found.usesTLS,
            announcesOtherCertificate: announcesOtherCertificate)
        return target
    }

    /// True if it can be used: plain http proves nothing, so a found server needs https, as the
    /// endpoint that it replaces.
    var canProve: Bool {
        guard let advertisement else { return true }
        return advertisement.usesTLS && address.origin.scheme == .https
    }

    /// True if both connect to the same address with the same proof, whatever is announced.
    func isSameConnection(as other: EndpointTarget) -> Bool {
        kind == other.kind && address == other.address && proof == other.proof
    }

    /// The target as `local https://home.example at 192.168.1.5:8443`.
    package var description: String {
        guard let socketAddress = proof.socketAddress else { return "\(kind.rawValue) \(address)" }
        let host = Origin(scheme: .https, host: socketAddress.address, port: socketAddress.port)
            .hostInURL
        return "\(kind.rawValue) \(address) at \(host):\(socketAddress.port)"
    }
}

/// The endpoints of a server that are available now.
package struct EndpointPlan: Sendable {
    /// The usable endpoints of the record, local ones first.
    package var targets: [EndpointTarget]
    /// Reads the networks on which a found server may be contacted.
    package var link: @Sendable () -> LocalLink
    /// True if the network may be searched.
    package var searches = true
    /// The reason why nothing may be sent to an address on the current network; nil if it may.
    var refusing: @Sendable (ServerAddress) async -> TransportError? = { _ in nil }

    /// The reason why an endpoint may not be used now: plain http is bound to the network on which it
    /// was allowed, and the machine may have left it.
    func refusal(of target: EndpointTarget) async -> TransportError? {
        target.address.origin.scheme == .http ? await refusing(target.address) : nil
    }

    /// The local endpoints that a found server could be, even if it cannot prove it.
    func candidates(_ found: DiscoveredServer, on link: LocalLink) -> [EndpointTarget] {
        guard link.reaches(found.address, on: found.interface) else { return [] }
        let socketAddress = SocketAddress(address: found.address, port: found.origin.port)
        let locals = targets.filter { $0.kind == .local }
        // A pin holds under any name, so one attempt covers all addresses with the pin.
        var pins = Set(locals.filter { $0.isPinned && $0.isSet(at: socketAddress) }.map(\.proof))
        return locals.compactMap { target in
            guard !target.isSet(at: socketAddress),
                !target.isPinned || pins.insert(target.proof).inserted
            else { return nil }
            return target.at(socketAddress, as: found)
        }
    }

    /// True if the server may have more than one address, found ones included.
    package var hasAlternatives: Bool { targets.count > 1 || searches && mayBeFound }

    /// True if a network search could find the server or an impostor, but not for a plain http server
    /// on this machine.
    var needsSearch: Bool {
        searches
            && (mayBeFound
                || targets.contains { $0.kind == .local && !$0.address.origin.isLoopback })
    }

    private var mayBeFound: Bool {
        targets.contains { $0.kind == .local && $0.address.origin.scheme == .https }
    }
}

extension EndpointTarget {
    /// True if its address is worth remembering: Avahi resolves the name, and the server there must
    /// prove its identity.
    var isToBeLocated: Bool {
        kind == .local && proof.socketAddress == nil && address.origin.scheme == .https
            && LocalNames.name(of: address.origin) != nil
    }

    fileprivate var isPinned: Bool {
        if case .pin = proof.identity { true } else { false }
    }

    /// True if the record's address equals this one.
    fileprivate func isSet(at socketAddress: SocketAddress) -> Bool {
        address.origin.host == socketAddress.address && address.origin.port == socketAddress.port
    }
}
