package import ArgusCore
package import ArgusTransport

/// Keeps the access token of a stored session fresh, with one renewal at a time.
///
/// All requests of a run share one instance; the lock of `RenewalProcedure` decides between
/// processes. Nothing here fails: every caller gets the best available token.
package actor TokenRenewal {
    /// The pause after a failed renewal while the old token lives.
    private static let pauseAfterFailure = Duration.seconds(30)
    /// The pause between renewals that the server is known to fail, while the old token lives.
    private static let pauseAfterCrashes = Duration.seconds(600)
    /// The longest wait for another process while the old token lives, and after its end.
    private static let (shortTimeout, timeout) = (Duration.seconds(2), Duration.seconds(35))

    /// The session in use.
    package private(set) var session: StoredSession
    /// The server's clock minus the local one, if this run found that the stored value is wrong.
    package private(set) var learntOffset: Duration?
    /// The failure of the last renewal; nil after a success.
    package private(set) var problem: APIError?

    /// The stored session that `session` replaces; nil if `session` is stored.
    private var replaced: StoredSession?
    private let procedure: RenewalProcedure
    private var offset: Duration
    private var running: Task<Void, Never>?
    private var failedAt: Timestamp?
    /// The time that this run has waited for other processes since the last renewal.
    private var waited = Duration.zero
    private var refusals = RenewalProcedure.Refusals()
    /// True if the last renewal found no method that the server has not refused.
    private var isRefused = false
    /// True if the server also refused the access token, before its end or after.
    private var isRejected = false
    /// True once the user was warned that renewed tokens cannot be stored.
    private var hasWarned = false

    private let loadKey: @Sendable () async -> Redacted<String>?
    /// The API key for use after the end; an inner nil means that there is none.
    private var loadedKey: Redacted<String>??

    /// Makes the renewal of a stored session; `key` loads the API key for use after its end.
    ///
    /// The offset is the stored clock difference.
    package init(
        _ session: StoredSession, offset: Duration?, procedure: RenewalProcedure,
        key: @escaping @Sendable () async -> Redacted<String>? = { nil }
    ) {
        loadKey = key
        self.session = session
        self.offset = offset ?? .zero
        self.procedure = procedure
    }

    /// The session for the next request, renewed if due and possible.
    package func current() async -> StoredSession {
        let now = procedure.now()
        let hasJustFailed = failedAt.map { now - $0 < Self.pauseAfterFailure } ?? false
        guard session.isDue(at: now + offset, offset: offset), !hasJustFailed,
            await !isServerSpared
        else { return session }
        await renew(after: nil)
        return session
    }

    /// True if the server crashed at the last renewal, and the next can wait.
    ///
    /// Without a valid token or a key, each run tries: the server may be repaired by now.
    private var isServerSpared: Bool {
        get async {
            guard session.isRenewalBroken, let last = session.crashes.lastAt,
                procedure.now() - last < Self.pauseAfterCrashes
            else { return false }
            if hasEnded || isRejected { return await key() != nil }
            return true
        }
    }

    /// The session for a retry after a 401 to `token`; nil if there is no other.
    package func replacement(
        for token: Redacted<String>, after refusal: APIError
    ) async -> StoredSession? {
        guard session.accessToken == token else { return session }
        isRejected = isRejected || refusal.endsAccessToken
        // A renewal that just crashed the server would only crash it again.
        let isPointless = failedAt != nil && isBroken
        let isSpared = await isServerSpared
        if session.accessToken == token, !isPointless, !isSpared { await renew(after: refusal) }
        return session.accessToken == token ? nil : session
    }

    /// The error for a request whose token was refused and not renewed.
    package func error(after refusal: APIError) -> APIError {
        guard isOver else {
            guard var problem else { return refusal }
            let because = problem.detail.isEmpty ? "" : ": \(problem.detail)"
            problem.detail = "the access token has expired and could not be renewed\(because)"
            return problem
        }
        var error = APIError(.renewalBroken, status: (problem ?? refusal).status)
        error.detail =
            problem.map { "the server fails to renew it (HTTP \($0.status ?? 500))" } ?? ""
        error.requestID = (problem ?? refusal).requestID
        return error
    }

    /// True if the session is of no more use and crashes the server at its renewal.
    ///
    /// A server whose signing key has changed refuses a token before its end.
    private var isBroken: Bool { session.isRenewalBroken && (hasEnded || isRejected) }

    /// True if the session has ended and cannot be renewed, as far as is known.
    private var isOver: Bool { hasEnded && isRefused || isBroken }

    /// The API key that replaces the session once that is over; nil before, or if there is none.
    ///
    /// A server that lost its sessions refuses a token before its end.
    package func standIn() async -> Redacted<String>? {
        isOver || isRefused && isRejected ? await key() : nil
    }

    private func key() async -> Redacted<String>? {
        if let loadedKey { return loadedKey }
        let key = await loadKey()
        loadedKey = .some(key)
        return key
    }

    /// True if the access token has expired by the server's clock.
    package var hasEnded: Bool { session.hasEnded(at: procedure.now() + offset) }

    /// The current time by the server's clock, as far as it is known.
    package var serverTime: Timestamp { procedure.now() + offset }

    /// Joins the running renewal, or starts one.
    private func renew(after refusal: APIError?) async {
        if let running { return await running.value }
        let task = Task { await perform(after: refusal) }
        running = task
        await task.value
    }

    private func perform(after refusal: APIError?) async {
        defer { running = nil }
        let isAlive = refusal == nil && !hasEnded
        let timeout = min(isAlive ? Self.shortTimeout : Self.timeout, Self.timeout - waited)
        let outcome = await procedure.run(
            RenewalProcedure.Input(
                session: session, replaced: replaced, offset: offset, refusal: refusal,
                refusals: refusals, timeout: timeout))
        switch outcome {
        case .session(let session, let serverOffset, let replaced):
            (self.session, self.replaced) = (session, replaced)
            (problem, failedAt, waited) = (nil, nil, .zero)
            (isRefused, isRejected) = (false, false)
            if let serverOffset, ClockOffset.isSignificant(serverOffset, after: offset) {
                (offset, learntOffset) = (serverOffset, serverOffset)
            }
        case .undecided(let error, let counted):
            (problem, failedAt) = (error, procedure.now())
            session = counted ?? session
        case .unlocked(let cause):
            (problem, failedAt) = (.storeFailed(.storeFile(cause)), procedure.now())
            if cause.reason == .locked { waited += timeout }
        case .unkeepable(let cause):
            (problem, failedAt) = (.storeFailed(cause), procedure.now())
            // Without a valid token, the request fails and reports the cause.
            guard isAlive, !hasEnded, !hasWarned else { return }
            hasWarned = true
            procedure.notify("the sign-in cannot be renewed: \(cause)")
        case .impossible(let refusals):
            (problem, failedAt, isRefused) = (nil, procedure.now(), true)
            self.refusals = refusals
        }
    }
}
