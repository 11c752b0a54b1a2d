/// Follows redirects by the rules of the contract (section 7.5): GET only, at most five hops, never
/// to plain http, and nothing of the user's goes to another origin.
package struct RedirectFollower: Transport {
    /// The most hops that one request may take.
    package static var limit: Int { 5 }

    private let base: any Transport

    package init(_ base: any Transport) {
        self.base = base
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        let asked = request.origin
        var request = request
        for _ in 0...Self.limit {
            let response: HTTPResponse
            do throws(TransportError) {
                response = try await base.send(request, receive: receive)
            } catch {
                guard request.origin != asked else { throw error }
                throw error.of(request.origin)
            }
            guard response.isRedirect else { return response }
            request = try request.redirected(by: response)
        }
        throw .refusedRedirect("more than \(Self.limit) redirects")
    }
}

extension HTTPResponse {
    /// Whether the answer sends the client elsewhere (RFC 9110, section 15.4).
    fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension HTTPRequest {
    /// The request that a redirect asks for.
    ///
    /// - Throws: `.redirectRefused`; its words hold nothing of the target, which may carry a token.
    func redirected(by response: HTTPResponse) throws(TransportError) -> HTTPRequest {
        guard method == .get else {
            throw .refusedRedirect("the server redirects a \(method.rawValue)")
        }
        guard let location = response.headers["Location"] else {
            throw .refusedRedirect("the server redirects to nowhere")
        }
        guard let next = RedirectTarget(location, from: origin, target) else {
            throw .refusedRedirect("the server redirects to a malformed address")
        }
        var request = self
        request.origin = next.origin
        request.target = next.target
        guard next.origin != origin else { return request }

        // Only what says how to answer; everything else may be a credential or the user's own.
        request.headers.removeAll { header in
            !Self.carriedFields.contains { header.name.equalsWithoutCase($0) }
        }
        request.headers = request.headers.map(\.withoutDevice)
        request.proof = try proof(forHopTo: next.origin)
        return request
    }

    private func proof(forHopTo next: Origin) throws(TransportError) -> ServerProof {
        if next.scheme == .https {
            return ServerProof(
                .publicCertificate(authorities: nil), avoidsProxies: proof.avoidsProxies)
        }
        // Plain http is allowed to this machine, but no other machine may send us there.
        guard origin.scheme == .http, origin.isLoopback, next.isLoopback else {
            throw .refusedRedirect("the server redirects to plain http")
        }
        return ServerProof(.plain, avoidsProxies: true)
    }

    private static var carriedFields: [String] {
        ["Accept", "Accept-Language", "User-Agent", "Range", "If-Range"]
    }
}

extension HTTPHeader {
    /// The field for a stranger: the name and version of the program, not the device it runs on.
    fileprivate var withoutDevice: HTTPHeader {
        guard name.equalsWithoutCase("User-Agent"), case .plain(let text) = value else {
            return self
        }
        return HTTPHeader(name, String(text.prefix { $0 != " " }))
    }
}

extension TransportError {
    /// The failure of a hop to another origin, after a request that has been sent.
    fileprivate func of(_ other: Origin) -> TransportError {
        var error = self
        error.redirectedTo = other
        error.nothingSent = false
        return error
    }

    fileprivate static func refusedRedirect(_ words: String) -> TransportError {
        TransportError(.redirectRefused, words)
    }
}
