package import ArgusCore
package import ArgusTransport

/// The network, clock and randomness of providers; tests replace them.
package struct PushEnvironment: Sendable {
    /// One transport for all sends of a process, so that they share connections.
    package var transport: any Transport
    package var now: @Sendable () -> Timestamp
    /// Waits; throws if the task is cancelled meanwhile.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1.
    package var random: @Sendable () -> Double = { .random(in: 0...1) }
    package var userAgent: String
    /// The file of certificate authorities for receivers of Web Push and for simulators; nil for those
    /// of the system.
    package var caFile: String?
    /// The wait for the first byte; nil keeps that of every request.
    package var timeout: Duration?
    /// Further tries of a push, if the service or the connection fails for a moment.
    package var retries = 3
    /// The public names of receivers that may lead to addresses of the local network.
    package var localHosts: Set<String> = []
    /// Receives the wait before each further try, as a sentence.
    package var debug: @Sendable (String) -> Void = { _ in }

    package init(
        _ transport: any Transport, userAgent: String, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.transport = transport
        self.userAgent = userAgent
        self.now = now
        self.sleep = sleep
    }

    /// The request of a push, with its credentials.
    ///
    /// A push service keeps connections open, so that pushes share one; a break in the middle may send
    /// a push twice, and that of an event replaces itself on the device.
    func request(
        _ push: PreparedPush, contentType: String, authorization: Redacted<String>
    ) -> HTTPRequest {
        let known = push.headers.filter { !$0.name.equalsWithoutCase("Authorization") }
        let fields =
            [HTTPHeader("User-Agent", userAgent)] + known
            + [HTTPHeader("Authorization", secret: authorization)]
        var request = HTTPRequest(
            .post, push.origin, push.target.reveal(), headers: fields,
            body: HTTPRequest.Body(bytes: push.body.reveal(), contentType: contentType),
            proof: proof(of: push.origin, mayUseAuthorities: push.service == .webPush),
            limits: SizeLimits(body: 64 << 10))
        request.deadlines.pooled = .seconds(3600)
        request.deadlines.wait(forFirstByte: timeout)
        request.mayBeRepeated = true
        // Apple takes many connections for abuse; endpoints of Web Push may speak HTTP/1.1.
        request.sharesConnection = push.service != .webPush
        request.refusesLocalAddresses =
            !push.origin.isLocalAddress && !localHosts.contains(push.origin.host)
        return request
    }

    /// Sends a request once.
    func outcome(of request: HTTPRequest) async -> DeliveryTries.Outcome {
        await Result(awaiting: try await transport.send(request))
    }

    /// The proof that a push service must give: a public certificate, except for plain http, which
    /// the endpoint's own address allows.
    func proof(of origin: Origin, mayUseAuthorities: Bool) -> ServerProof {
        guard origin.scheme == .https else { return ServerProof(.plain, avoidsProxies: true) }
        let isOwn = mayUseAuthorities || origin.isLoopback
        return ServerProof(.publicCertificate(authorities: isOwn ? caFile : nil))
    }
}
