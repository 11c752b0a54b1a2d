import ArgusCore

extension CurlTransport {
    /// Opens a WebSocket on its own connection and thread.
    ///
    /// libcurl closes connections that no transfer uses when it makes another one of the same multi
    /// handle, and takes those of a WebSocket for unused: so each has a multi handle to itself.
    func openWebSocket(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await provePinFirst(request)
        let own = CurlThread()
        try watch(own.inbox)
        var connecting = request
        connecting.deadlines.total = nil
        let submission = Submission(thread.inbox.makeID(), connecting, nil, over: self)
        let (id, started) = (submission.id, submission.started)
        _ = try answer(await own.inbox.perform(submission), to: connecting)
        let channel = CurlChannel(own)
        var handshake = WebSocketHandshake(nonce: (0..<16).map { _ in .random(in: 0 ... .max) })
        do throws(TransportError) {
            let received = try await Self.shake(&handshake, for: request, on: channel)
            report(id, handshake.head, started: started)
            var answer = HTTPResponse(
                status: handshake.head.status, headers: handshake.head.headers)
            answer.webSocket = WebSocketConnection(channel, received: received)
            return answer
        } catch {
            if case .upgradeRefused = error.kind {
                report(id, handshake.head, started: started)
            } else {
                var timings = TransferEvent.Timings()
                timings.total = .now - started
                observation?.observer(.failed(id, error, timings))
            }
            throw error
        }
    }

    /// Sends the handshake and waits for the whole head of its answer; returns the bytes after it.
    private static func shake(
        _ handshake: inout WebSocketHandshake, for request: HTTPRequest, on channel: CurlChannel
    ) async throws(TransportError) -> [UInt8] {
        let deadline = ContinuousClock.now + request.deadlines.firstByte
        do throws(TransportError) {
            try await channel.write(handshake.request(request), until: deadline)
            while true {
                let bytes = try await channel.read(until: deadline)
                guard !bytes.isEmpty else {
                    throw TransportError(
                        .connectionLost, "the server closed the connection without an answer")
                }
                if let rest = try handshake.take(bytes, limit: request.limits.headers) {
                    return rest
                }
            }
        } catch  where error.kind == .timedOut(.idle) {
            throw TransportError(
                .timedOut(.firstByte), "no answer within \(request.deadlines.firstByte.words)")
        }
    }

    private func report(_ id: TransferID, _ head: ResponseHead, started: ContinuousClock.Instant) {
        var timings = TransferEvent.Timings()
        timings.total = .now - started
        observation?.observer(.answered(id, .init(head)))
        observation?.observer(
            .finished(
                id,
                .init(
                    status: head.status, receivedBytes: Int64(head.byteCount), bodyBytes: 0,
                    timings: timings)))
    }
}
