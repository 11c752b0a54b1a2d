package import ArgusCore
package import ArgusTransport

/// A server together with the credentials for its requests.
package struct Session: Sendable {
    package private(set) var client: APIClient
    /// Renews the token; nil for a key or a token that the user provided.
    package let renewal: TokenRenewal?
    /// True if the API key in use stands in for a session that the server has ended.
    package var isStandIn = false

    package init(
        client: APIClient, authorization: Authorization, renewal: TokenRenewal? = nil
    ) {
        self.client = client
        self.client.authorization = authorization
        self.renewal = renewal
    }

    /// This session with another transport; renewals keep theirs.
    package func over(_ wrap: (any Transport) -> any Transport) -> Session {
        var session = self
        session.client.transport = wrap(client.transport)
        return session
    }

    /// Calls an operation as the signed-in user, and retries with a renewed token after a 401.
    ///
    /// The body of a successful answer is passed to `receive` piece by piece. A `hold` postpones
    /// signals until the answer is stored.
    ///
    /// - Throws: `APIError`; `.forbidden` for a 401 to a key that is valid elsewhere; the failure
    ///   of the renewal, if a renewal might have avoided the 401.
    package func call<Input, Output>(
        _ operation: Operation<Input, Output>, _ input: Input, receive: BodyReceiver? = nil,
        holding hold: SignalHold? = nil
    ) async throws(APIError) -> Output {
        var client = client
        let used = await renewal?.current()
        if let used { client.authorization = used.authorization }
        // An expired token whose renewal crashes the server is not sent first.
        if let used, used.isRenewalBroken, let key = await renewal?.standIn() {
            client.authorization = .apiKey(key)
        }
        do throws(APIError) {
            return try await client.call(operation, input, receive: receive, holding: hold)
        } catch  where error.kind == .unauthorized {
            guard let renewal, let used else { throw await explained(error) }
            if case .apiKey = client.authorization { throw await renewal.error(after: error) }
            guard let next = await renewal.replacement(for: used.accessToken, after: error) else {
                let end = await renewal.error(after: error)
                guard let key = await renewal.standIn() else { throw end }
                client.authorization = .apiKey(key)
                do throws(APIError) {
                    return try await client.call(operation, input, receive: receive, holding: hold)
                } catch  where error.kind == .unauthorized {
                    throw end
                }
            }
            client.authorization = next.authorization
            return try await client.call(operation, input, receive: receive, holding: hold)
        }
    }

    /// Sends a raw request, and retries with a renewed token after a 401.
    ///
    /// Any other status is a normal answer; `receive` as in `call`.
    ///
    /// - Throws: `APIError` if no usable answer came, or a renewal was left undecided.
    package func send(
        _ raw: RawRequest, receive: BodyReceiver? = nil
    ) async throws(APIError) -> HTTPResponse {
        guard let renewal else { return try await client.send(raw, receive: receive) }
        let used = await renewal.current()
        var client = client
        client.authorization = used.authorization
        if used.isRenewalBroken, let key = await renewal.standIn() {
            client.authorization = .apiKey(key)
        }
        let answer = try await client.send(raw, receive: receive)
        // The refusal of a password or a code does not concern the token, and servers count
        // attempts.
        guard answer.status == 401, !raw.signsIn else { return answer }
        let refusal = APIError(answer: answer)
        guard refusal.kind == .unauthorized else { return answer }
        if case .apiKey = client.authorization { throw await renewal.error(after: refusal) }
        guard let next = await renewal.replacement(for: used.accessToken, after: refusal) else {
            let error = await renewal.error(after: refusal)
            if error.kind == .unauthorized { return answer }
            guard error.kind == .renewalBroken, let key = await renewal.standIn() else {
                throw error
            }
            client.authorization = .apiKey(key)
            let second = try await client.send(raw, receive: receive)
            if second.status == 401 { throw error }
            return second
        }
        client.authorization = next.authorization
        return try await client.send(raw, receive: receive)
    }

    /// The error for an unsuccessful answer to a raw request.
    package func failure(of answer: HTTPResponse, to raw: RawRequest) async -> APIError {
        let error = APIError(answer: answer, to: raw.method)
        if error.kind == .unauthorized { return await explained(error) }
        guard APIClient.isRouteAbsent(answer, to: raw.method, isAnonymous: false) else {
            return error
        }
        var absent = APIError(.unsupported("this route"), error.detail, status: answer.status)
        absent.requestID = error.requestID
        return absent
    }

    /// True if the API key of a sign-in that is over serves in its place.
    package var isServedByKey: Bool {
        get async { if isStandIn { true } else { await renewal?.standIn() != nil } }
    }

    /// The secret in current requests.
    package var secret: Redacted<String>? {
        get async {
            if let renewal { return await renewal.session.accessToken }
            switch client.authorization {
            case .apiKey(let secret), .bearer(let secret), .cookie(_, let secret): return secret
            case .none: return nil
            }
        }
    }

    /// The account, as far as the server and the token reveal it.
    ///
    /// - Throws: `APIError`.
    package func whoAmI() async throws(APIError) -> (user: User?, view: JSONView?) {
        if case .apiKey = client.authorization {
            // No route returns the owner of a key; a list proves that it works.
            try await client.call(AccountRoutes.probe, ())
            return (nil, nil)
        }
        do throws(APIError) {
            let answer = try await call(AccountRoutes.me, ())
            return (answer.user, answer.view)
        } catch {
            if error.kind == .renewalBroken, await isServedByKey {
                try await call(AccountRoutes.probe, ())
                return (nil, nil)
            }
            guard case .unsupported = error.kind else { throw error }
            // The mobile API has no such route: a list proves the token, its claims name the user.
            try await call(AccountRoutes.probe, ())
            let claims = await secret.flatMap { JWTClaims($0) }
            return (User(id: claims?.subject, username: claims?.username), nil)
        }
    }

    /// Distinguishes an unknown key from a command that needs a user, which get the same 401.
    private func explained(_ refusal: APIError) async -> APIError {
        guard case .apiKey = client.authorization else { return refusal }
        if isStandIn {
            var end = APIError(.renewalBroken, status: refusal.status)
            end.requestID = refusal.requestID
            return end
        }
        do throws(APIError) {
            try await client.call(AccountRoutes.probe, ())
        } catch {
            return refusal
        }
        var refusal = refusal
        refusal.kind = .forbidden
        refusal.detail = "an API key is not enough; this needs a user's sign-in"
        return refusal
    }
}

extension StoredSession {
    /// The authorization of its requests.
    package var authorization: Authorization {
        cookie.map { .cookie(name: $0, accessToken) } ?? .bearer(accessToken)
    }
}
