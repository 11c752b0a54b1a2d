package import ArgusKit

/// A transport of tests with complete answers, whose bodies are passed on in one piece.
package protocol WholeAnswerTransport: Transport {
    /// Answers a request, whole.
    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

extension WholeAnswerTransport {
    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
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
