package import ArgusCore
import Synchronization

/// Receives the body of an answer in pieces; returning false ends the transfer.
package typealias BodyReceiver = @Sendable (UnsafeRawBufferPointer) -> Bool

/// Sends requests, many at once if need be; nothing else in argus uses a network.
///
/// A transport follows no redirect, keeps no cookie, retries nothing that reached a server, and sends
/// no byte before the request's proof holds.
package protocol Transport: Sendable {
    /// Sends a request and returns the complete answer, whatever its status.
    ///
    /// `receive` gets the body of a 2xx answer in pieces and in order, on the transport's own thread;
    /// it must not block for long, and returning false ends the transfer with `.receiverStopped`.
    /// The answer to a request for a WebSocket (RFC 6455), a GET without a body, is its connection.
    /// - Throws: `TransportError`; `.cancelled` if the calling task is cancelled, `.upgradeRefused`
    ///   for an answer that refuses a WebSocket.
    func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse
}

extension Transport {
    /// Sends a request and returns the complete answer, whatever its status.
    /// - Throws: `TransportError`; `.cancelled` if the calling task is cancelled.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await send(request, receive: nil)
    }
}

/// Records the beginning of a streamed body, which cannot be requested again.
package final class BodyWatch: Sendable {
    private let state = Atomic(false)

    package init() {
    }

    /// True once a part of a body has come.
    package var hasBegun: Bool { state.load(ordering: .acquiring) }

    /// Wraps a receiver, and calls `onPiece` before each piece; nil for nil.
    package func watching(
        _ receive: BodyReceiver?, onPiece: @escaping @Sendable () -> Void = {}
    ) -> BodyReceiver? {
        guard let receive else { return nil }
        return { bytes in
            self.state.store(true, ordering: .releasing)
            onPiece()
            return receive(bytes)
        }
    }
}

/// The reason why a request got no usable answer.
package struct TransportError: Error, Hashable, Sendable {
    /// The kinds of failure.
    package enum Kind: Hashable, Sendable {
        case noEndpoint
        case unresolvedHost
        /// No connection: refused, no route, reset before the request was sent.
        case notConnected
        case timedOut(Phase)
        /// The server's certificate or key does not satisfy the proof; nothing was sent.
        case identityRefused
        /// Plain http is allowed on one network only, and it is not known yet whether this is it;
        /// nothing was sent.
        case unknownNetwork
        /// The handshake failed for a reason other than identity.
        case handshakeFailed
        /// The connection broke after the request was (partly) sent.
        case connectionLost
        /// The body ended before its announced length, or its encoding was broken.
        case truncatedBody
        /// The answer is not HTTP, or its headers are malformed.
        case malformedAnswer
        /// Headers or body exceeded the request's size limits.
        case tooLarge
        case proxyFailed
        /// A client certificate or authority file is unreadable.
        case unusableFile
        case redirectRefused
        /// The server's status for a request to become a WebSocket, other than 101.
        case upgradeRefused(Int)
        /// The request cannot be written as HTTP, such as a line break in a header field.
        case invalidRequest
        /// The system refuses a thread, a descriptor or memory.
        case noResources
        /// libcurl itself is missing or too old.
        case libraryMissing
        case cancelled
        /// The receiver of a streamed body returned false.
        case receiverStopped
    }

    /// The part of a request that a deadline bounds.
    package enum Phase: Hashable, Sendable { case connect, handshake, firstByte, total, idle }

    package var kind: Kind
    /// The failure in lower case without a secret, such as `connection refused`.
    package var detail: String
    /// True if no byte of the request left this machine, so that a POST may be repeated.
    package var nothingSent: Bool
    /// True if the certificate was refused by its dates alone: this machine's clock may be wrong.
    package var isByDates = false
    /// The server that failed, if the requested one redirected to it.
    package var redirectedTo: Origin?

    package init(_ kind: Kind, _ detail: String, nothingSent: Bool = false) {
        self.kind = kind
        self.detail = detail
        self.nothingSent = nothingSent
    }
}
