import ArgusKit

// By which way a known server is reached (contract section 7).
extension Context {
    /// The ways to a server that the options and this network leave.
    ///
    /// - Throws: `Failure` 6 where the server has none of the kind asked for, 9 where plain http is
    ///   all there is and not allowed here.
    func usableEndpoints(to record: ServerRecord) throws(Failure) -> [Endpoint] {
        let chosen = try setting(.via, option: globals.via?.rawValue)?.text
        let via = chosen.flatMap(Via.init(rawValue:)) ?? .auto
        let endpoints = record.endpoints.filter { via == .auto || $0.kind.rawValue == via.rawValue }
        guard !endpoints.isEmpty else {
            var failure = Failure(
                .unreachable, "'\(record.name)' has no \(via.rawValue) address",
                hint: "'argus server show \(record.name)' tells its addresses",
                reason: "no_address")
            failure.needsAction = true
            throw failure
        }
        var usable: [Endpoint] = []
        var refusal: Failure?
        for endpoint in endpoints {
            do throws(Failure) {
                _ = try address(of: endpoint, record)
                usable.append(endpoint)
            } catch {
                debug("\(endpoint.kind.rawValue) \(endpoint.address) is left out: \(error.message)")
                refusal = refusal ?? error
            }
        }
        if let refusal, usable.isEmpty { throw refusal }
        return usable
    }

    /// The client of a known server, without credentials, and what finds the way to it.
    func client(
        to record: ServerRecord, knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(Failure) -> (client: APIClient, endpoints: FailoverTransport) {
        let usable = try usableEndpoints(to: record)
        guard let first = usable.first else {
            preconditionFailure("usableWays gives at least one way or throws")
        }
        let primary = try address(of: first, record)
        let reports = endpointReports
        let decider = try decider(of: record, among: usable) { report in
            reports.add(report)
            for line in report.lines { debug(line) }
        }
        if let (target, moment) = decider.remembered {
            debug("way: \(target), last proved \(moment.displayText(in: timeZone))")
        }
        let headers = StoredRelayHeaders(self, record)
        let endpoints = FailoverTransport(
            try requestTransport(), for: primary, deciding: decider,
            relayHeaders: headers.fields)
        var client = try client(for: primary, by: first, knowledge: knowledge)
        client.transport = try patient(endpoints)
        return (client, endpoints)
    }

    /// What decides among the ways of a server, and tells what it found out.
    func decider(
        of record: ServerRecord, among usable: [Endpoint],
        _ report: @escaping @Sendable (EndpointReport) -> Void
    ) throws(Failure) -> EndpointSelector {
        var targets: [EndpointTarget] = []
        for endpoint in usable {
            targets.append(
                EndpointTarget(
                    endpoint.kind, try address(of: endpoint, record), proof: proof(of: endpoint),
                    fingerprint: endpoint.fingerprint))
        }
        let (allowances, network) = (record.plainHTTPAllowances, system.lookedUpNetwork)
        let plan = EndpointPlan(targets: targets, link: system.link) { address in
            switch PlainHTTPRule.decide(
                address.origin, allowances: allowances, network: network())
            {
            case .allowed: nil
            case .refused(let refusal):
                TransportError(.identityRefused, refusal.reason, nothingSent: true)
            }
        }
        let transport = try bareTransport()
        return EndpointSelector(
            plan, by: EndpointRace(transport, system.browser, locating: transport.socketAddress),
            memory: plan.hasAlternatives ? memory(of: record) : nil, now: now, report: report)
    }

    /// The ways that a server was reached by before.
    func memory(of record: ServerRecord) -> EndpointCache? {
        EndpointCache(system.paths.state, record.id, on: system.network, link: system.link)
    }
}
