/// A look at a server that was found: nothing is sent but a request for its health, without
/// credentials and without a field that tells who asks (contract section 7.6).
package struct CandidateProbe: Sendable {
    private let transport: any Transport
    private let deadlines: Deadlines

    /// Where the health of every generation of servers is asked for.
    private static let paths = ["/health", "/api/v1/health", "/"]

    /// Makes a probe; the transport must follow no redirect and know no proxy.
    package init(_ transport: any Transport) {
        self.transport = transport
        var deadlines = Deadlines()
        deadlines.connect = .seconds(1)
        deadlines.firstByte = .seconds(1)
        deadlines.total = .seconds(2)
        self.deadlines = deadlines
    }

    /// What a look told.
    package struct Result: Sendable {
        package var isReachable = false
        /// The certificate that is shown; nil for plain http.
        package var certificate: PeerCertificate?
        /// From the request to the answer, on a connection that stands.
        package var roundTrip: Duration?
        /// Why it is not reachable.
        package var problem: String?

        package init() {}
    }

    /// Connects to an address and asks for its health.
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

    /// Whether an address proves to be a certain server; nothing is sent but the handshake.
    package func proves(_ proof: ServerProof, of origin: Origin, at socketAddress: SocketAddress)
        async
        -> Bool
    {
        var proof = proof
        proof.socketAddress = socketAddress
        let seen = try? await transport.certificate(
            of: origin, holding: proof, deadlines: deadlines)
        return seen != nil
    }
}
