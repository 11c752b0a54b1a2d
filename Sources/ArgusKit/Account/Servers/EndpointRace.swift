package import ArgusCore
package import ArgusTransport

/// Selects the endpoint that first proves the server's identity, among attempts that start at once.
///
/// A proved relay waits for the end of the head start, or until no local endpoint can succeed. The
/// network is searched once a local endpoint has failed, or the head start is over.
package struct EndpointRace: Sendable {
    /// The time that a relay waits for a local endpoint.
    package static let headStart: Duration = .milliseconds(300)
    /// The longest network search.
    package static let searchTime: Duration = .milliseconds(1500)

    private let transport: any Transport
    private let browser: any ServerBrowser
    private let locate: @Sendable (Origin) async -> SocketAddress?
    private let sleep: @Sendable (Duration) async throws -> Void

    private enum Step: Sendable {
        /// The target of an attempt, its resolved form, and the failure.
        case tried(EndpointTarget, at: EndpointTarget, TransportError?)
        case found(DiscoveredServer)
        case searched(DiscoveryError?)
        case headStartOver
    }

    /// Makes a race; the transport must retry nothing.
    ///
    /// `locate` resolves names without the system's resolver.
    package init(
        _ transport: any Transport, _ browser: any ServerBrowser,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        locating locate: @escaping @Sendable (Origin) async -> SocketAddress? = { _ in nil }
    ) {
        self.transport = transport
        self.browser = browser
        self.locate = locate
        self.sleep = sleep
    }

    /// Tries the endpoints of a plan, but for one that has just failed to connect, and the results of
    /// a network search for them.
    package func choose(_ plan: EndpointPlan, after failed: FailedEndpoint? = nil) async
        -> EndpointReport
    {
        let started = ContinuousClock.now
        let (events, continuation) = AsyncStream<Step>.makeStream()
        var result = await withTaskGroup(of: Void.self) { group in
            var state = Race(isSearching: plan.needsSearch)
            var link: LocalLink?
            func beginSearch() {
                guard plan.needsSearch, link == nil else { return }
                link = plan.link()
                group.addTask { continuation.yield(.searched(await search(continuation))) }
            }
            func attempt(_ target: EndpointTarget, within deadline: Duration) {
                guard state.begin(target) else { return }
                group.addTask {
                    var place = target
                    if target.isToBeLocated, let address = await locate(target.address.origin) {
                        place = target.at(address)
                    }
                    var error = await plan.refusal(of: place)
                    if error == nil { error = await refusal(of: place, within: deadline) }
                    continuation.yield(.tried(target, at: place, error))
                }
            }
            var report = EndpointReport()
            if let failed, failed.hasNoEndpoint {
                _ = state.begin(failed.target)
                state.end(failed.target, at: failed.target, failed.error)
                report.add(failed.target, failed.error, .zero)
                if failed.target.kind == .local { beginSearch() }
            }
            for target in plan.targets { attempt(target, within: Deadlines().connect) }
            let hasHadHeadStart = failed?.isSlow == true
            group.addTask {
                if !hasHadHeadStart { try? await sleep(Self.headStart) }
                continuation.yield(.headStartOver)
            }
            defer { group.cancelAll() }
            for await event in events {
                switch event {
                case .tried(let target, let place, let error):
                    state.end(target, at: place, error)
                    report.add(place, error, ContinuousClock.now - started)
                    if error != nil, target.kind == .local { beginSearch() }
                case .found(let server):
                    guard let link else { continue }
                    for target in plan.candidates(server, on: link) {
                        attempt(target, within: Self.searchTime)
                    }
                case .searched(let error):
                    state.isSearching = false
                    report.searchFailure = error
                case .headStartOver:
                    state.isHeadStartOver = true
                    beginSearch()
                }
                report.target = state.winner
                if report.target != nil || state.isHopeless { break }
            }
            return report
        }
        result.elapsed = ContinuousClock.now - started
        return result
    }

    private func search(
        _ continuation: AsyncStream<Step>.Continuation
    ) async -> DiscoveryError? {
        do throws(DiscoveryError) {
            try await browser.browse(.servers, for: Self.searchTime) { server in
                continuation.yield(.found(server))
                return true
            }
            return nil
        } catch {
            return error
        }
    }

    /// The reason why a target is unusable; nil if it has proved to be the server, or if it answers by
    /// plain http where that is allowed.
    private func refusal(
        of target: EndpointTarget, within deadline: Duration
    ) async -> TransportError? {
        var deadlines = Deadlines()
        deadlines.connect = deadline
        guard target.canProve else { return await plainRefusal(of: target, within: deadlines) }
        var proof = target.proof
        // An impostor at a pinned address must not learn the client's identity.
        if case .pin = proof.identity { proof.clientCertificate = nil }
        let origin = target.address.origin
        do throws(TransportError) {
            if origin.scheme == .https {
                _ = try await transport.certificate(
                    of: origin, holding: proof, deadlines: deadlines)
            } else {
                deadlines.firstByte = deadline
                _ = try await transport.send(
                    HTTPRequest(
                        .get, origin, target.address.target(["health"]), proof: proof,
                        deadlines: deadlines))
            }
            return nil
        } catch {
            guard target.advertisement != nil, error.kind == .handshakeFailed else { return error }
            // A peer answers, but without TLS.
            return TransportError(.identityRefused, error.detail, nothingSent: true)
        }
    }

    /// The reason why a found server that can prove nothing is not used; connects to it, but sends
    /// nothing.
    private func plainRefusal(
        of target: EndpointTarget, within deadlines: Deadlines
    ) async -> TransportError {
        var origin = target.address.origin
        let isAskedByHTTP = origin.scheme == .http
        origin.scheme = .http
        var proof = ServerProof(.plain, avoidsProxies: true)
        proof.socketAddress = target.proof.socketAddress
        do throws(TransportError) {
            _ = try await transport.certificate(of: origin, holding: proof, deadlines: deadlines)
        } catch {
            guard error.kind == .handshakeFailed else { return error }
        }
        let words =
            isAskedByHTTP
            ? "the server is known by plain http only, which proves nothing at another address"
            : "it speaks plain http, which proves nothing"
        return TransportError(.identityRefused, words, nothingSent: true)
    }
}

/// An endpoint that failed in use.
package struct FailedEndpoint: Sendable {
    var target: EndpointTarget
    var error: TransportError
    /// True if it had only the time of a trial to connect.
    var wasOnTrial = false

    /// True if it may connect with more time.
    fileprivate var isSlow: Bool {
        switch error.kind {
        case .timedOut(.connect), .timedOut(.handshake): wasOnTrial
        default: false
        }
    }

    /// True if there was no connection at all, so that a second attempt is useless.
    fileprivate var hasNoEndpoint: Bool {
        switch error.kind {
        case .connectionLost, .truncatedBody, .timedOut(.idle): false
        default: !isSlow
        }
    }
}

private struct Race {
    private static let maxTargets = 800

    var isSearching: Bool
    var isHeadStartOver = false
    private var begun: Set<EndpointTarget> = []
    private var pending: Set<EndpointTarget> = []
    private var local: EndpointTarget?
    private var relay: EndpointTarget?

    init(isSearching: Bool) { self.isSearching = isSearching }

    /// Records the start of an attempt; false if it is a repetition, or exceeds the limit that spares
    /// sockets in a network flooded with services.
    mutating func begin(_ target: EndpointTarget) -> Bool {
        guard begun.count < Self.maxTargets, begun.insert(target).inserted else { return false }
        pending.insert(target)
        return true
    }

    mutating func end(
        _ target: EndpointTarget, at place: EndpointTarget, _ error: TransportError?
    ) {
        pending.remove(target)
        guard error == nil else { return }
        if place.kind == .local { local = local ?? place } else { relay = relay ?? place }
    }

    /// The winner so far.
    var winner: EndpointTarget? {
        if let local { return local }
        return isHeadStartOver || !mayLocalCome ? relay : nil
    }

    /// True if no further result can come.
    var isHopeless: Bool { pending.isEmpty && !isSearching && winner == nil }

    private var mayLocalCome: Bool {
        isSearching || pending.contains { $0.kind == .local && $0.canProve }
    }
}
