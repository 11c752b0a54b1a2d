/// Keeps the access token of a stored session fresh, by one renewal at a time.
///
/// All requests of a run share one of these; between processes the lock of `RenewalProcedure`
/// decides. Nothing here fails: whoever asks gets the best token there is, and the server decides.
package actor TokenRenewal {
    /// For how long a failed renewal is not tried again while the old token lives.
    private static let pauseAfterFailure = Duration.seconds(30)
    /// How long another process may take to renew while the old token lives, and once it does not.
    private static let (shortTimeout, timeout) = (Duration.seconds(2), Duration.seconds(35))

    /// The session as it is used now.
    package private(set) var session: StoredSession
    /// The server's clock less ours, where this run learnt that it is not what is remembered.
    package private(set) var learntOffset: Duration?
    /// Why the last renewal brought nothing; nil after one that did.
    package private(set) var problem: APIError?

    private let procedure: RenewalProcedure
    private var offset: Duration
    private var running: Task<Void, Never>?
    private var failedAt: Timestamp?
    /// How long this run has waited for other processes since the last renewal.
    private var waited = Duration.zero
    private var refusals = RenewalProcedure.Refusals()
    /// Whether the person knows that renewed tokens cannot be kept.
    private var hasWarned = false

    /// Keeps a session fresh that was read from the store; the offset is what is remembered of the
    /// server's clock less ours.
    package init(
        _ session: StoredSession, offset: Duration?, procedure: RenewalProcedure
    ) {
        self.session = session
        self.offset = offset ?? .zero
        self.procedure = procedure
    }

    /// The session to send a request with: renewed where that is due and possible.
    package func current() async -> StoredSession {
        let now = procedure.now()
        let hasJustFailed = failedAt.map { now - $0 < Self.pauseAfterFailure } ?? false
        if session.isDue(at: now + offset, offset: offset), !hasJustFailed {
            await renew(after: nil)
        }
        return session
    }

    /// The session to try again with after the server refused `token` with a 401; nil when there
    /// is no other.
    package func replacement(
        for token: Redacted<String>, after refusal: APIError
    ) async -> StoredSession? {
        if session.accessToken == token { await renew(after: refusal) }
        return session.accessToken == token ? nil : session
    }

    /// Whether the access token is good for nothing by the server's clock.
    package var hasEnded: Bool { session.hasEnded(at: procedure.now() + offset) }

    /// The server's time now, as far as it is known.
    package var serverTime: Timestamp { procedure.now() + offset }

    /// Takes part in the renewal that is under way, or starts one.
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
            RenewalProcedure.Occasion(
                session: session, offset: offset, refusal: refusal, refusals: refusals,
                timeout: timeout))
        switch outcome {
        case .session(let session, let serverOffset):
            (self.session, problem, failedAt, waited) = (session, nil, nil, .zero)
            if let serverOffset, ClockOffset.isNews(serverOffset, after: offset) {
                (offset, learntOffset) = (serverOffset, serverOffset)
            }
        case .undecided(let error):
            (problem, failedAt) = (error, procedure.now())
        case .unlocked(let cause):
            (problem, failedAt) = (.storeFailed(.file(cause)), procedure.now())
            if cause.reason == .locked { waited += timeout }
        case .unkeepable(let cause):
            (problem, failedAt) = (.storeFailed(cause), procedure.now())
            // Without a token that is good still, the request fails and tells the cause.
            guard isAlive, !hasEnded, !hasWarned else { return }
            hasWarned = true
            procedure.notify("the sign-in cannot be renewed: \(cause)")
        case .impossible(let refusals):
            (problem, failedAt) = (nil, procedure.now())
            self.refusals = refusals
        }
    }
}
