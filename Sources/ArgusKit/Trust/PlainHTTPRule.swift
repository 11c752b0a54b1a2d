/// Decides whether a request may use plain http (contract section 7.4), without side effects.
package enum PlainHTTPRule {
    package enum Decision: Hashable, Sendable {
        case allowed
        case refused(Refusal)
    }

    /// The reason for a refusal as a clause, and advice to the user.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
        package var hint: String
    }

    /// Decides for one origin, given the record's allowances and the current network.
    ///
    /// The hint names the command that can allow it.
    package static func decide(
        _ origin: Origin, allowances: [PlainHTTPAllowance],
        network: @autoclosure () -> NetworkIdentity, command: String = "login"
    ) -> Decision {
        guard origin.scheme == .http, !origin.isLoopback else { return .allowed }
        let granted = allowances.filter { $0.origin == origin }
        let hint = "use https, or allow it: argus \(command) \(origin) --insecure-http"
        guard !granted.isEmpty else {
            return .refused(
                Refusal(
                    reason: "plain http to \(origin) would show your credentials to the network",
                    hint: hint))
        }
        guard origin.isBoundToNetwork else { return .allowed }
        let network = network()
        if granted.contains(where: { $0.gatewayMAC.map(network.contains(mac:)) == true }) {
            return .allowed
        }
        if granted.allSatisfy({ $0.gatewayMAC == nil }) || network.mac == nil {
            return .refused(
                Refusal(
                    reason: "this network has no gateway by which argus could recognise it, so "
                        + "plain http to \(origin) is not allowed here", hint: "use https"))
        }
        return .refused(
            Refusal(
                reason: "plain http to \(origin) was allowed on another network than this one",
                hint: hint))
    }

    /// The allowance that `login --insecure-http` stores for an origin on the current network.
    package static func allowance(
        for origin: Origin, on network: NetworkIdentity
    ) -> PlainHTTPAllowance {
        let isBound = origin.isBoundToNetwork
        return PlainHTTPAllowance(origin: origin, gatewayMAC: isBound ? network.mac : nil)
    }
}
