package import ArgusCore
package import ArgusTransport
import Synchronization

/// A transport that sends a server's requests to the endpoint that works on this network.
///
/// After a failure of the endpoint another one is selected once, and requests that are safe to repeat
/// are repeated.
package final class FailoverTransport: Transport {
    private let base: any Transport
    private let primary: ServerAddress
    private let decider: EndpointSelector
    private let relayHeaders: @Sendable (Origin) async throws(TransportError) -> [HTTPHeader]
    private let state: FailoverState
    /// The endpoint in use, for messages; nil before the first request.
    private let used = Mutex<EndpointTarget?>(nil)
    private let answered = Mutex(false)

    /// Makes a transport for a server whose requests are addressed to `primary`.
    ///
    /// - Parameters:
    ///   - base: Sends requests to an endpoint; it may follow redirects and must not retry.
    ///   - primary: The address of the requests.
    ///   - decider: Selects the endpoint.
    ///   - relayHeaders: The fields that only the relay with this origin may see.
    package init(
        _ base: any Transport, for primary: ServerAddress, deciding decider: EndpointSelector,
        relayHeaders: @escaping @Sendable (Origin) async throws(TransportError) -> [HTTPHeader]
    ) {
        self.base = base
        self.primary = primary
        self.decider = decider
        self.relayHeaders = relayHeaders
        state = FailoverState(decider)
        used.withLock { $0 = decider.settled }
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
        var target = try await state.target()
        var isSecond = false
        while true {
            used.withLock { $0 = target }
            do throws(TransportError) {
                if let refusal = await decider.plan.refusal(of: target) { throw refusal }
                var carried = request
                (carried.origin, carried.proof) = (target.address.origin, target.proof)
                if request.target.hasPrefix(primary.basePath) {
                    let path = request.target.dropFirst(primary.basePath.count)
                    carried.target = target.address.basePath + path
                }
                if target.kind == .relay {
                    carried.headers += try await relayHeaders(target.address.origin)
                }
                let answer = try await base.send(carried, receive: watched)
                await state.confirm(target)
                answered.withLock { $0 = true }
                return answer
            } catch {
                guard !isSecond, error.showsEndpoint else { throw error }
                let failed = FailedEndpoint(target: target, error: error)
                guard !body.hasBegun, error.nothingSent || request.method.isIdempotent else {
                    await state.doubt(failed, hasAnswered: body.hasBegun)
                    throw error
                }
                guard let other = try await state.target(insteadOf: failed) else { throw error }
                (target, isSecond) = (other, true)
            }
        }
    }

    /// Requests the proof of this server at the endpoint in use, of another one at its own address.
    private func prove(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        if request.purpose == .proof, request.origin == primary.origin,
            request.proof.identity == decider.plan.targets.first?.proof.identity
        {
            let target = try await state.target()
            used.withLock { $0 = target }
            (request.origin, request.proof) = (target.address.origin, target.proof)
        }
        return try await base.send(request)
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

/// The selection that all requests of a run share.
private actor FailoverState {
    private let decider: EndpointSelector
    private var current: EndpointTarget?
    /// The result of the last race if it found nothing; nil once a request was answered.
    private var end: NoEndpoint?
    private var isDeciding = false
    /// True if another endpoint was selected and has not answered yet; it is not replaced then.
    private var hasChosenAgain = false
    /// The endpoint that broke during a transfer, which later requests must not rely on.
    private var doubted: FailedEndpoint?
    private var isConfirmed = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ decider: EndpointSelector) {
        self.decider = decider
        current = decider.settled
    }

    func target() async throws(TransportError) -> EndpointTarget {
        while isDeciding { await withCheckedContinuation { waiters.append($0) } }
        if let doubted, !hasChosenAgain {
            hasChosenAgain = true
            return try await decide(insteadOf: doubted).mapError(\.error).get()
        }
        if let current { return current }
        if let end { throw end.error }
        return try await decide(insteadOf: nil).mapError(\.error).get()
    }

    /// Makes the next request select again, since this endpoint broke.
    func doubt(_ failed: FailedEndpoint, hasAnswered: Bool) {
        guard decider.isChoice, current?.isSameConnection(as: failed.target) == true else { return }
        if hasAnswered { hasChosenAgain = false }
        doubted = failed
    }

    /// The endpoint to use after a failure; nil if there is no other.
    ///
    /// - Throws: The results of all attempts, if the server has several endpoints.
    func target(insteadOf failed: FailedEndpoint) async throws(TransportError) -> EndpointTarget? {
        while isDeciding { await withCheckedContinuation { waiters.append($0) } }
        if let current, !current.isSameConnection(as: failed.target) { return current }
        if !hasChosenAgain {
            hasChosenAgain = true
            if case .success(let target) = await decide(insteadOf: failed) { return target }
        }
        // An impostor may answer now, although nothing answered during the race.
        if failed.error.kind == .identityRefused, end?.metUnprovedServer == false {
            end = NoEndpoint(error: failed.error, metUnprovedServer: true)
        }
        // A later request, such as the one after a renewal, reports the same.
        guard let end else { return nil }
        let isNews = end.metUnprovedServer && failed.error.kind != .identityRefused
        if decider.isChoice || isNews { throw end.error }
        return nil
    }

    func confirm(_ target: EndpointTarget) {
        guard current?.isSameConnection(as: target) == true else { return }
        (hasChosenAgain, end) = (false, nil)
        if doubted?.target.isSameConnection(as: target) == true { doubted = nil }
        guard !isConfirmed else { return }
        isConfirmed = true
        decider.confirm(target)
    }

    private func decide(
        insteadOf failed: FailedEndpoint?
    ) async -> Result<EndpointTarget, NoEndpoint> {
        isDeciding = true
        doubted = nil
        let result = await decider.decide(insteadOf: failed)
        switch result {
        case .success(let target): (current, end) = (target, nil)
        case .failure(let end): self.end = end
        }
        isDeciding = false
        for waiter in waiters { waiter.resume() }
        waiters = []
        return result
    }
}
