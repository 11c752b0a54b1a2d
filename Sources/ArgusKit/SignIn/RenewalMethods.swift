/// The methods to get a new access token: the refresh token, and a remembered password.
package struct RenewalMethods: Sendable {
    private let client: APIClient
    private let store: any CredentialStore
    private let budget: SignInBudget
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void
    private let target: @Sendable () -> EndpointTarget?

    /// Makes the methods for one server; the client's credentials are not used.
    ///
    /// `target` returns the endpoint in use; nil if it is the client's.
    package init(
        client: APIClient, store: any CredentialStore, budget: SignInBudget,
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void,
        target: @escaping @Sendable () -> EndpointTarget? = { nil }
    ) {
        var client = client
        client.authorization = .none
        self.client = client
        self.store = store
        self.budget = budget
        self.now = now
        self.sleep = sleep
        self.target = target
    }

    /// True if an answer of this server can end a sign-in.
    ///
    /// Plain http proves no identity, except on this machine.
    var isServerProved: Bool {
        let target = target()
        let origin = target?.address.origin ?? client.address.origin
        return (target?.proof ?? client.proof).identity != .plain || origin.isLoopback
    }

    /// Requests tokens with the refresh token of a session; nil if it has none.
    func refresh(
        _ session: StoredSession, holding hold: SignalHold
    ) async throws(APIError) -> TokenGrant? {
        guard let token = session.refreshToken else { return nil }
        let request = RefreshRequest(
            refreshToken: token, accessToken: session.accessToken,
            deviceRowID: session.deviceRowID)
        let route = session.kind == .web ? RefreshRoutes.web : RefreshRoutes.mobile
        do throws(APIError) {
            return try await client.call(route, request, holding: hold)
        } catch  where error.isCollision && !session.isRenewalBroken {
            // Two sessions of a user were renewed within a second; the token is still valid. A
            // second crash shows that a device cannot be renewed.
            await sleep(SignIn.pauseAfterServerError)
            return try await client.call(route, request, holding: hold)
        }
    }

    /// Signs in again with the password of `login --remember`; nil if there is none.
    func signIn(
        _ session: StoredSession, of server: ServerID, holding hold: SignalHold
    ) async throws(APIError) -> TokenGrant? {
        guard session.kind == .web, let username = session.username else { return nil }
        let kept = try await rethrowing(
            awaiting: try await store.read(CredentialKey(server, .password)),
            as: APIError.storeFailed)
        guard let kept else { return nil }
        let password = Redacted(String(decoding: kept.reveal(), as: UTF8.self))
        let signIn = SignIn(client: client, sleep: sleep, holding: hold) {
            await budget.admits(client.address.origin, at: now())
        }
        return try await signIn.signIn(PasswordLogin(username: username, password: password)).tokens
    }
}

extension APIError {
    /// True if the failure of a renewal proves nothing about the tokens.
    var provesNothing: Bool {
        switch kind {
        case .transport, .serverError, .rateLimited, .malformedAnswer, .unsteady, .storeFailed:
            true
        case .unauthorized, .forbidden, .notFound, .rejected, .unsupported, .renewalBroken: false
        }
    }

    /// The error for a renewal that the credential store prevents.
    static func storeFailed(_ cause: CredentialStoreError) -> APIError {
        APIError(.storeFailed(cause), "\(cause)")
    }
}
