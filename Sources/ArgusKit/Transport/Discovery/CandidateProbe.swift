package import ArgusCore

/// Requests the health of a found server, without credentials or fields that identify the client.
package struct CandidateProbe: Sendable {
    private let transport: any Transport
    private let deadlines: Deadlines

    /// The health paths of all server generations.
    private static let paths = ["/health", "/api/v1/health", "/"]

    /// Makes a probe; the transport must follow no redirects and use no proxy.
    package init(_ transport: any Transport) {
        self.transport = transport
        var deadlines = Deadlines()
        deadlines.connect = .seconds(1)
        deadlines.firstByte = .seconds(1)
        deadlines.total = .seconds(2)
        self.deadlines = deadlines
    }

    /// The result of a probe.
    package struct Result: Sendable {
        package var isReachable = false
        /// The certificate that the server presents; nil for plain http.
        package var certificate: PeerCertificate?
        /// The time from request to answer on an established connection.
        package var roundTrip: Duration?
        package var problem: String?

        package init(
            isReachable: Bool = false, certificate: PeerCertificate? = nil,
            roundTrip: Duration? = nil, problem: String? = nil
        ) {
            self.isReachable = isReachable
            self.certificate = certificate
            self.roundTrip = roundTrip
            self.problem = problem
        }
    }

    /// Connects to an address and requests its health.
    package func look(at origin: Origin) async -> Result {
        var result = Result()
        do throws(TransportError) {
            var proof = ServerProof(.plain, avoidsProxies: true)
            if origin.scheme == .https {
                let seen = try await transport.certificate(
                    of: origin, holding: nil, deadlines: deadlines)
                result.certificate = seen
                proof.identity = .pin(seen.pin)
            }
            for path in Self.paths {
                let started = ContinuousClock.now
                let answer = try await transport.send(
                    HTTPRequest(.get, origin, path, proof: proof, deadlines: deadlines))
                result.isReachable = true
                result.roundTrip = ContinuousClock.now - started
                if 200..<300 ~= answer.status { break }
            }
        } catch {
            if !result.isReachable { result.problem = error.detail }
        }
        return result
    }

    /// True if the server at an address proves its identity; sends nothing but the handshake.
    package func proves(
        _ proof: ServerProof, of origin: Origin, at socketAddress: SocketAddress
    ) async -> Bool {
        var proof = proof
        proof.socketAddress = socketAddress
        return
            (try? await transport.certificate(of: origin, holding: proof, deadlines: deadlines))
            != nil
    }
}
