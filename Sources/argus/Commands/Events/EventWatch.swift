import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// The feeds of a command's events, one for each server, and the display of what becomes of them.
struct EventWatch {
    /// A server of a watch, and what belongs to it alone.
    struct Member: Sendable {
        /// Its place among those of the watch.
        let index: Int
        let server: SignedInServer
        /// The state, which this process holds; nil without a name.
        let state: WatchState?
        /// The alert rules of its filter; nil without any.
        let rules: RuleWatch?
        fileprivate let ledger: EventLedger
        fileprivate let run: ServiceRun
    }

    let members: [Member]
    /// True if `--server` names several servers.
    private let areSeveral: Bool
    /// The servers that were left out.
    private let failures: [(name: String, failure: Failure)]
    private let filter: UnresolvedFilter
    /// The number of events after which it ends.
    private let wanted: Int?
    private let poll: Duration?
    private let context: Context
    private let display: RunDisplay<WatchStatus>

    /// Prepares the feed of one server.
    /// - Throws: `Failure` as for several.
    init(
        _ options: EventFilterOptions, on server: SignedInServer, stateNamed name: String? = nil,
        purpose: String? = nil, max: Int? = nil, poll: Duration? = nil, settles: Bool = false,
        postsWebhooks: Bool = false, isService: Bool = false, in context: Context
    ) async throws(Failure) {
        try await self.init(
            options, on: OpenServers(servers: [server], areSeveral: false), stateNamed: name,
            purpose: purpose, max: max, poll: poll, settles: settles,
            postsWebhooks: postsWebhooks, isService: isService, in: context)
    }

    /// Prepares feeds; `name` is that of a state, whose ledger goes on.
    ///
    /// Each of several servers has a state of its own, whose name ends with `@` and the server's id. A
    /// service reports to the service manager. `purpose` keeps the states of other commands than
    /// `events watch` apart. One that `settles` holds events back until the server has had the time to
    /// raise its own alarm; one that `postsWebhooks` names those of changed rules that it cannot post to.
    /// - Throws: `Failure` 2 for a state of another server or filter, 1 for one that is in use.
    init(
        _ options: EventFilterOptions, on servers: OpenServers, stateNamed name: String? = nil,
        purpose: String? = nil, max: Int? = nil, poll: Duration? = nil, settles: Bool = false,
        postsWebhooks: Bool = false, isService: Bool = false, in context: Context
    ) async throws(Failure) {
        (areSeveral, failures) = (servers.areSeveral, servers.failures)
        (self.context, wanted, self.poll) = (context, max, poll)
        var filter = try options.unresolved(in: context)
        filter.settles = settles
        self.filter = filter
        let names = servers.servers.map(\.name)
        display = try RunDisplay(
            WatchStatus(of: names, pause: poll ?? FeedSchedule.shortPause),
            of: names.count == 1 ? names[0] : "\(names.count) servers",
            isService: isService, in: context)
        var members: [Member] = []
        for (index, server) in servers.servers.enumerated() {
            let id = server.record?.id.text ?? server.name
            var state: WatchState?
            if let name {
                let stateName = areSeveral ? try StateName.name(name, ofServer: id) : name
                state = try await attempt(
                    awaiting: await WatchState(
                        stateName, of: id, purpose ?? options.conditionText,
                        in: context.system.paths.state,
                        at: context.now()))
            }
            members.append(
                Member(
                    index: index, server: server, state: state,
                    rules: filter.rules.map { _ in
                        RuleWatch(of: id, in: context.system.paths.state) { change in
                            context.console.report(change, postsWebhooks: postsWebhooks)
                        }
                    },
                    ledger: try attempt(state?.ledger.read()) ?? EventLedger(),
                    run: display.run.makePart()))
        }
        self.members = members
    }

    /// Hands events over until a stop is requested, the limit is reached, or `handle` has taken the
    /// last one; `stop` is called when a stop is requested or the limit is reached.
    ///
    /// An event that `handle` does not take comes again with the next pass. `flush`, given if `handle`
    /// prints, writes the rows out: with a state after each event, otherwise after all that are at hand.
    ///
    /// - Throws: `Failure` if every server refuses for good, or of `handle`: its event is not noted.
    func run(
        for limit: Duration?, signals rule: ServiceRun.SignalRule = .stops,
        stop: @escaping @Sendable () async -> Void = {}, flush: (() throws(Failure) -> Void)? = nil,
        _ handle: (Event, Member) async throws(Failure) -> Bool
    ) async throws(Failure) -> FeedEnd {
        try await display.perform(
            for: limit, signals: rule,
            stop: {
                await stopFeeds()
                await stop()
            }
        ) { () async throws(Failure) in
            try await handOver(to: handle, flush)
        }
    }

    /// Counts an event that set off no alarm.
    func note(_ hold: AlarmHold) {
        display.update { $0.held[hold.reason, default: 0] += 1 }
    }

    @Sendable private func stopFeeds() async {
        for member in members { await member.run.send(.stop) }
    }

    private func handOver(
        to handle: (Event, Member) async throws(Failure) -> Bool,
        _ flush: (() throws(Failure) -> Void)?
    ) async throws(Failure) -> FeedEnd {
        var end = FeedEnd()
        for (name, failure) in failures { leaveOut(name, failure, in: &end) }
        let group = WatchGroup(
            members.map { member -> @concurrent @Sendable () async -> sending EventFeed in
                { [filter, poll] in
                    await EventFeed(
                        of: member.server.session, filter, in: member.run, from: member.ledger,
                        keptIn: member.state, poll: poll, rules: member.rules)
                }
            })
        let handling = await result { () async throws(Failure) in
            while end.count != wanted, let step = await group.next() {
                let member = members[step.index]
                switch step.content {
                case .item(.event(let event, let isLate), let isLast):
                    if isLate { context.console.debug("event \(event.id) was stored late") }
                    let isTaken = try await handle(event, member)
                    if member.state != nil || isLast { try flush?() }
                    display.run.beat()
                    guard isTaken else { continue }
                    await group.accept()
                    display.update { $0.add(event, of: member.index) }
                    end.count += 1
                case .item(let item, _): await report(item, of: member)
                case .end: await complete(&end, by: step)
                }
            }
        }
        // The feeds end before the states are given back.
        await stopFeeds()
        while let step = await group.next() { await complete(&end, by: step) }
        try handling.get()
        if end.result.isFailed { try end.result.finish() }
        return end
    }

    /// Takes the end of a feed down.
    private func complete(_ end: inout FeedEnd, by step: WatchGroup.Step) async {
        guard case .end(let error, let hasGap, let isCurrent) = step.content else { return }
        let member = members[step.index]
        end.hasGap = end.hasGap || hasGap
        end.isCurrent = end.isCurrent || isCurrent
        guard let error else { return end.result.record(nil, of: member.server.name) }
        let failure = await member.server.failure(error, doing: "watch events")
        display.update { $0.servers[member.index].hasEnded = true }
        leaveOut(member.server.name, failure, in: &end)
    }

    /// Warns that one of several servers is not watched.
    private func leaveOut(_ name: String, _ failure: Failure, in end: inout FeedEnd) {
        end.result.record(failure, of: name)
        guard areSeveral else { return }
        context.console.warn("\(failure.summary); '\(name)' is not watched")
    }

    private func report(_ item: EventFeed.Item, of member: Member) async {
        switch item {
        case .event: break
        case .gap(let gap):
            reportGap((areSeveral ? "'\(member.server.name)': " : "") + text(of: gap), of: member)
        case .malformedRow:
            reportGap("'\(member.server.name)' sent a row that is not an event", of: member)
        case .notice(let notice): await report(notice, of: member)
        }
    }

    private func reportGap(_ what: String, of member: Member) {
        display.update { $0.servers[member.index].gaps += 1 }
        context.console.warnOfGap(what)
    }

    private func text(of gap: EventGap) -> String {
        let zone = context.console.timeZone
        let until = gap.until.displayText(in: zone)
        let range =
            gap.from.map { "from \($0.displayText(in: zone)) to \(until)" } ?? "until \(until)"
        let reason =
            switch gap.reason {
            case .deleted: "the server has deleted events before they were read"
            case .clockStep: "the server's clock went back too far to know which events are new"
            case .unreadable: "the server fails to list events"
            }
        return "\(reason), captured \(range)"
    }

    private func report(_ notice: FeedNotice, of member: Member) async {
        let (console, server, index) = (context.console, member.server, member.index)
        switch notice {
        case .ready:
            display.update { $0.servers[index].isCatchingUp = false }
            display.ready()
        case .filter(let notice): context.report(notice, of: server)
        case .listing(let notice): console.eventNotice(notice)
        case .connected:
            display.update { $0.servers[index].isAnnounced = true }
            console.debug("'\(server.name)' announces events")
        case .disconnected(let reason):
            display.update { $0.servers[index].isAnnounced = false }
            console.debug("'\(server.name)' no longer announces events: \(reason)")
        case .retrying(let error):
            display.reportUnreachable(
                await server.failure(error, doing: "watch events"),
                at: \.servers[index].unreachableSince)
        case .reachable:
            display.reportReachable(server.name, at: \.servers[index].unreachableSince)
        case .rateLimited:
            display.ready()
            display.update { $0.servers[index].isRateLimited = true }
            console.warn("'\(server.name)' limits requests; events come later")
        case .rateLimitEnded:
            display.update { $0.servers[index].isRateLimited = false }
            console.debug("'\(server.name)' no longer limits requests")
        case .vanished(let id): console.debug("the announced event \(id) is not there")
        case .notStored(let error):
            console.warn("\(error); after a restart events may come again")
        }
    }
}

struct FeedEnd {
    /// The events that were taken.
    var count = 0
    /// Some range could not be read without loss.
    var hasGap = false
    /// A server had listed its events, and answered in the end.
    var isCurrent = false
    /// The results of the servers.
    var result = BatchResult()

    /// - Throws: `Failure` 12 after a gap, 11 if some of several servers refused for good.
    func expectComplete() throws(Failure) {
        var result = result
        if hasGap {
            result.record(gap: Failure(.gap, "some events may be missing, as reported above"))
        }
        try result.finish()
    }
}

extension EventFilterOptions {
    /// The conditions as typed, to which a state belongs; times do not count as conditions.
    var conditionText: String {
        var words = cameras.map { "--camera \($0.text)" }
        words += types.flatMap { $0.values.map { "--type \($0)" } }
        words += [
            search.map { "--search \($0.text)" }, minConfidence.map { "--min-confidence \($0)" },
            isAlertsOnly ? "--alerts" : nil, source.map { "--source \($0.rawValue)" },
        ].compactMap(\.self)
        words += entities.map { "--entity \($0.text)" } + rules.map { "--rule \($0.text)" }
        if ruleZone != .local { words.append("--rule-zone \(ruleZone.rawValue)") }
        return words.joined(separator: " ")
    }

    /// Reads the conditions of a state; nil for those of another command than `events watch`.
    init?(conditionText text: String) {
        self.init()
        // A value may have blanks, but none begins like an option.
        var parts: [(flag: Flag<Self>, words: [Substring])] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let flag = Self.own.first(where: { "--\($0.info.long)" == word }) {
                parts.append((flag, []))
            } else if !parts.isEmpty {
                parts[parts.count - 1].words.append(word)
            } else if !text.isEmpty {
                return nil
            }
        }
        for (flag, words) in parts {
            let value = words.isEmpty ? nil : words.joined(separator: " ")
            guard (try? flag.update(value, &self)) != nil else { return nil }
        }
    }
}
