import ArgusCore
import Glibc
import Synchronization

/// The transport of libcurl: one thread and one curl_multi handle, which pools connections.
///
/// The thread ends with `shutdown()` or with the last transport that uses it.
package final class CurlTransport: Transport {
    let proxies: ProxySettings
    let observation: TransferObservation?
    let thread: CurlThread
    /// The thread of requests that share one connection: libcurl 7.88 opens one for each of them when an
    /// HTTP/2 connection ends with GOAWAY.
    private let sharing = CurlThread(connectionsPerHost: 1)
    private let state = Mutex(State())

    private struct State {
        /// Servers that proved their pin on a connection without the client certificate.
        var provedPins: [ProvedPin] = []
        var webSockets: [TransferInbox] = []
        var isShutDown = false
    }

    private struct ProvedPin: Equatable {
        var origin: Origin
        var pin: String
        var socketAddress: SocketAddress?
    }

    /// Makes a transport on a thread, which may run already.
    package init(
        on thread: CurlThread = CurlThread(), proxies: ProxySettings = .none,
        observation: TransferObservation? = nil
    ) {
        self.thread = thread
        self.proxies = proxies
        self.observation = observation
    }

    /// Cancels every request, closes every connection and waits for the thread to end.
    ///
    /// Call it before `exit`, where libcurl's TLS library frees its state and must not be in use.
    package func shutdown() async {
        let webSockets = state.withLock { state in
            state.isShutDown = true
            return state.webSockets
        }
        let inboxes = webSockets + [thread.inbox, sharing.inbox]
        for inbox in inboxes { inbox.close() }
        for inbox in inboxes { await inbox.ended() }
    }

    /// Makes `shutdown()` end the thread of a WebSocket too.
    /// - Throws: `.cancelled` after a shutdown.
    func watch(_ webSocket: TransferInbox) throws(TransportError) {
        let isShutDown = state.withLock { state in
            state.webSockets.removeAll(where: \.hasEnded)
            if !state.isShutDown { state.webSockets.append(webSocket) }
            return state.isShutDown
        }
        if isShutDown { throw TransferInbox.refusal("the transport was shut down") }
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        try request.checkSyntax()
        if request.purpose == .webSocket { return try await openWebSocket(request) }
        if request.purpose == .answer { try await provePinFirst(request) }
        let inbox = (request.sharesConnection ? sharing : thread).inbox
        var submission = Submission(thread.inbox.makeID(), request, receive, over: self)
        var result = await inbox.perform(submission)
        // A server may close a pooled connection just as it is reused: without any part of an
        // answer, a request that may be repeated is sent again on a new connection.
        if case .failure(let failure) = result, failure.brokeReusedConnection,
            request.purpose == .answer, request.mayBeRepeated
        {
            submission.id = thread.inbox.makeID()
            submission.needsFreshConnection = !request.sharesConnection
            result = await inbox.perform(submission)
        }
        return try answer(result, to: request)
    }

    func answer(
        _ result: TransferResult, to request: HTTPRequest
    ) throws(TransportError) -> HTTPResponse {
        let isGood = (try? result.get()).map { 200..<300 ~= $0.status } ?? false
        if !isGood { request.hold?.end() }
        return try result.mapError(\.error).get()
    }

    /// Checks a pin without presenting the client certificate.
    ///
    /// In TLS 1.2 the certificate is sent before libcurl compares the pin, so an impostor would
    /// learn the client's identity.
    func provePinFirst(_ request: HTTPRequest) async throws(TransportError) {
        guard case .pin(let pin) = request.proof.identity, request.proof.clientCertificate != nil
        else { return }
        let proved = ProvedPin(
            origin: request.origin, pin: pin, socketAddress: request.proof.socketAddress)
        if state.withLock({ $0.provedPins.contains(proved) }) { return }
        var probe = request
        probe.proof.clientCertificate = nil
        probe.purpose = .proof
        _ = try await send(probe, receive: nil)
        state.withLock { $0.provedPins.append(proved) }
    }
}
