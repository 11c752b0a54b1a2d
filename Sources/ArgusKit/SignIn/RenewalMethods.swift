/// The ways to another access token: the refresh token, and the password where it was kept.
package struct RenewalMethods: Sendable {
    /// The pause of `SignIn` after a text 500, for the same reason.
    private static let pauseAfterServerError: Duration = .milliseconds(1100)

    private let client: APIClient
    private let store: any CredentialStore
    private let budget: SignInBudget
    private let now: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async -> Void
    private let target: @Sendable () -> EndpointTarget?

    /// Makes the ways of one server; the client's credentials are left aside, and the store is
    /// where a remembered password is.
    ///
    /// `target` tells which of the server's addresses is in use; nil where that is the client's.
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

    /// Whether an answer of this server can end a sign-in: plain http proves nobody, except on
    /// this machine.
    var isServerProved: Bool {
        let target = target()
        let origin = target?.address.origin ?? client.address.origin
        return (target?.proof ?? client.proof).identity != .plain || origin.isLoopback
    }

    /// Asks for tokens with the refresh token of a session; nil where it has none.
    func refresh(
        _ session: StoredSession, holding hold: SignalHold
    ) async -> Result<TokenGrant, APIError>? {
        guard let token = session.refreshToken else { return nil }
        let request = RefreshRequest(
            refreshToken: token, accessToken: session.accessToken,
            deviceRowID: session.deviceRowID)
        let client = client
        let sleep = sleep
        return await Self.result { () async throws(APIError) in
            guard session.kind == .web else {
                return try await client.call(
                    RefreshRoutes.mobile, request, holding: hold)
            }
            do throws(APIError) {
                return try await client.call(RefreshRoutes.web, request, holding: hold)
            } catch  where error.isCollision {
                // Two sessions of a user renewed in one second; the token is still good.
                await sleep(Self.pauseAfterServerError)
                return try await client.call(RefreshRoutes.web, request, holding: hold)
            }
        }
    }

    /// Signs in again with the password that `login --remember` kept; nil where there is none.
    func signIn(
        _ session: StoredSession, of server: ServerID, holding hold: SignalHold
    ) async -> Result<TokenGrant, APIError>? {
        guard session.kind == .web, let username = session.username else { return nil }
        let kept: Redacted<[UInt8]>?
        do {
            kept = try await store.read(CredentialKey(server, .password))
        } catch {
            return .failure(.storeFailed(error))
        }
        guard let kept else { return nil }
        let password = Redacted(String(decoding: kept.reveal(), as: UTF8.self))
        let (budget, origin, now) = (budget, client.address.origin, now)
        let signIn = SignIn(client: client, sleep: sleep, holding: hold) {
            await budget.admits(origin, at: now())
        }
        return await Self.result { () async throws(APIError) in
            try await signIn.signIn(PasswordLogin(username: username, password: password)).tokens
        }
    }

    private static func result(
        _ work: () async throws(APIError) -> TokenGrant
    ) async -> Result<TokenGrant, APIError> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension APIError {
    /// Whether the failure of a renewal says nothing about the tokens: no answer, or none that is
    /// about them.
    var provesNothing: Bool {
        switch kind {
        case .transport, .serverError, .rateLimited, .malformedAnswer, .unsteady, .storeFailed:
            true
        case .unauthorized, .forbidden, .notFound, .rejected, .unsupported: false
        }
    }

    /// A renewal that the credential store stands in the way of.
    static func storeFailed(_ cause: CredentialStoreError) -> APIError {
        APIError(.storeFailed(cause), "\(cause)")
    }
}
