package import ArgusCore
import ArgusTransport

/// Selects the endpoint for the requests of a run: the one that answered last, or the winner of a
/// race that all processes share.
package actor EndpointSelector {
    /// The time in which the endpoint of the last run must connect before all others join.
    package static let trialTime: Duration = .seconds(1)
    /// The interval after which a repeated proof is stored again.
    private static let renewal: Duration = .seconds(3600)

    nonisolated let plan: EndpointPlan
    /// The endpoint that answered last at the start, and the time of its last proof.
    package nonisolated let remembered: (target: EndpointTarget, provedAt: Timestamp)?
    /// The endpoint that needs no race: the one that answered last, or the only one.
    ///
    /// Nil for a name whose address is worth remembering for later commands.
    package nonisolated let settled: EndpointTarget?
    private let race: EndpointRace
    private let memory: EndpointCache?
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (EndpointReport) -> Void

    private var current: EndpointTarget?
    /// True until the endpoint of the last run has answered, or others have joined it.
    private var isOnTrial: Bool
    /// The result of the last race if it found nothing; nil once a request was answered.
    private var end: NoEndpoint?
    private var isRacing = false
    /// True if another endpoint was selected and has not answered yet; it is not replaced then.
    private var hasChosenAgain = false
    /// The endpoint that broke during a transfer, which later requests must not rely on.
    private var doubted: FailedEndpoint?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a selector; without a cache every process selects for itself.
    package init(
        _ plan: EndpointPlan, in race: EndpointRace, memory: EndpointCache?,
        now: @escaping @Sendable () -> Timestamp,
        report: @escaping @Sendable (EndpointReport) -> Void
    ) {
        self.plan = plan
        self.race = race
        self.memory = memory
        self.now = now
        self.report = report
        remembered = memory?.entry(at: now()).flatMap { entry in
            plan.target(entry).map { ($0, entry.provedAt) }
        }
        isOnTrial = remembered != nil
        let only = plan.targets.only
        settled = remembered?.target ?? (only?.isToBeLocated == true && memory != nil ? nil : only)
        current = settled
    }

    /// True if the server has several usable endpoints.
    private var isChoice: Bool { plan.targets.count > 1 }

    /// The endpoint to use.
    ///
    /// - Throws: The results of all attempts if there is none.
    func target() async throws(TransportError) -> EndpointTarget {
        await raceToEnd()
        if let doubted, !hasChosenAgain {
            hasChosenAgain = true
            return try await select(insteadOf: doubted).mapError(\.error).get()
        }
        if let current { return current }
        if let end { throw end.error }
        return try await select(insteadOf: nil).mapError(\.error).get()
    }

    /// The longest time to connect, shorter than usual as long as others wait to join; else nil.
    var connectTime: Duration? { isOnTrial && isChoice ? Self.trialTime : nil }

    /// Makes the next request select again, since this endpoint broke.
    func doubt(_ failed: FailedEndpoint, hasAnswered: Bool) {
        guard isChoice, current?.isSameConnection(as: failed.target) == true else { return }
        if hasAnswered { hasChosenAgain = false }
        doubted = failed
    }

    /// The endpoint to use after a failure; nil if there is no other.
    ///
    /// - Throws: The results of all attempts, if the server has several endpoints.
    func target(insteadOf failed: FailedEndpoint) async throws(TransportError) -> EndpointTarget? {
        await raceToEnd()
        // One that was slow has had more time since, or another request to it has succeeded.
        let isOutdated = failed.wasOnTrial && !isOnTrial && end == nil
        if let current, isOutdated || !current.isSameConnection(as: failed.target) {
            return current
        }
        if !hasChosenAgain {
            hasChosenAgain = true
            if case .success(let target) = await select(insteadOf: failed) { return target }
        }
        // An impostor may answer now, although nothing answered during the race.
        if failed.error.kind == .identityRefused, end?.metUnprovedServer == false {
            end = NoEndpoint(error: failed.error, metUnprovedServer: true)
        }
        // A later request, such as the one after a renewal, reports the same.
        guard let end else { return nil }
        let isNews = end.metUnprovedServer && failed.error.kind != .identityRefused
        if isChoice || isNews { throw end.error }
        return nil
    }

    /// Notes that an endpoint has answered.
    func confirm(_ target: EndpointTarget) {
        guard current?.isSameConnection(as: target) == true else { return }
        (hasChosenAgain, end) = (false, nil)
        if doubted?.target.isSameConnection(as: target) == true { doubted = nil }
        guard isOnTrial else { return }
        isOnTrial = false
        guard let memory, let remembered, now() - remembered.provedAt > Self.renewal,
            var entry = memory.entry(at: now())
        else { return }
        entry.provedAt = now()
        memory.keep(entry)
    }

    private func raceToEnd() async {
        while isRacing { await withCheckedContinuation { waiters.append($0) } }
    }

    private func select(
        insteadOf failed: FailedEndpoint?
    ) async -> Result<EndpointTarget, NoEndpoint> {
        isRacing = true
        (isOnTrial, doubted) = (false, nil)
        let result = await selectTogether(insteadOf: failed)
        switch result {
        case .success(let target): (current, end) = (target, nil)
        case .failure(let end): self.end = end
        }
        isRacing = false
        for waiter in waiters { waiter.resume() }
        waiters = []
        return result
    }

    /// Takes the endpoint that another process selected while this one waited, or that of a race.
    private func selectTogether(
        insteadOf failed: FailedEndpoint?
    ) async -> Result<EndpointTarget, NoEndpoint> {
        guard let memory else { return await runRace(after: failed) }
        return await memory.withSelectionLock {
            let last = memory.entry(at: now()).flatMap(plan.target)
            let hasFailed = last.map { failed?.target.isSameConnection(as: $0) == true } ?? false
            if let last, !hasFailed { return .success(last) }
            let result = await runRace(after: failed)
            if case .success(let target) = result {
                memory.keep(
                    EndpointCache.Entry(
                        kind: target.kind, address: target.address.description,
                        socketAddress: target.proof.socketAddress, provedAt: now()))
            } else if hasFailed {
                memory.forget()
            }
            return result
        }
    }

    private func runRace(after failed: FailedEndpoint?) async -> Result<EndpointTarget, NoEndpoint>
    {
        let outcome = await race.choose(plan, after: failed)
        report(outcome)
        return outcome.target.map { .success($0) }
            ?? .failure(
                NoEndpoint(error: outcome.failure, metUnprovedServer: outcome.metUnprovedServer))
    }
}

/// The result of a race in which no server proved its identity.
private struct NoEndpoint: Error {
    /// The results of all attempts.
    var error: TransportError
    /// True if a server answered that did not prove to be the right one.
    var metUnprovedServer: Bool
}

extension EndpointPlan {
    /// The target of a remembered endpoint, if the record still has it.
    fileprivate func target(_ entry: EndpointCache.Entry) -> EndpointTarget? {
        let target = targets.first {
            $0.kind == entry.kind && $0.address.description == entry.address
        }
        return entry.socketAddress.flatMap { target?.at($0) } ?? target
    }
}
