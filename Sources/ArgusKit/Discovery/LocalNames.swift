import Synchronization

/// A transport that resolves `.local` names through the avahi-daemon (RFC 6762), then by the system's
/// resolver, which often lacks the module for them.
///
/// The server must still prove the name.
package struct LocalNames: Transport {
    /// The longest wait for an answer.
    private static var timeout: Duration { .seconds(1) }

    private let base: any Transport
    private let browser: any ServerBrowser
    private let known = Known()

    /// The addresses found in this run; one is dropped when a request to it fails.
    private final class Known: Sendable {
        let addresses = Mutex<[String: String]>([:])
    }

    package init(_ base: any Transport, _ browser: any ServerBrowser) {
        self.base = base
        self.browser = browser
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        try await locating(request) { located throws(TransportError) in
            try await base.send(located, receive: receive)
        }
    }

    package func openWebSocket(
        _ request: HTTPRequest
    ) async throws(TransportError) -> WebSocketConnection {
        try await locating(request) { located throws(TransportError) in
            try await base.openWebSocket(located)
        }
    }

    private func locating<Answer>(
        _ request: HTTPRequest, _ work: (HTTPRequest) async throws(TransportError) -> Answer
    ) async throws(TransportError) -> Answer {
        let located = await located(request)
        do throws(TransportError) {
            return try await work(located)
        } catch {
            // The server may have moved: the next request looks its name up again.
            if located.proof != request.proof, let name = Self.name(of: request.origin) {
                known.addresses.withLock { $0[name] = nil }
            }
            throw error
        }
    }

    /// The name to query Avahi for; nil for hosts outside `.local`.
    static func name(of origin: Origin) -> String? {
        let name = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
        return name.hasSuffix(".local") ? name : nil
    }

    private func located(_ request: HTTPRequest) async -> HTTPRequest {
        guard request.proof.socketAddress == nil,
            let found = await socketAddress(of: request.origin)
        else { return request }
        var request = request
        if request.purpose == .certificate {
            // Fetching a certificate without a proof needs no name.
            request.origin.host = found.address
        } else {
            request.proof.socketAddress = found
        }
        return request
    }

    /// The address of a `.local` name; nil for other names, and if no answer comes.
    package func socketAddress(of origin: Origin) async -> SocketAddress? {
        guard let name = Self.name(of: origin) else { return nil }
        if let known = known.addresses.withLock({ $0[name] }) {
            return SocketAddress(address: known, port: origin.port)
        }
        guard let address = await Self.address(of: name, by: browser) else { return nil }
        known.addresses.withLock { $0[name] = address }
        return SocketAddress(address: address, port: origin.port)
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

    /// The host of an origin as the system's resolver takes it: the address of a `.local` name if Avahi
    /// knows it.
    package static func resolvableHost(
        of origin: Origin, by browser: any ServerBrowser
    ) async -> String {
        // The transport takes such names for this machine too.
        if origin.isLocalhostName { return "127.0.0.1" }
        guard let name = name(of: origin) else { return origin.host }
        return await address(of: name, by: browser) ?? origin.host
    }
}
