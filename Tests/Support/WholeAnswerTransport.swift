package import ArgusTransport

/// A transport of tests with complete answers, whose bodies are passed on in one piece.
package protocol WholeAnswerTransport: Transport {
    /// Answers a request, whole.
    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Opens a WebSocket; without an own implementation there are none.
    func openWebSocket(_ request: HTTPRequest) async throws(TransportError) -> WebSocketConnection
}

extension WholeAnswerTransport {
    package func openWebSocket(
        _ request: HTTPRequest
    ) async throws(TransportError) -> WebSocketConnection {
        throw TransportError(.invalidRequest, "no WebSocket can be opened here", nothingSent: true)
    }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        if request.purpose == .webSocket {
            var answer = HTTPResponse(status: 101)
            answer.webSocket = try await openWebSocket(request)
            return answer
        }
        var answer = try await answer(request)
        guard let receive, 200..<300 ~= answer.status else { return answer }
        let body = answer.body
        answer.body = []
        guard body.isEmpty || body.withUnsafeBytes(receive) else {
            throw TransportError(.receiverStopped, "the receiver stopped")
        }
        return answer
    }
}
