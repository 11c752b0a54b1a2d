/// Decides by which way a server is used: the one that worked here before, else by a choice that
/// all processes share.
package struct EndpointSelector: Sendable {
    private let plan: EndpointPlan
    private let chooser: EndpointRace
    private let memory: EndpointCache?
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (EndpointReport) -> Void
    /// The way that was remembered here at the beginning, and when it was last proved.
    package let remembered: (target: EndpointTarget, provedAt: Timestamp)?

    /// The time of a proof is written down again after so long.
    private static let renewal: Duration = .seconds(3600)

    /// Makes a decider; without a memory every process decides for itself.
    package init(
        _ plan: EndpointPlan, by chooser: EndpointRace, memory: EndpointCache?,
        now: @escaping @Sendable () -> Timestamp,
        report: @escaping @Sendable (EndpointReport) -> Void
    ) {
        self.plan = plan
        self.chooser = chooser
        self.memory = memory
        self.now = now
        self.report = report
        remembered = memory?.entry(at: now()).flatMap { entry in
            plan.target(entry).map { ($0, entry.provedAt) }
        }
    }

    /// The way that needs no choice: the remembered one, or the only one, unless there is a name to
    /// look up that later commands need not look up again.
    package var settled: EndpointTarget? {
        if let remembered { return remembered.target }
        guard plan.targets.count == 1, let only = plan.targets.first else { return nil }
        return only.isToBeLocated && memory != nil ? nil : only
    }

    /// Why a way may not be used on the network of this moment.
    func refusal(of target: EndpointTarget) -> TransportError? { plan.refusal(of: target) }

    /// What the first of the ways must prove.
    var primaryIdentity: ServerProof.Identity? { plan.targets.first?.proof.identity }

    /// Whether the server has several ways that may be used.
    var isChoice: Bool { plan.targets.count > 1 }

    /// Chooses a way, in place of one that failed where there is one.
    package func decide(
        insteadOf failed: FailedEndpoint?
    ) async -> Result<EndpointTarget, NoEndpoint> {
        guard let memory else { return await choose(after: failed) }
        let isFailed = { (target: EndpointTarget) in failed?.target.leads(where: target) == true }
        return await memory.whileAlone {
            // Another process may have decided while this one waited.
            if let other = memory.entry(at: now()).flatMap(plan.target), !isFailed(other) {
                return .success(other)
            }
            let result = await choose(after: failed)
            if let target = try? result.get() {
                memory.keep(
                    EndpointCache.Entry(
                        kind: target.kind, address: target.address.description,
                        socketAddress: target.proof.socketAddress, provedAt: now()))
            } else if let entry = memory.entry(at: now()).flatMap(plan.target), isFailed(entry) {
                memory.keep(nil)
            }
            return result
        }
    }

    /// Writes down that a remembered way has been proved again.
    package func confirm(_ target: EndpointTarget) {
        guard let memory, let remembered, remembered.target.leads(where: target),
            now() - remembered.provedAt > Self.renewal, var entry = memory.entry(at: now())
        else { return }
        entry.provedAt = now()
        memory.keep(entry)
    }

    private func choose(after failed: FailedEndpoint?) async -> Result<EndpointTarget, NoEndpoint> {
        let outcome = await chooser.choose(plan, after: failed)
        report(outcome)
        return outcome.target.map { .success($0) }
            ?? .failure(NoEndpoint(error: outcome.failure, metSomebody: outcome.metSomebody))
    }
}

/// The end of a choice in which nothing proved to be the server.
package struct NoEndpoint: Error, Sendable {
    /// What became of each way.
    package var error: TransportError
    /// Whether somebody was met who is not the server, or does not show that they are.
    package var metSomebody: Bool
}

extension EndpointPlan {
    /// The target of a remembered way, where the record still has that way.
    fileprivate func target(_ entry: EndpointCache.Entry) -> EndpointTarget? {
        guard let target = targets.first(where: entry.names) else { return nil }
        return entry.socketAddress.map(target.at) ?? target
    }
}
