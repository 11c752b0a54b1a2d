import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// The feed of a command's events, and the display of what becomes of it.
struct EventWatch {
    let server: SignedInServer
    /// The state, which this process holds; nil without a name.
    let state: WatchState?
    private let filter: UnresolvedFilter
    /// The number of events after which it ends.
    private let wanted: Int?
    private let poll: Duration?
    private let context: Context
    private let display: RunDisplay<WatchStatus>

    /// Prepares a feed; `name` is that of a state, whose ledger goes on.
    ///
    /// A service reports to the service manager. `purpose` keeps the states of other commands than
    /// `events watch` apart.
    /// - Throws: `Failure` 2 for a state of another server or filter, 1 for one that is in use.
    init(
        _ options: EventFilterOptions, on server: SignedInServer, stateNamed name: String? = nil,
        purpose: String? = nil, max: Int? = nil, poll: Duration? = nil, isService: Bool = false,
        in context: Context
    ) async throws(Failure) {
        (self.server, self.context, wanted, self.poll) = (server, context, max, poll)
        filter = try options.unresolved(in: context)
        state =
            if let name {
                try await attempt(
                    awaiting: await WatchState(
                        name, of: server.record?.id.text ?? server.name,
                        purpose ?? options.conditionText,
                        in: context.system.paths.state, at: context.now()))
            } else { nil }
        display = try RunDisplay(
            WatchStatus(pause: poll ?? FeedSchedule.shortPause), of: server.name,
            isService: isService, in: context)
    }

    /// Hands events over until a stop is requested, the limit is reached, or `handle` has taken the
    /// last one; `stop` is called when a stop is requested or the limit is reached.
    ///
    /// An event that `handle` does not take comes again with the next pass. `flush`, given if `handle`
    /// prints, writes the rows out: with a state after each event, otherwise after all that are at hand.
    ///
    /// - Throws: `Failure` of a server that refuses for good, or of `handle`: its event is not noted.
    func run(
        for limit: Duration?, signals rule: ServiceRun.SignalRule = .stops,
        stop: @escaping @Sendable () async -> Void = {}, flush: (() throws(Failure) -> Void)? = nil,
        _ handle: (Event) async throws(Failure) -> Bool
    ) async throws(Failure) -> FeedEnd {
        try await display.perform(for: limit, signals: rule, stop: stop) {
            () async throws(Failure) in
            try await handOver(to: handle, flush)
        }
    }

    private func handOver(
        to handle: (Event) async throws(Failure) -> Bool,
        _ flush: (() throws(Failure) -> Void)?
    ) async throws(Failure) -> FeedEnd {
        let feed = try await attempt(
            awaiting: await EventFeed(
                of: server.session, filter, in: display.run, keptIn: state, poll: poll))
        var end = FeedEnd()
        let items = feed.explained { await server.failure($0, doing: "watch events") }
        for try await item in items {
            switch item {
            case .event(let event, let isLate):
                if isLate { context.console.debug("event \(event.id) was stored late") }
                let isTaken = try await handle(event)
                if state != nil || !feed.hasEventAtHand { try flush?() }
                display.run.beat()
                guard isTaken else { continue }
                await feed.accept(event)
                display.update { status in
                    status.events += 1
                    status.lastEvent = event
                }
                end.count += 1
                if end.count == wanted { return end.completed(by: feed) }
            case .gap(let gap): reportGap(text(of: gap))
            case .malformedRow: reportGap("'\(server.name)' sent a row that is not an event")
            case .notice(let notice): await report(notice)
            }
        }
        return end.completed(by: feed)
    }

    private func reportGap(_ what: String) {
        display.update { $0.gaps += 1 }
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

    private func report(_ notice: FeedNotice) async {
        let console = context.console
        switch notice {
        case .ready:
            display.update { $0.isCatchingUp = false }
            display.ready()
        case .filter(let notice): context.report(notice, of: server)
        case .listing(let notice): console.eventNotice(notice)
        case .connected:
            display.update { $0.isAnnounced = true }
            console.debug("'\(server.name)' announces events")
        case .disconnected(let reason):
            display.update { $0.isAnnounced = false }
            console.debug("'\(server.name)' no longer announces events: \(reason)")
        case .retrying(let error):
            display.reportUnreachable(await server.failure(error, doing: "watch events"))
        case .reachable: display.reportReachable(server.name)
        case .rateLimited:
            display.ready()
            display.update { $0.isRateLimited = true }
            console.warn("'\(server.name)' limits requests; events come later")
        case .rateLimitEnded:
            display.update { $0.isRateLimited = false }
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
    /// The server had listed its events, and answered in the end.
    var isCurrent = false

    fileprivate func completed(by feed: EventFeed) -> FeedEnd {
        FeedEnd(count: count, hasGap: feed.hasGap, isCurrent: feed.isCurrent)
    }

    func expectNoGap() throws(Failure) {
        guard hasGap else { return }
        throw Failure(.gap, "some events may be missing, as reported above")
    }
}

extension EventFilterOptions {
    /// The conditions as typed, to which a state belongs; times do not count as conditions.
    fileprivate var conditionText: String {
        var words = cameras.map { "--camera \($0)" }
        words += types.flatMap { $0.values.map { "--type \($0)" } }
        words += [
            search.map { "--search \($0.text)" }, minConfidence.map { "--min-confidence \($0)" },
            isAlertsOnly ? "--alerts" : nil, source.map { "--source \($0.rawValue)" },
        ].compactMap(\.self)
        return words.joined(separator: " ")
    }
}
