package import ArgusCore
package import ArgusTransport

/// One renewal, exclusive among all processes: lock, read again, renew, store durably, then use.
package struct RenewalProcedure: Sendable {
    private let client: APIClient
    private let server: ServerID
    private let store: any CredentialStore
    private let environment: StateEnvironment
    private let target: @Sendable () -> EndpointTarget?

    var now: @Sendable () -> Timestamp { environment.now }
    var notify: @Sendable (String) -> Void { environment.notify }

    /// Makes the renewals of one server; the client's credentials are not used.
    ///
    /// `target` returns the endpoint in use; nil if it is the client's.
    package init(
        by client: APIClient, of server: ServerID, in store: any CredentialStore,
        _ environment: StateEnvironment,
        target: @escaping @Sendable () -> EndpointTarget? = { nil }
    ) {
        var client = client
        client.authorization = .none
        self.client = client
        self.server = server
        self.store = store
        self.environment = environment
        self.target = target
    }

    /// The session to renew and the circumstances of its renewal.
    struct Input {
        var session: StoredSession
        /// The stored session that `session` replaces; nil if `session` is stored.
        var replaced: StoredSession?
        /// The server's clock minus the local one.
        var offset: Duration
        /// The 401 with which the server refused the access token; nil if it did not.
        var refusal: APIError?
        /// The server's earlier refusals.
        var refusals: Refusals
        /// The longest wait for another process.
        var timeout: Duration
    }

    /// The credentials that the server refused with a 401, so that they are not sent again.
    struct Refusals {
        var refreshToken: Redacted<String>?
        var password = false
    }

    enum Outcome {
        /// Use this session; with the server's clock minus the local one, if known from the answer.
        ///
        /// `replaced` is the stored session that this one replaces; nil if this one is stored.
        case session(StoredSession, offset: Duration?, replaced: StoredSession? = nil)
        /// Nothing is proved, perhaps because a request failed; the old token stays in use.
        ///
        /// `counted` is the session with the crashes of the server; nil if it did not crash.
        case undecided(APIError?, counted: StoredSession? = nil)
        /// As `undecided`, without a request, since the lock could not be taken.
        case unlocked(FileSystemError)
        /// As `undecided`, without a request, since new tokens could not be stored.
        case unkeepable(AccountError)
        /// No method is left.
        case impossible(Refusals)
    }

    func run(_ input: Input) async -> Outcome {
        do throws(FileSystemError) {
            guard let lock = try await environment.takeSessionLock(server, within: input.timeout)
            else { return .undecided(nil) }
            let outcome = await runLocked(input)
            lock.release()
            return outcome
        } catch {
            // The process that holds the lock may have stored its tokens by now.
            return await session(otherThan: input.session, input.replaced)
                .map { .session($0, offset: nil) }
                ?? .unlocked(error)
        }
    }

    private func runLocked(_ input: Input) async -> Outcome {
        let present: StoredSession
        switch await read() {
        case .success(let found?): present = found
        // The user has signed out.
        case .success(nil): return .undecided(nil)
        case .failure(let error): return .undecided(.storeFailed(error))
        }
        // The server ends a sign-in whose refresh token is used twice.
        let replaced = present == input.replaced ? present : nil
        let stored = replaced == nil ? present : input.session
        let isNewer = stored.accessToken != input.session.accessToken
        // Fresh whatever the assumed server clock, which its token corrects.
        if isNewer, stored.wasIssuedJustNow(now()) {
            return .session(stored, offset: stored.offsetAtIssue)
        }
        let refusal = isNewer ? nil : input.refusal
        let isDue = stored.isDue(at: now() + input.offset, offset: input.offset)
        guard isDue || refusal != nil else {
            return .session(stored, offset: nil, replaced: replaced)
        }
        // A rotated token is issued once: what storing it needs is made first.
        let place: CredentialPlace
        do throws(AccountError) {
            place = try await store.place(for: CredentialKey(server))
        } catch {
            return .unkeepable(error)
        }
        // So is the thread that goes on after the answer: libdispatch needs a descriptor for it.
        await Task.yield()

        var refusals = input.refusals
        if stored.refreshToken != refusals.refreshToken {
            let hold = SignalHold()
            defer { hold.end() }
            do throws(APIError) {
                if let grant = try await refresh(stored, holding: hold) {
                    return await use(
                        grant, from: .refresh, after: stored, over: present, input.offset, place)
                }
            } catch {
                guard !error.provesNothing else { return await undecided(error, stored) }
                // A process without the lock may have been faster.
                if let newer = await session(otherThan: stored, input.replaced) {
                    return .session(newer, offset: nil)
                }
                if error.kind == .unauthorized {
                    guard error.endsRefreshToken else { return .undecided(error) }
                    refusals.refreshToken = stored.refreshToken
                }
            }
        }
        if !refusals.password {
            let hold = SignalHold()
            defer { hold.end() }
            do throws(APIError) {
                if let grant = try await signIn(stored, holding: hold) {
                    return await use(
                        grant, from: .signIn, after: stored, over: present, input.offset, place)
                }
            } catch {
                guard !error.provesNothing else { return .undecided(error) }
                if error.kind == .unauthorized {
                    guard error.refusesPassword else { return .undecided(error) }
                    refusals.password = true
                }
            }
        }
        // A sign-in without a refresh token ends with its password.
        let isRefused = stored.refreshToken.map { $0 == refusals.refreshToken } ?? refusals.password
        if refusal?.endsAccessToken == true, isRefused { await drop(stored) }
        return .impossible(refusals)
    }

    /// Leaves a renewal undecided, and counts the crashes of the server.
    private func undecided(_ error: APIError, _ stored: StoredSession) async -> Outcome {
        guard error.isCollision, case .success(stored?) = await read() else {
            return .undecided(error)
        }
        var counted = stored
        counted.countCrashes(stored.isRenewalBroken ? 1 : 2, at: now())
        return await keep(counted) == nil ? .undecided(error, counted: counted) : .undecided(error)
    }

    private enum Source { case refresh, signIn }

    /// Stores fresh tokens over what is present, unless other ones were stored meanwhile.
    private func use(
        _ grant: TokenGrant, from source: Source, after stored: StoredSession,
        over present: StoredSession, _ offset: Duration, _ place: CredentialPlace
    ) async -> Outcome {
        let received = now()
        var fresh = StoredSession(
            kind: stored.kind, grant: grant, at: received, offset: offset,
            deviceRowID: stored.deviceRowID, username: stored.username)
        fresh.hardwareID = stored.hardwareID
        if source == .refresh {
            fresh.refreshToken = grant.refreshToken ?? stored.refreshToken
            fresh.renewedAt = received
            // The sign-in has found the form in which the server accepts the token.
            fresh.cookie = stored.cookie.map { grant.cookie ?? $0 }
            // Renewing does not prolong a web session, nor does an echoed old token.
            let isSameSignIn = stored.kind == .web || fresh.refreshToken == stored.refreshToken
            if isSameSignIn { fresh.renewableUntil = stored.renewableUntil }
        }
        let learnt = grant.serverTime.map {
            ClockOffset.measured(serverTime: $0, now: received)
        }
        // A sign-in or sign-out in the meantime is newer than these tokens.
        if case .success(let found) = await read(), found != present {
            return .session(found ?? fresh, offset: learnt)
        }
        do throws(AccountError) {
            try await place.keep(
                Credential.session(fresh).encoded(), pausing: environment.pause)
        } catch {
            notify(
                "the renewed tokens could not be stored; sign in again when they expire: "
                    + "\(error)")
            return .session(fresh, offset: learnt, replaced: present)
        }
        return .session(fresh, offset: learnt)
    }

    /// Erases a sign-in that the server has ended; the server's record stays.
    private func drop(_ stored: StoredSession) async {
        guard isServerProved, case .success(stored?) = await read() else { return }
        do throws(AccountError) {
            // Header fields for relays and push registrations are not part of the sign-in, and its
            // key stays.
            try await store.eraseAll(of: server, except: [.relayHeaders, .push, .apiKey])
            notify("the server has ended this sign-in; its tokens were removed")
        } catch {
            notify("the tokens of a sign-in that the server has ended are still stored: \(error)")
        }
    }

    private func session(
        otherThan old: StoredSession, _ replaced: StoredSession?
    ) async -> StoredSession? {
        guard case .success(let present?) = await read(),
            present.accessToken != old.accessToken, present != replaced
        else { return nil }
        return present
    }

    /// The session in the store; nil if it is gone.
    private func read() async -> Result<StoredSession?, AccountError> {
        await Result(awaiting: try await store.credential(of: server)).map { credential in
            if case .session(let session)? = credential { session } else { nil }
        }
    }

    /// Stores a session; returns the error, or nil on success.
    private func keep(_ session: StoredSession) async -> AccountError? {
        do throws(AccountError) {
            try await store.keep(.session(session), of: server)
            return nil
        } catch {
            return error
        }
    }
}

// The methods to get a new access token: the refresh token, and a remembered password.
extension RenewalProcedure {
    /// True if an answer of this server can end a sign-in.
    ///
    /// Plain http proves no identity, except on this machine.
    private var isServerProved: Bool {
        let target = target()
        let origin = target?.address.origin ?? client.address.origin
        return (target?.proof ?? client.proof).identity != .plain || origin.isLoopback
    }

    /// Requests tokens with the refresh token of a session; nil if it has none.
    private func refresh(
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
            await environment.pause(SignIn.pauseAfterServerError)
            return try await client.call(route, request, holding: hold)
        }
    }

    /// Signs in again with the password of `login --remember`; nil if there is none.
    private func signIn(
        _ session: StoredSession, holding hold: SignalHold
    ) async throws(APIError) -> TokenGrant? {
        guard session.kind == .web, let username = session.username else { return nil }
        let kept = try await rethrowing(
            awaiting: await store.read(CredentialKey(server, .password)),
            as: APIError.storeFailed)
        guard let kept else { return nil }
        let password = Redacted(String(decoding: kept.reveal(), as: UTF8.self))
        let signIn = SignIn(client: client, sleep: environment.pause, holding: hold) {
            await environment.budget.admits(client.address.origin, at: now())
        }
        return try await signIn.signIn(PasswordLogin(username: username, password: password)).tokens
    }
}

extension APIError {
    /// True if the failure of a renewal proves nothing about the tokens.
    var provesNothing: Bool {
        switch kind {
        case .transport, .serverError, .rateLimited, .malformedAnswer, .foreign, .unsteady,
            .storeFailed:
            true
        case .unauthorized, .forbidden, .notFound, .rejected, .unsupported, .renewalBroken: false
        }
    }

    /// The error for a renewal that the credential store prevents.
    package static func storeFailed(_ cause: AccountError) -> APIError {
        var error = APIError(.storeFailed, "\(cause)")
        error.cause = cause
        return error
    }
}
