import ArgusCore

/// A transport that sends a request hop by hop: to the address that Avahi knows for a `.local`
/// name, and on to where redirects lead, if the request follows them.
///
/// The server must still prove the name.
package struct HopTransport: Transport {
    private static var mostRedirects: Int { 5 }

    private let base: any Transport
    private let names: LocalNames

    package init(_ base: any Transport, _ names: LocalNames) {
        self.base = base
        self.names = names
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        let asked = request.origin
        var request = request
        for _ in 0...Self.mostRedirects {
            var located = request
            if request.proof.socketAddress == nil,
                let found = await names.socketAddress(of: request.origin)
            {
                if request.purpose == .certificate {
                    // Fetching a certificate without a proof needs no name.
                    located.origin.host = found.address
                } else {
                    located.proof.socketAddress = found
                }
            }
            let response: HTTPResponse
            do throws(TransportError) {
                response = try await base.send(located, receive: receive)
            } catch {
                // The server may have moved: the next request looks its name up again.
                if located.proof != request.proof { names.forget(request.origin) }
                throw request.origin == asked ? error : error.of(request.origin)
            }
            guard request.followsRedirects, response.isRedirect else { return response }
            request = try request.redirected(by: response)
        }
        throw .refusedRedirect("more than \(Self.mostRedirects) redirects")
    }
}
