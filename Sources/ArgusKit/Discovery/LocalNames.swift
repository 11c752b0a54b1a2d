import Synchronization

/// A transport that looks `.local` names up through the avahi-daemon (RFC 6762).
///
/// Many systems resolve them only with a module that is not installed, and then wait for a name
/// server that cannot know. Where Avahi knows nothing the system's resolver is left to try. The
/// name stays what must be proved.
package struct LocalNames: Transport {
    /// How long an answer is waited for.
    private static var timeout: Duration { .seconds(1) }

    private let base: any Transport
    private let browser: any ServerBrowser
    private let known = Known()

    /// The addresses found in this run, until a request to one fails.
    private final class Known: Sendable {
        let addresses = Mutex<[String: String]>([:])
    }

    package init(_ base: any Transport, _ browser: any ServerBrowser) {
        self.base = base
        self.browser = browser
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let located = await located(request)
        do throws(TransportError) {
            return try await base.send(located)
        } catch {
            forget(request, located)
            throw error
        }
    }

    package func send(
        _ request: HTTPRequest, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransportError) -> HTTPResponse {
        let located = await located(request)
        do throws(TransportError) {
            return try await base.send(located, receive: receive)
        } catch {
            forget(request, located)
            throw error
        }
    }

    package func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate {
        var (origin, proof) = (origin, proof)
        if proof?.socketAddress == nil, let socketAddress = await socketAddress(of: origin) {
            // A mere look needs no name.
            if proof == nil {
                origin.host = socketAddress.address
            } else {
                proof?.socketAddress = socketAddress
            }
        }
        return try await base.certificate(of: origin, holding: proof, deadlines: deadlines)
    }

    /// The name that Avahi is asked for; nil for a host that is not of this kind.
    static func name(of origin: Origin) -> String? {
        let name = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
        return name.hasSuffix(".local") ? name : nil
    }

    private func located(_ request: HTTPRequest) async -> HTTPRequest {
        guard request.proof.socketAddress == nil else { return request }
        var request = request
        request.proof.socketAddress = await socketAddress(of: request.origin)
        return request
    }

    /// Looks the name up again for the next request, since the server may have moved.
    private func forget(_ request: HTTPRequest, _ located: HTTPRequest) {
        guard request.proof.socketAddress != located.proof.socketAddress,
            let name = Self.name(of: request.origin)
        else { return }
        known.addresses.withLock { $0[name] = nil }
    }

    /// Where a `.local` name leads; nil for other names, and for one that nobody answers for.
    package func socketAddress(of origin: Origin) async -> SocketAddress? {
        guard let name = Self.name(of: origin) else { return nil }
        if let known = known.addresses.withLock({ $0[name] }) {
            return SocketAddress(address: known, port: origin.port)
        }
        var address: String?
        // Without a daemon the system's resolver says what is wrong.
        try? await browser.browse(.host(name), for: Self.timeout) { found in
            address = found.address
            return false
        }
        guard let found = address else { return nil }
        known.addresses.withLock { $0[name] = found }
        return SocketAddress(address: found, port: origin.port)
    }
}
