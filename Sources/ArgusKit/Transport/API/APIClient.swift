package import ArgusCore

/// The credential of a request.
package enum Authorization: Sendable {
    case none
    /// A JWT, sent as `Authorization: Bearer`.
    case bearer(Redacted<String>)
    /// An API key, sent as `X-API-Key`.
    case apiKey(Redacted<String>)
    /// A JWT, sent as the only `Cookie`, for servers that refuse it as Bearer.
    case cookie(name: String, Redacted<String>)

    var header: HTTPHeader? {
        switch self {
        case .none: nil
        // Servers expect the capital letter.
        case .bearer(let token):
            HTTPHeader("Authorization", secret: Redacted("Bearer " + token.reveal()))
        case .apiKey(let key): HTTPHeader("X-API-Key", secret: key)
        case .cookie(let name, let token):
            HTTPHeader("Cookie", secret: Redacted("\(name)=" + token.reveal()))
        }
    }
}

/// Calls the operations of one server by the routes that it has.
package struct APIClient: Sendable {
    package var transport: any Transport
    package var address: ServerAddress
    package var proof: ServerProof
    package var authorization: Authorization
    package var knowledge: RouteKnowledge
    /// `--timeout`: the longest wait for the first byte; nil for the default.
    package var firstByteTimeout: Duration?
    package var userAgent: String
    /// The device fields, which no redirect carries elsewhere.
    package var deviceHeaders: [HTTPHeader] = []
    /// The hardware id of the pairing whose tokens it sends; nil for any other credential.
    ///
    /// Servers note with it when the device was last seen.
    package var pairingID: String?
    /// The server's clock, which all copies of the client share.
    package let clock = ServerClock()

    package init(
        transport: any Transport, address: ServerAddress, proof: ServerProof,
        authorization: Authorization = .none, knowledge: RouteKnowledge = RouteKnowledge(),
        firstByteTimeout: Duration? = nil, userAgent: String
    ) {
        self.transport = transport
        self.address = address
        self.proof = proof
        self.authorization = authorization
        self.knowledge = knowledge
        self.firstByteTimeout = firstByteTimeout
        self.userAgent = userAgent
    }

    /// Calls an operation, trying the remembered route first and then the others in turn.
    ///
    /// The next route is tried only if the answer shows that this one is absent
    /// (docs/compatibility.md, trap 1). `receive` gets the body of a 2xx answer in pieces. `hold`
    /// begins with the request.
    /// - Throws: `APIError`; `.unsupported` if the server has none of the routes.
    package func call<Input, Output>(
        _ operation: Operation<Input, Output>, _ input: Input, receive: BodyReceiver? = nil,
        holding hold: SignalHold? = nil
    ) async throws(APIError) -> Output {
        for route in candidates(of: operation) {
            let request = route.request(input)
            var sent = httpRequest(request)
            sent.hold = hold
            // No total limit: the limit on time without a byte applies.
            if receive != nil { sent.deadlines.total = nil }
            let answer = try await rethrowing(
                awaiting: try await transport.send(sent, receive: receive),
                as: APIError.init(transport:))
            guard let failure = request.failure(of: answer) else {
                let output = try route.decode(answer)
                clock.note(answer)
                knowledge.learn(operation.name, route.generation)
                return output
            }
            let isAnonymous = request.isPublic || authorization.header == nil
            guard Self.isRouteAbsent(answer, to: request.method, isAnonymous: isAnonymous) else {
                throw failure
            }
            knowledge.forget(operation.name)
        }
        throw APIError(.unsupported(operation.feature))
    }

    /// The path of an operation's request by the route that the server is known to have; nil if none is
    /// known.
    package func path<Input, Output>(
        of operation: Operation<Input, Output>, _ input: Input
    ) -> String? {
        let known = knowledge.generation(of: operation.name)
        let route = operation.routes.first { $0.generation == known }
        return route.map { address.target($0.request(input).path) }
    }

    /// The routes in the order to try: the remembered one first.
    private func candidates<Input, Output>(
        of operation: Operation<Input, Output>
    ) -> [Route<Input, Output>] {
        let known = knowledge.generation(of: operation.name)
        return operation.routes.filter { $0.generation == known }
            + operation.routes.filter { $0.generation != known }
    }

    /// Adds server, credentials and deadlines to a route's request.
    package func httpRequest(_ request: RouteRequest) -> HTTPRequest {
        var headers = [
            HTTPHeader("Accept", request.accept), HTTPHeader("User-Agent", userAgent),
        ]
        if !request.isSecondary { headers += ownDeviceHeaders }
        if !request.isPublic, let header = authorization.header { headers.append(header) }
        headers += request.headers
        if let range = request.range {
            headers.append(HTTPHeader("Range", "bytes=\(range.lowerBound)-\(range.upperBound)"))
        }
        var deadlines = Deadlines()
        if request.isSlow {
            deadlines.firstByte = .seconds(60)
            deadlines.total = .seconds(120)
        }
        deadlines.wait(forFirstByte: firstByteTimeout)
        let query = request.query.compactMap { name, value in value.map { (name, $0) } }
        var sent = HTTPRequest(
            request.method, address.origin, address.target(request.path, query: query),
            headers: headers,
            body: request.body.map { .init(bytes: $0, contentType: "application/json") },
            proof: proof, deadlines: deadlines, limits: request.limits)
        sent.followsRedirects = true
        sent.isForeign = { request.failure(of: $0)?.isForeign == true }
        return sent
    }

    /// The device fields: those of the pairing with its tokens, else those of the machine.
    private var ownDeviceHeaders: [HTTPHeader] {
        guard let pairingID else { return deviceHeaders }
        if case .apiKey = authorization { return deviceHeaders }
        return deviceHeaders.map {
            $0.name == DeviceIdentity.idHeader ? HTTPHeader($0.name, pairingID) : $0
        }
    }

    /// Opens the server's stream of announcements, which takes no credentials and announces only a
    /// part of what happens.
    /// - Throws: `TransportError`; `.upgradeRefused` for a server without a stream.
    package func stream() async throws(TransportError) -> WebSocket {
        let request = RouteRequest(.get, "/ws").with { request in
            request.accept = "*/*"
            request.isPublic = true
        }
        var opening = httpRequest(request)
        opening.purpose = .webSocket
        guard let connection = try await transport.send(opening).webSocket else {
            throw TransportError(
                .invalidRequest, "no WebSocket can be opened here", nothingSent: true)
        }
        return WebSocket(connection)
    }

    /// Reads the server's certificate by a connection that sends no request.
    /// - Throws: `TransportError`; `.identityRefused` if the proof does not hold.
    package func certificate(
        holding proof: ServerProof?
    ) async throws(TransportError) -> PeerCertificate {
        try await transport.certificate(
            of: address.origin, holding: proof, deadlines: Deadlines())
    }

    /// True if the route is absent, not the requested object (docs/compatibility.md, trap 1).
    package static func isRouteAbsent(
        _ answer: HTTPResponse, to method: HTTPRequest.Method, isAnonymous: Bool
    ) -> Bool {
        let body = ErrorBody(answer, to: method)
        return switch answer.status {
        case 405: body.isOwn
        case 404: body.isOwn && body.text == "Not Found"
        // Without credentials, and for a public route, only this text shows an absent route.
        case 401: isAnonymous && body.isOwn && body.text == "Not authenticated"
        default: false
        }
    }
}

extension DeviceIdentity {
    fileprivate static let idHeader = "X-Device-Id"

    /// The identifying header fields, for servers that have proved their identity.
    package func headers(appVersion: String) -> [HTTPHeader] {
        [
            HTTPHeader(Self.idHeader, id), HTTPHeader("X-Device-Platform", "linux"),
            HTTPHeader("X-Device-Model", model), HTTPHeader("X-App-Version", appVersion),
        ]
    }
}
