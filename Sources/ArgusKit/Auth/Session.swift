/// A server together with the credentials that it is used with.
package struct Session: Sendable {
    package let client: APIClient
    /// Keeps the token fresh; nil for a key, and for a token that the person brought along.
    package let renewal: TokenRenewal?

    package init(
        client: APIClient, authorization: Authorization, renewal: TokenRenewal? = nil
    ) {
        var client = client
        client.authorization = authorization
        self.client = client
        self.renewal = renewal
    }

    /// Calls an operation as the signed-in user, once more with a renewed token after a 401.
    ///
    /// With `receive`, the body of a good answer is handed on piece by piece.
    ///
    /// - Throws: `APIError`; a 401 for a key that is good elsewhere is `.forbidden`, one that a
    ///   renewal might still have turned away is what kept that from being known.
    package func call<Input, Output>(
        _ operation: Operation<Input, Output>, _ input: Input,
        receive: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
    ) async throws(APIError) -> Output {
        if let renewal { return try await call(operation, input, receive, renewal) }
        do throws(APIError) {
            return try await client.call(operation, input, receive: receive)
        } catch  where error.kind == .unauthorized {
            throw await explained(error)
        }
    }

    private func call<Input, Output>(
        _ operation: Operation<Input, Output>, _ input: Input,
        _ receive: (@Sendable (UnsafeRawBufferPointer) -> Bool)?, _ renewal: TokenRenewal
    ) async throws(APIError) -> Output {
        let used = await renewal.current()
        var client = client
        client.authorization = used.authorization
        do throws(APIError) {
            return try await client.call(operation, input, receive: receive)
        } catch  where error.kind == .unauthorized {
            guard let next = await renewal.replacement(for: used.accessToken) else {
                throw await renewal.problem.map(Self.undecided) ?? error
            }
            client.authorization = next.authorization
            return try await client.call(operation, input, receive: receive)
        }
    }

    /// The token has ended, and whether there could be another is not known.
    private static func undecided(_ problem: APIError) -> APIError {
        var problem = problem
        let because = problem.detail.isEmpty ? "" : ": \(problem.detail)"
        problem.detail = "the access token has ended and could not be renewed now\(because)"
        return problem
    }

    /// The account, as far as the server and the token tell.
    ///
    /// - Throws: `APIError`.
    package func whoAmI() async throws(APIError) -> (user: User?, view: JSONView?) {
        if case .apiKey = client.authorization {
            // No route tells whose key it is; a list proves that it works.
            try await client.call(AccountRoutes.probe, ())
            return (nil, nil)
        }
        do throws(APIError) {
            let view = try await call(AccountRoutes.me, ())
            return (User(view), view)
        } catch {
            guard case .unsupported = error.kind else { throw error }
            // The mobile API has no such route: a list proves the token, its claims name the user.
            try await call(AccountRoutes.probe, ())
            let claims = await bearer.flatMap { JWTClaims($0) }
            return (User(id: claims?.subject, username: claims?.username), nil)
        }
    }

    private var bearer: Redacted<String>? {
        get async {
            if let renewal { return await renewal.session.accessToken }
            switch client.authorization {
            case .bearer(let token), .cookie(_, let token): return token
            case .none, .apiKey: return nil
            }
        }
    }

    /// A key gets the same 401 for being unknown and for a command that needs a user.
    private func explained(_ refusal: APIError) async -> APIError {
        guard case .apiKey = client.authorization else { return refusal }
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
    /// What a request carries of it.
    package var authorization: Authorization {
        cookie.map { .cookie(name: $0, accessToken) } ?? .bearer(accessToken)
    }
}
