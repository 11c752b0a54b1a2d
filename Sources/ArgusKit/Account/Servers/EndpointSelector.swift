package import ArgusCore
package import ArgusTransport

/// Selects the remembered endpoint of a server, or the winner of a race that all processes share.
package struct EndpointSelector: Sendable {
    let plan: EndpointPlan
    private let race: EndpointRace
    private let memory: EndpointCache?
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (EndpointReport) -> Void
    /// The remembered endpoint at the start, and the time of its last proof.
    package let remembered: (target: EndpointTarget, provedAt: Timestamp)?

    /// The interval after which a repeated proof is stored again.
    private static let renewal: Duration = .seconds(3600)

    /// Makes a selector; without a cache every process decides for itself.
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
    }

    /// The endpoint that needs no race: the remembered one, or the only one.
    ///
    /// Nil for a name whose address is worth remembering for later commands.
    package var settled: EndpointTarget? {
        if let remembered { return remembered.target }
        guard let only = plan.targets.only else { return nil }
        return only.isToBeLocated && memory != nil ? nil : only
    }

    /// True if the server has several usable endpoints.
    var isChoice: Bool { plan.targets.count > 1 }

    /// Selects an endpoint, instead of a failed one if given.
    package func decide(
        insteadOf failed: FailedEndpoint?
    ) async -> Result<EndpointTarget, NoEndpoint> {
        guard let memory else { return await choose(after: failed) }
        let isFailed = { (target: EndpointTarget) in
            failed?.target.isSameConnection(as: target) == true
        }
        return await memory.withSelectionLock {
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

    /// Stores that a remembered endpoint has proved its identity again.
    package func confirm(_ target: EndpointTarget) {
        guard let memory, let remembered, remembered.target.isSameConnection(as: target),
            now() - remembered.provedAt > Self.renewal, var entry = memory.entry(at: now())
        else { return }
        entry.provedAt = now()
        memory.keep(entry)
    }

    private func choose(after failed: FailedEndpoint?) async -> Result<EndpointTarget, NoEndpoint> {
        let outcome = await race.choose(plan, after: failed)
        report(outcome)
        return outcome.target.map { .success($0) }
            ?? .failure(
                NoEndpoint(error: outcome.failure, metUnprovedServer: outcome.metUnprovedServer))
    }
}

/// The result of a race in which no server proved its identity.
package struct NoEndpoint: Error, Sendable {
    /// The results of all attempts.
    package var error: TransportError
    /// True if a server answered that did not prove to be the right one.
    package var metUnprovedServer: Bool
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
