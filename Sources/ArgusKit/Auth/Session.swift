/// A server together with the credentials that it is used with.
package struct Session: Sendable {
    package let client: APIClient

    package init(client: APIClient, authorization: Authorization) {
        var client = client
        client.authorization = authorization
        self.client = client
    }

    /// Calls an operation as the signed-in user.
    ///
    /// - Throws: `APIError`; a 401 for a key that is good elsewhere is `.forbidden`.
    package func call<Input, Output>(
        _ operation: Operation<Input, Output>, _ input: Input
    ) async throws(APIError) -> Output {
        do throws(APIError) {
            return try await client.call(operation, input)
        } catch  where error.kind == .unauthorized {
            throw await explained(error)
        }
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
            let claims = bearer.flatMap { JWTClaims($0) }
            return (User(id: claims?.subject, username: claims?.username), nil)
        }
    }

    private var bearer: Redacted<String>? {
        if case .bearer(let token) = client.authorization { token } else { nil }
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
