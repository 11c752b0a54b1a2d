import Synchronization

/// Receives the body of an answer piece by piece; false ends the transfer.
package typealias BodyReceiver = @Sendable (UnsafeRawBufferPointer) -> Bool

/// Sends requests; nothing else in argus reaches a network.
///
/// A caller may send many requests at once. A transport follows no redirect, keeps no cookie,
/// retries nothing that reached a server, and sends no byte before the request's proof holds.
package protocol Transport: Sendable {
    /// Sends one request and returns the whole answer, whatever its status.
    ///
    /// With `receive`, the body of a 2xx answer is handed on instead, piece by piece and in order, on
    /// the transport's own thread; `receive` must not wait for long, and false from it ends the
    /// transfer with `.receiverStopped`. The body of any other status is in the returned answer.
    ///
    /// - Throws: `TransportError`; `.cancelled` when the calling task is cancelled.
    func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse
}

extension Transport {
    /// Sends one request and returns the whole answer, whatever its status.
    ///
    /// - Throws: `TransportError`; `.cancelled` when the calling task is cancelled.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await send(request, receive: nil)
    }
}

/// Remembers whether any of a body was handed on: what was cannot be asked for again.
final class BodyWatch: Sendable {
    private let state = Atomic(false)

    var hasBegun: Bool { state.load(ordering: .acquiring) }

    /// The receiver to use instead of another one; nil for nil.
    func watching(_ receive: BodyReceiver?) -> BodyReceiver? {
        guard let receive else { return nil }
        return { bytes in
            self.state.store(true, ordering: .releasing)
            return receive(bytes)
        }
    }
}

/// Why a request got no usable answer.
package struct TransportError: Error, Hashable, Sendable {
    /// The kinds of failure that callers tell apart.
    package enum Kind: Hashable, Sendable {
        /// No endpoint of the server can be used.
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

    /// The part of a request that a deadline bounds; a TLS handshake that does not end is not the same
    /// as a connection that no one accepts.
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
