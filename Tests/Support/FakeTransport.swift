import ArgusCore
package import ArgusTransport
import Synchronization
package import Testing

/// A transport that answers from a script and fails the test on anything else.
///
/// Each stub serves one request, in the order of the stubs that match it. `verify()` at the end of
/// a test fails it when a stub was not used; forgetting that call fails the test as well.
package final class FakeTransport: WholeAnswerTransport {
    package typealias Answer =
        @Sendable (HTTPRequest) async -> Result<HTTPResponse, TransportError>

    private struct Stub {
        var method: HTTPRequest.Method
        var target: String
        var answer: Answer
        var location: SourceLocation

        var name: String { "\(method.rawValue) \(target)" }
    }

    private struct State {
        var stubs: [Stub] = []
        var channels: [(target: String, channel: ScriptedChannel)] = []
        var requests: [HTTPRequest] = []
        var isVerified = true
        var unproved: [String: TransportError] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    deinit {
        let isVerified = state.withLock { $0.isVerified }
        if !isVerified {
            Issue.record("a FakeTransport with stubs ended without verify(): call it last")
        }
    }

    /// Every request so far, in the order in which they arrived.
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Answers the next request of that method and target by a function of it.
    ///
    /// The target is path and query as they are sent, such as `/api/v1/events?limit=20`.
    package func stub(
        _ method: HTTPRequest.Method, _ target: String,
        sourceLocation: SourceLocation = #_sourceLocation, with answer: @escaping Answer
    ) {
        state.withLock { state in
            state.isVerified = false
            state.stubs.append(
                Stub(method: method, target: target, answer: answer, location: sourceLocation))
        }
    }

    /// Answers the next request of that method and target with status, fields and body; by default
    /// the least that an ArgusAI server sends, or the nothing of a push service.
    package func stub(
        _ method: HTTPRequest.Method, _ target: String, status: Int = 200,
        headers: [(name: String, value: String)] = [("Content-Type", "application/json")],
        body: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isEmpty = status == 204 || method == .post && !target.hasPrefix("/api/")
        let least = isEmpty ? "" : status < 400 ? "{}" : #"{"detail":"stub"}"#
        let response = HTTPResponse(
            status: status, headers: HTTPHeaders(headers), body: Array((body ?? least).utf8))
        stub(method, target, sourceLocation: sourceLocation) { _ in .success(response) }
    }

    /// Fails the next request of that method and target.
    package func stub(
        _ method: HTTPRequest.Method, _ target: String, error: TransportError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        stub(method, target, sourceLocation: sourceLocation) { _ in .failure(error) }
    }

    /// Answers the next WebSocket of that target by a channel; a stub of a GET refuses one.
    package func stub(webSocket target: String, _ channel: ScriptedChannel) {
        state.withLock { state in
            state.isVerified = false
            state.channels.append((target, channel))
        }
    }

    package func openWebSocket(
        _ request: HTTPRequest
    ) async throws(TransportError) -> WebSocketConnection {
        let channel = state.withLock { state -> ScriptedChannel? in
            let index = state.channels.firstIndex { $0.target == request.target }
            guard let index else { return nil }
            state.requests.append(request)
            return state.channels.remove(at: index).channel
        }
        if let channel { return WebSocketConnection(channel) }
        var request = request
        request.purpose = .answer
        let status = try await answer(request).status
        throw TransportError(.upgradeRefused(status), "status \(status)")
    }

    /// Fails the test for each stub that no request used.
    package func verify() {
        let (left, channels) = state.withLock { state in
            state.isVerified = true
            return (state.stubs, state.channels)
        }
        for (target, _) in channels { Issue.record("no WebSocket was opened at \(target)") }
        for stub in left {
            Issue.record(
                "no request used the stub \(stub.name): remove it, or find out why it was not sent",
                sourceLocation: stub.location)
        }
    }

    /// Has a host fail to prove that it is the one that is meant.
    package func disprove(
        _ host: String,
        by error: TransportError = TransportError(
            .identityRefused, "another key", nothingSent: true)
    ) {
        state.withLock { $0.unproved[host] = error }
    }

    /// Answers from the script; every certificate proof holds unless `disprove` was called.
    package func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.purpose == .answer else {
            if let error = state.withLock({ $0.unproved[request.origin.host] }) { throw error }
            return HTTPResponse(status: 0, body: Array(Samples.certificate.utf8))
        }
        let (stub, left) = state.withLock { state in
            state.requests.append(request)
            let index = state.stubs.firstIndex {
                $0.method == request.method && $0.target == request.target
            }
            return (index.map { state.stubs.remove(at: $0) }, state.stubs.map(\.name))
        }
        guard let stub else {
            let name = "\(request.method.rawValue) \(request.target)"
            let known = left.isEmpty ? "none is left" : left.joined(separator: ", ")
            Issue.record("no stub for \(name): add one before the call; left are: \(known)")
            throw TransportError(.notConnected, "no stub for \(name)", nothingSent: true)
        }
        guard !Task.isCancelled else {
            throw TransportError(.cancelled, "cancelled", nothingSent: true)
        }
        request.hold?.begin(for: request.deadlines.longestAnswer)
        let result = await stub.answer(request)
        if (try? result.get().status).map((200..<300).contains) != true { request.hold?.end() }
        return try result.get()
    }
}
