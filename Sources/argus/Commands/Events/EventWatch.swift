import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// A feed of a command's events: its start, its end and its reports.
struct EventWatch {
    let server: SignedInServer
    private let options: EventFilterOptions
    /// The start of a watch without a state.
    private let since: Timestamp?
    /// The number of events after which it ends.
    private let wanted: Int?
    private let poll: Duration?
    /// The state, which this process holds; nil without a name.
    let state: WatchState?
    private let context: Context
    private let monitor: RunMonitor<WatchStatus>
    /// Contains `true` once the server has sent a row that is not an event.
    private let malformed = SeenSet<Bool>()

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
        (self.server, self.options, self.context) = (server, options, context)
        (wanted, self.poll) = (max, poll)
        since = try options.time.resolve(in: context).since
        state =
            if let name {
                try await attempt(
                    awaiting: await WatchState(
                        name, of: server.record?.id.text ?? server.name,
                        purpose ?? options.conditionText,
                        in: context.system.paths.state, at: context.now()))
            } else { nil }
        monitor = try RunMonitor(
            WatchStatus(pause: poll ?? FeedSchedule.shortPause), isService: isService, in: context)
    }

    /// Hands events over until a stop is requested, the limit is reached, or `handle` has taken the
    /// last one; `stop` is called when a stop is requested or the limit is reached.
    ///
    /// An event that `handle` does not take comes again with the next pass. Without `endsInOrder` a
    /// signal kills, as it kills other commands. `flush`, given if `handle` prints, writes the rows
    /// out: with a state after each event, otherwise after all that are at hand. A signal then kills
    /// a watch whose reader has stopped.
    ///
    /// - Throws: `Failure` of a server that refuses for good, or of `handle`: its event is not noted.
    func run(
        for limit: Duration?, endsInOrder: Bool = true,
        stop: @escaping @Sendable () async -> Void = {}, flush: (() throws(Failure) -> Void)? = nil,
        _ handle: (Event) async throws(Failure) -> Bool
    ) async throws(Failure) -> FeedEnd {
        try await monitor.run(
            for: limit, endsInOrder: endsInOrder, killsIfBlocked: flush != nil, stop: stop
        ) { () async throws(Failure) in
            try await handOver(to: handle, flush)
        }
    }

    private func handOver(
        to handle: (Event) async throws(Failure) -> Bool,
        _ flush: (() throws(Failure) -> Void)?
    ) async throws(Failure) -> FeedEnd {
        var end = FeedEnd()
        guard let feed = try await feed() else { return end }
        let stream = FeedStream(
            of: server.session.client, to: monitor.inbox, sleep: context.system.sleep)
        let listening = Task { await stream.run() }
        defer { listening.cancel() }
        watching: while let item = try await server.attempt("watch events", await feed.next()) {
            switch item {
            case .event(let event, let isLate):
                if isLate { context.console.debug("event \(event.id) was stored late") }
                let isTaken = try await handle(event)
                if state != nil || !feed.hasEventAtHand { try flush?() }
                monitor.sign()
                guard isTaken else { continue }
                await feed.accept(event)
                monitor.update { status in
                    status.events += 1
                    status.last = event
                }
                end.count += 1
                if end.count == wanted { break watching }
            case .gap(let gap):
                end.hasGap = true
                report("gap: " + text(of: gap))
            case .notice(let notice): await report(notice)
            }
        }
        end.isCurrent = feed.isCurrent
        // It is there already after a malformed row.
        if !malformed.insert(true) { end.hasGap = true }
        return end
    }

    /// Makes the feed, as soon as a server that is down answers; nil if a stop was requested first.
    private func feed() async throws(Failure) -> EventFeed? {
        // The server knows the ids of cameras.
        let filter = try await monitor.retrying { () async throws(Failure) in
            try await options.resolve(with: server, in: context)
        }
        guard let filter else { return nil }
        monitor.reportReachable(server.name)
        let source = SessionFeedServer(
            server.session, filter, endedBy: monitor.inbox.cancellation, now: context.now,
            monotonic: context.system.monotonic, notify: context.console.eventNotice,
            progress: monitor.sign
        ) { [malformed, self] in
            guard malformed.insert(true) else { return }
            report("gap: '\(server.name)' sent a row that is not an event")
        }
        let ledger = try attempt(state?.ledger.read() ?? EventLedger())
        // The difference is useless if the clock was set back in between.
        let waited = state.map { max(context.now() - $0.begunAt, .zero) }
        return await EventFeed(
            source, monitor.pause, from: ledger, keptIn: state?.ledger, start: since,
            waited: ledger.lastPass == nil ? waited ?? .zero : .zero, poll: poll)
    }

    private func report(_ gap: String) {
        monitor.update { $0.gaps += 1 }
        context.console.noticeAlways("argus: " + gap)
    }

    private func text(of gap: FeedGap) -> String {
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
        case .connected:
            monitor.update { $0.isLive = true }
            console.debug("'\(server.name)' announces events")
        case .disconnected(let reason):
            monitor.update { $0.isLive = false }
            console.debug("'\(server.name)' no longer announces events: \(reason)")
        case .unreachable(let error):
            monitor.reportUnreachable(await server.failure(error, doing: "watch events"))
        case .reachable: monitor.reportReachable(server.name)
        case .rateLimited:
            monitor.update { $0.isRateLimited = true }
            console.warn("'\(server.name)' limits requests; events come later")
        case .rateLimitEnded:
            monitor.update { $0.isRateLimited = false }
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
