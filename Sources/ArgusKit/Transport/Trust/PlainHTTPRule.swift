package import ArgusCore

/// Decides whether a request may use plain http (docs/servers-and-trust.md, "Plain http"), without
/// side effects.
package enum PlainHTTPRule {
    /// The reason for a refusal as a clause, and advice to the user.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
        package var hint: String
        /// True if it may be lifted without the user: the network is not known yet.
        package var isTemporary = false

        /// The refusal as the failure of a request.
        package var error: TransportError {
            TransportError(
                isTemporary ? .unknownNetwork : .identityRefused, reason, nothingSent: true)
        }
    }

    /// The refusal for an origin, given the record's allowances and the current network; nil if
    /// plain http is allowed, or the origin does not use it.
    ///
    /// The hint names the command that can allow it.
    package static func refusal(
        of origin: Origin, allowances: [PlainHTTPAllowance],
        network: @autoclosure () -> NetworkIdentity, command: String = "login"
    ) -> Refusal? {
        guard origin.scheme == .http, !origin.isLoopback else { return nil }
        let granted = allowances.filter { $0.origin == origin }
        let hint = "use https, or allow it: argus \(command) \(origin) --insecure-http"
        guard !granted.isEmpty else {
            return Refusal(
                reason: "plain http to \(origin) would show your credentials to the network",
                hint: hint)
        }
        guard origin.isBoundToNetwork else { return nil }
        let network = network()
        if granted.contains(where: { $0.gatewayMAC.map(network.contains(mac:)) == true }) {
            return nil
        }
        let isRecognisable = granted.contains { $0.gatewayMAC != nil }
        if isRecognisable, !network.isSettled {
            return Refusal(
                reason: "no router answers, so argus cannot tell whether this is the network on "
                    + "which plain http to \(origin) was allowed",
                hint: "nothing was sent; try again when the router answers", isTemporary: true)
        }
        if !isRecognisable || network.mac == nil {
            return Refusal(
                reason: "this network has no gateway by which argus could recognise it, so "
                    + "plain http to \(origin) is not allowed here", hint: "use https")
        }
        return Refusal(
            reason: "plain http to \(origin) was allowed on a different network",
            hint: hint)
    }

    /// The allowance that `login --insecure-http` stores for an origin on the current network.
    /// - Throws: `Refusal` while the network to which it would be bound is not known.
    package static func allowance(
        for origin: Origin, on network: NetworkIdentity
    ) throws(Refusal) -> PlainHTTPAllowance {
        guard origin.isBoundToNetwork else {
            return PlainHTTPAllowance(origin: origin, gatewayMAC: nil)
        }
        guard network.mac != nil || !network.hasSilentGateway else {
            throw Refusal(
                reason: "no router answers, so argus cannot tell on which network plain http to "
                    + "\(origin) is to be allowed",
                hint: "nothing was sent; try again when the router answers", isTemporary: true)
        }
        return PlainHTTPAllowance(origin: origin, gatewayMAC: network.mac)
    }
}

/// A permission for plain http: an origin and, for private addresses, the network.
package struct PlainHTTPAllowance: Hashable, Sendable {
    package var origin: Origin
    /// The MAC address of that network's gateway, `aa:bb:cc:dd:ee:ff`.
    package var gatewayMAC: String?

    package init(origin: Origin, gatewayMAC: String? = nil) {
        self.origin = origin
        self.gatewayMAC = gatewayMAC
    }
}
