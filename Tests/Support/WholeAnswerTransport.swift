package import ArgusKit

/// A transport of tests that has each answer whole, and hands its body on in one piece.
package protocol WholeAnswerTransport: Transport {}

extension WholeAnswerTransport {
    package func send(
        _ request: HTTPRequest, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransportError) -> HTTPResponse {
        var answer = try await send(request)
        guard 200..<300 ~= answer.status else { return answer }
        let body = answer.body
        answer.body = []
        guard body.isEmpty || body.withUnsafeBytes(receive) else {
            throw TransportError(.receiverStopped, "the receiver stopped")
        }
        return answer
    }
}
