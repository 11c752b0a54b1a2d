import ArgusKit

// By which way a known server is reached (contract section 7).
extension Context {
    /// The ways to a server that the options and this network leave.
    ///
    /// - Throws: `Failure` 6 where the server has none of the kind asked for, 9 where plain http is
    ///   all there is and not allowed here.
    func usableWays(to record: ServerRecord) throws(Failure) -> [ServerWay] {
        let chosen = try setting(.via, option: globals.via?.rawValue)?.text
        let via = chosen.flatMap(Via.init(rawValue:)) ?? .auto
        let ways = record.ways.filter { via == .auto || $0.kind.rawValue == via.rawValue }
        guard !ways.isEmpty else {
            var failure = Failure(
                .unreachable, "'\(record.name)' has no \(via.rawValue) address",
                hint: "'argus server show \(record.name)' tells its addresses",
                reason: "no_address")
            failure.needsAction = true
            throw failure
        }
        var usable: [ServerWay] = []
        var refusal: Failure?
        for way in ways {
            do throws(Failure) {
                _ = try address(of: way, record)
                usable.append(way)
            } catch {
                note("\(way.kind.rawValue) \(way.address) is left out: \(error.message)")
                refusal = refusal ?? error
            }
        }
        if let refusal, usable.isEmpty { throw refusal }
        return usable
    }

    /// The client of a known server, without credentials, and what finds the way to it.
    func client(
        to record: ServerRecord, knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(Failure) -> (client: APIClient, ways: WaySwitch) {
        let usable = try usableWays(to: record)
        guard let first = usable.first else {
            preconditionFailure("usableWays gives at least one way or throws")
        }
        let primary = try address(of: first, record)
        let reports = wayReports
        let decider = try decider(of: record, among: usable) { report in
            reports.add(report)
            for line in report.lines { note(line) }
        }
        if let (target, moment) = decider.remembered {
            note("way: \(target), last proved \(moment.displayText(in: timeZone))")
        }
        let headers = KeptRelayHeaders(self, record)
        let ways = WaySwitch(
            try requestTransport(), for: primary, deciding: decider,
            relayHeaders: headers.fields)
        var client = try client(for: primary, by: first, knowledge: knowledge)
        client.transport = try patient(ways)
        return (client, ways)
    }

    /// What decides among the ways of a server, and tells what it found out.
    func decider(
        of record: ServerRecord, among usable: [ServerWay],
        _ report: @escaping @Sendable (WayReport) -> Void
    ) throws(Failure) -> WayDecider {
        var targets: [WayTarget] = []
        for way in usable {
            targets.append(
                WayTarget(
                    way.kind, try address(of: way, record), proof: proof(of: way),
                    fingerprint: way.fingerprint))
        }
        let (allowances, network) = (record.plainHTTPAllowances, world.lookedUpNetwork)
        let plan = WayPlan(targets: targets, link: world.link) { address in
            switch PlainHTTPRule.decide(
                address.origin, allowances: allowances, network: network())
            {
            case .allowed: nil
            case .refused(let refusal):
                TransportError(.identityRefused, refusal.reason, nothingSent: true)
            }
        }
        let transport = try bareTransport()
        return WayDecider(
            plan, by: WayChooser(transport, world.browser, locating: transport.endpoint),
            memory: plan.hasAlternatives ? memory(of: record) : nil, now: now, report: report)
    }

    /// The ways that a server was reached by before.
    func memory(of record: ServerRecord) -> WayMemory? {
        WayMemory(world.paths.state, record.id, on: world.network, link: world.link)
    }
}
