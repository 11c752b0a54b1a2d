/// Sends requests; the only way by which argus reaches a network.
///
/// A caller may send many requests at once. A transport follows no redirect, keeps no cookie,
/// retries nothing that reached a server, and sends no byte before the request's proof holds.
package protocol Transport: Sendable {
    /// Sends one request and returns the whole answer, whatever its status.
    ///
    /// - Throws: `TransportError`; `.cancelled` when the calling task is cancelled.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Sends one request and hands the body of a 2xx answer to `receive` piece by piece.
    ///
    /// `receive` runs on the transport's own thread, in order, and must not wait for long; false
    /// from it ends the transfer with `.receiverStopped`. The body of any other status is
    /// collected into the returned answer.
    ///
    /// - Throws: `TransportError`; `.cancelled` when the calling task is cancelled.
    func send(
        _ request: HTTPRequest, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransportError) -> HTTPResponse

    /// Connects, looks at the server's certificate and sends no request (contract section 7.1).
    ///
    /// Without a proof any certificate is taken; it is shown, not trusted. A transport in front of
    /// another one hands this on.
    ///
    /// - Throws: `TransportError`; `.identityRefused` when the proof does not hold,
    ///   `.handshakeFailed` where a server answers that has no certificate, as for plain http.
    func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate
}

extension Transport {
    /// A transport that shows no certificate lets none be trusted.
    package func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate {
        throw TransportError(
            .handshakeFailed, "this transport shows no certificate", nothingSent: true)
    }
}

/// Why a request got no usable answer.
package struct TransportError: Error, Hashable, Sendable {
    /// The kinds of failure that callers tell apart.
    package enum Kind: Hashable, Sendable {
        /// None of the ways to the server can be used.
        case noEndpoint
        /// The host has no address.
        case unresolvedHost
        /// No connection: refused, no route, reset before the request was sent.
        case notConnected
        /// A deadline passed; the phase it belonged to.
        case timedOut(Phase)
        /// The server's certificate or key is not what the proof asks for; nothing was sent.
        case identityRefused
        /// The handshake failed for another reason than identity.
        case handshakeFailed
        /// The connection broke after the request was (partly) sent.
        case connectionLost
        /// The body ended before its announced length, or its encoding was broken.
        case truncatedBody
        /// The answer is no HTTP, or its headers are malformed.
        case malformedAnswer
        /// Headers or body passed the request's size limits.
        case tooLarge
        /// The proxy of the environment cannot be used.
        case proxyFailed
        /// A client certificate or authority file cannot be read.
        case unusableFile
        /// A redirect that may not be followed (contract section 7.5).
        case redirectRefused
        /// The request cannot be written as HTTP, such as a line break in a header field.
        case invalidRequest
        /// libcurl itself is missing or too old.
        case libraryMissing
        /// The calling task was cancelled.
        case cancelled
        /// The receiver of a streamed body returned false.
        case receiverStopped
    }

    /// The part of a request that a deadline bounds; the handshake of TLS is told from a connection
    /// that nobody takes.
    package enum Phase: Hashable, Sendable { case connect, handshake, firstByte, total, idle }

    package var kind: Kind
    /// What failed in lower-case words without a secret, such as `connection refused`.
    package var detail: String
    /// Whether no byte of the request left this machine, so that a POST may be sent again.
    package var nothingSent: Bool
    /// The other server that failed so, to which the one that was asked redirected.
    package var redirectedTo: Origin?

    package init(_ kind: Kind, _ detail: String, nothingSent: Bool = false) {
        self.kind = kind
        self.detail = detail
        self.nothingSent = nothingSent
    }
}
