package import ArgusCore
import Synchronization

/// Resolves `.local` names by the avahi-daemon (RFC 6762), since many system resolvers cannot.
package final class LocalNames: Sendable {
    /// The longest wait for an answer.
    private static var timeout: Duration { .seconds(1) }

    private let browser: any ServerBrowser
    /// The addresses found in this run.
    private let known = Mutex<[String: String]>([:])

    package init(_ browser: any ServerBrowser) { self.browser = browser }

    /// The name to query Avahi for; nil for hosts outside `.local`.
    package static func name(of origin: Origin) -> String? {
        let name = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
        return name.hasSuffix(".local") ? name : nil
    }

    /// The address of a `.local` name; nil for other names, and if no answer comes.
    package func socketAddress(of origin: Origin) async -> SocketAddress? {
        guard let name = Self.name(of: origin) else { return nil }
        if let known = known.withLock({ $0[name] }) {
            return SocketAddress(address: known, port: origin.port)
        }
        guard let address = await Self.address(of: name, by: browser) else { return nil }
        known.withLock { $0[name] = address }
        return SocketAddress(address: address, port: origin.port)
    }

    /// Drops the address of a name, such as that of a server which does not answer there.
    func forget(_ origin: Origin) {
        if let name = Self.name(of: origin) { known.withLock { $0[name] = nil } }
    }

    private static func address(of name: String, by browser: any ServerBrowser) async -> String? {
        var address: String?
        // Without a daemon the system's resolver reports the failure.
        try? await browser.browse(.host(name), for: timeout) { found in
            address = found.address
            return false
        }
        return address
    }

    /// The host for the system's resolver: instead of a `.local` name the address that Avahi knows.
    package static func resolvableHost(
        of origin: Origin, by browser: any ServerBrowser
    ) async -> String {
        // The transport takes such names for this machine too.
        if origin.isLocalhostName { return "127.0.0.1" }
        guard let name = name(of: origin) else { return origin.host }
        return await address(of: name, by: browser) ?? origin.host
    }
}
