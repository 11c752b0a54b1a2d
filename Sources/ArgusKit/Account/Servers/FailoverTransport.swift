package import ArgusCore
package import ArgusTransport
import Synchronization

/// A transport that sends a server's requests to the endpoint that works.
///
/// After a failure of the endpoint another one is selected once, and requests that are safe to repeat
/// are repeated.
package final class FailoverTransport: Transport {
    private let base: any Transport
    private let primary: ServerAddress
    private let selector: EndpointSelector
    private let relayHeaders: @Sendable (Origin) async throws(TransportError) -> [HTTPHeader]
    /// The endpoint in use, for messages; nil before the first request.
    private let used = Mutex<EndpointTarget?>(nil)
    private let answered = Mutex(false)

    /// Makes a transport for a server whose requests are addressed to `primary`.
    ///
    /// - Parameters:
    ///   - base: Sends requests to an endpoint; it may follow redirects and must not retry.
    ///   - primary: The address of the requests.
    ///   - selector: Selects the endpoint.
    ///   - relayHeaders: The fields that only the relay with this origin may see.
    package init(
        _ base: any Transport, for primary: ServerAddress, selecting selector: EndpointSelector,
        relayHeaders: @escaping @Sendable (Origin) async throws(TransportError) -> [HTTPHeader]
    ) {
        self.base = base
        self.primary = primary
        self.selector = selector
        self.relayHeaders = relayHeaders
        used.withLock { $0 = selector.settled }
    }

    /// The endpoint in use; nil before the first request.
    package var current: EndpointTarget? { used.withLock { $0 } }

    /// True once the server has answered a request.
    package var hasAnswered: Bool { answered.withLock { $0 } }

    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        guard [.answer, .webSocket].contains(request.purpose) else {
            return try await prove(request)
        }
        let body = BodyWatch()
        let watched = body.watching(receive)
        var target = try await selector.target()
        var isSecond = false
        while true {
            used.withLock { $0 = target }
            let trialTime = await selector.connectTime
            do throws(TransportError) {
                if let refusal = await selector.plan.refusal(of: target) { throw refusal }
                var carried = request
                (carried.origin, carried.proof) = (target.address.origin, target.proof)
                if let trialTime { carried.deadlines.connect = trialTime }
                if request.target.hasPrefix(primary.basePath) {
                    let path = request.target.dropFirst(primary.basePath.count)
                    carried.target = target.address.basePath + path
                }
                if target.kind == .relay {
                    carried.headers += try await relayHeaders(target.address.origin)
                }
                let answer = try await base.send(carried, receive: watched)
                await selector.confirm(target)
                answered.withLock { $0 = true }
                return answer
            } catch {
                guard !isSecond, error.showsEndpoint else { throw error }
                let failed = FailedEndpoint(
                    target: target, error: error, wasOnTrial: trialTime != nil)
                guard !body.hasBegun, error.nothingSent || request.method.isIdempotent else {
                    await selector.doubt(failed, hasAnswered: body.hasBegun)
                    throw error
                }
                guard let other = try await selector.target(insteadOf: failed) else { throw error }
                (target, isSecond) = (other, true)
            }
        }
    }

    /// Requests the proof of this server at the endpoint in use, or at another one if that cannot be
    /// reached; of another server at its own address.
    private func prove(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.purpose == .proof, request.origin == primary.origin,
            request.proof.identity == selector.plan.targets.first?.proof.identity
        else { return try await base.send(request) }
        var target = try await selector.target()
        var isSecond = false
        while true {
            used.withLock { $0 = target }
            let trialTime = await selector.connectTime
            var carried = request
            (carried.origin, carried.proof) = (target.address.origin, target.proof)
            if let trialTime { carried.deadlines.connect = trialTime }
            do throws(TransportError) {
                return try await base.send(carried)
            } catch {
                // A server that proves to be another one is the answer that was asked for.
                guard !isSecond, error.showsEndpoint, error.kind != .identityRefused else {
                    throw error
                }
                let failed = FailedEndpoint(
                    target: target, error: error, wasOnTrial: trialTime != nil)
                guard let other = try await selector.target(insteadOf: failed) else { throw error }
                (target, isSecond) = (other, true)
            }
        }
    }
}

extension TransportError {
    /// True if the endpoint may be at fault, not the request nor another server.
    fileprivate var showsEndpoint: Bool {
        guard redirectedTo == nil else { return false }
        return switch kind {
        case .unresolvedHost, .notConnected, .timedOut(.connect), .timedOut(.handshake),
            .timedOut(.idle), .handshakeFailed, .connectionLost, .identityRefused, .truncatedBody,
            .unknownNetwork:
            true
        default: false
        }
    }
}
