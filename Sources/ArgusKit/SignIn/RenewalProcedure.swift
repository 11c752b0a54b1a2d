/// One renewal, alone among all processes: lock, read again, renew, store durably, then use.
package struct RenewalProcedure: Sendable {
    private let endpoints: RenewalMethods
    private let server: ServerID
    private let store: any CredentialStore
    private let environment: StateEnvironment

    var now: @Sendable () -> Timestamp { environment.now }
    var notify: @Sendable (String) -> Void { environment.notify }

    /// Makes the renewals of one server.
    package init(
        _ endpoints: RenewalMethods, of server: ServerID, in store: any CredentialStore,
        _ environment: StateEnvironment
    ) {
        self.endpoints = endpoints
        self.server = server
        self.store = store
        self.environment = environment
    }

    /// What is to be renewed, and why.
    struct Occasion {
        var session: StoredSession
        /// The server's clock less ours.
        var offset: Duration
        /// The 401 with which the server refused the access token; nil where it did not.
        var refusal: APIError?
        /// What the server refused before.
        var refusals: Refusals
        /// How long another process is waited for.
        var timeout: Duration
    }

    /// What the server refused with a 401 in its own words, so that it is not sent twice.
    struct Refusals {
        var refreshToken: Redacted<String>?
        var password = false
    }

    /// How a renewal ended.
    enum Outcome {
        /// Use this session; the server's clock less ours where the answer told it.
        case session(StoredSession, offset: Duration?)
        /// Nothing is proved; the old token is used while it lives. Why, where a request failed.
        case undecided(APIError?)
        /// The same, and nothing was asked for, since the lock could not be had.
        case unlocked(FileSystemError)
        /// The same, and nothing was asked for, since fresh tokens could not be kept.
        case unkeepable(CredentialStoreError)
        /// No way is left.
        case impossible(Refusals)
    }

    func run(_ occasion: Occasion) async -> Outcome {
        let lock: FileLock
        do throws(FileSystemError) {
            guard
                let taken = try await SessionLocks(in: environment).take(
                    server, within: occasion.timeout)
            else {
                return .undecided(nil)
            }
            lock = taken
        } catch {
            // The process that holds the lock may have stored its tokens by now.
            guard let newer = await session(otherThan: occasion.session) else {
                return .unlocked(error)
            }
            return .session(newer, offset: nil)
        }
        let outcome = await runLocked(occasion)
        lock.release()
        return outcome
    }

    private func runLocked(_ occasion: Occasion) async -> Outcome {
        let stored: StoredSession
        switch await read() {
        case .success(let present?): stored = present
        // Somebody has signed out.
        case .success(nil): return .undecided(nil)
        case .failure(let error): return .undecided(.storeFailed(error))
        }
        let isNewer = stored.accessToken != occasion.session.accessToken
        // Fresh whatever we believe of the server's clock, which its token corrects.
        if isNewer, stored.wasIssuedJustNow(now()) {
            return .session(stored, offset: stored.offsetAtIssue)
        }
        let refusal = isNewer ? nil : occasion.refusal
        let isDue = stored.isDue(at: now() + occasion.offset, offset: occasion.offset)
        guard isDue || refusal != nil else { return .session(stored, offset: nil) }
        // A rotated token is given once: first it is proved that the answer can be kept.
        if let error = await keep(stored) { return .unkeepable(error) }

        var refusals = occasion.refusals
        if stored.refreshToken != refusals.refreshToken {
            let hold = SignalHold()
            defer { hold.end() }
            switch await endpoints.refresh(stored, holding: hold) {
            case nil: break
            case .success(let grant)?:
                return await use(grant, from: .refresh, inPlaceOf: stored, occasion.offset)
            case .failure(let error)? where error.provesNothing: return .undecided(error)
            case .failure(let error)?:
                // A process that knows no lock may have been faster.
                if let newer = await session(otherThan: stored) {
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
            switch await endpoints.signIn(stored, of: server, holding: hold) {
            case nil: break
            case .success(let grant)?:
                return await use(grant, from: .signIn, inPlaceOf: stored, occasion.offset)
            case .failure(let error)? where error.provesNothing: return .undecided(error)
            case .failure(let error)?:
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

    private enum Source { case refresh, signIn }

    /// Keeps fresh tokens, unless somebody else kept other ones meanwhile.
    private func use(
        _ grant: TokenGrant, from source: Source, inPlaceOf stored: StoredSession,
        _ offset: Duration
    ) async -> Outcome {
        let received = now()
        var fresh = StoredSession(
            kind: stored.kind, grant: grant, at: received, offset: offset,
            deviceRowID: stored.deviceRowID, username: stored.username)
        if source == .refresh {
            fresh.refreshToken = grant.refreshToken ?? stored.refreshToken
            // The sign-in has proved in which form the server takes the token.
            fresh.cookie = stored.cookie.map { grant.cookie ?? $0 }
            // Renewing does not lengthen a web session, nor does the echo of an old token.
            let isSameSignIn = stored.kind == .web || fresh.refreshToken == stored.refreshToken
            if isSameSignIn { fresh.renewableUntil = stored.renewableUntil }
        }
        let learnt = grant.serverTime.map {
            ClockOffset.measured(serverTime: $0, now: received)
        }
        // What a sign-in or a sign-out did meanwhile is newer than ours.
        if case .success(let present) = await read(), present != stored {
            return .session(present ?? fresh, offset: learnt)
        }
        if let error = await keep(fresh) {
            notify(
                "the renewed tokens could not be kept; a sign-in will be needed when they end: "
                    + "\(error)")
        }
        return .session(fresh, offset: learnt)
    }

    /// Forgets a sign-in that the server has ended; the record of the server stays.
    private func drop(_ stored: StoredSession) async {
        guard endpoints.isServerProved, case .success(stored?) = await read() else { return }
        do throws(CredentialStoreError) {
            // What the relay asks for, and what was registered for pushes, is no sign-in.
            try await store.eraseAll(of: server, except: [.relayHeaders, .push])
            notify("the server has ended this sign-in; its tokens were removed")
        } catch {
            notify("the tokens of a sign-in that the server has ended are still kept: \(error)")
        }
    }

    private func session(otherThan old: StoredSession) async -> StoredSession? {
        guard case .success(let present?) = await read(),
            present.accessToken != old.accessToken
        else { return nil }
        return present
    }

    /// The session in the store; nil when there is none any more.
    private func read() async -> Result<StoredSession?, CredentialStoreError> {
        do throws(CredentialStoreError) {
            guard case .session(let session)? = try await store.credential(of: server) else {
                return .success(nil)
            }
            return .success(session)
        } catch {
            return .failure(error)
        }
    }

    /// Why a session could not be kept; nil when it was.
    private func keep(_ session: StoredSession) async -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            try await store.keep(.session(session), of: server)
            return nil
        } catch {
            return error
        }
    }
}
