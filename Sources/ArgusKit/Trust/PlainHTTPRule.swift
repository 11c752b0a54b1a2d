/// Decides whether a request may use plain http (docs/servers-and-trust.md, "Plain http"), without
/// side effects.
package enum PlainHTTPRule {
    /// The reason for a refusal as a clause, and advice to the user.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
        package var hint: String
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
        if granted.allSatisfy({ $0.gatewayMAC == nil }) || network.mac == nil {
            return Refusal(
                reason: "this network has no gateway by which argus could recognise it, so "
                    + "plain http to \(origin) is not allowed here", hint: "use https")
        }
        return Refusal(
            reason: "plain http to \(origin) was allowed on a different network",
            hint: hint)
    }

    /// The allowance that `login --insecure-http` stores for an origin on the current network.
    package static func allowance(
        for origin: Origin, on network: NetworkIdentity
    ) -> PlainHTTPAllowance {
        PlainHTTPAllowance(
            origin: origin, gatewayMAC: origin.isBoundToNetwork ? network.mac : nil)
    }
}
