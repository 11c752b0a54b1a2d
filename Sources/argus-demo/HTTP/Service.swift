import NIOConcurrencyHelpers

/// Answers requests: the state behind its lock, the routes, the faults and the log.
final class Service: Sendable {
    let options: Options
    private let state: NIOLockedValueBox<State>
    let hub = Hub()
    /// All connections, WebSockets included.
    let connections = ChannelSet()
    /// True while the server restarts, and takes no connections.
    let isRestarting = NIOLockedValueBox(false)
    private let routes: [Route]
    private let faults: NIOLockedValueBox<[Fault]>
    private let echo = NIOLockedValueBox(Echo())
    private let log: LineLog?
    private let eventLog: LineLog?

    init(_ options: Options, now: Moment) throws(SystemFailure) {
        self.options = options
        state = NIOLockedValueBox(State(options.settings, now: now))
        switch options.settings.api {
        case .current: routes = CurrentAPI.routes
        case .mobile: routes = MobileAPI.routes
        case .documented: routes = DocumentedAPI.routes
        }
        faults = NIOLockedValueBox(options.faults)
        log = try LineLog(path: options.logPath)
        eventLog = try LineLog(path: options.eventLogPath)
    }

    /// Reads or changes the state under its lock.
    func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try state.withLockedValue(body)
    }

    /// A fresh access token for the account of the greeting.
    var demoToken: String {
        withState { state in
            state.accounts[username: Accounts.username].map {
                state.accessToken(for: $0, now: .now)
            } ?? ""
        }
    }

    func replaceFaults(by faults: [Fault]) { self.faults.withLockedValue { $0 = faults } }

    /// Answers a request and broadcasts the resulting messages.
    func reply(to request: Request) -> Reply {
        guard request.header("upgrade")?.lowercased() != "websocket" else {
            var refusal = Answer(status: 403, type: "text/plain")
            refusal.dropsConnection = true
            return Reply(answer: refusal)
        }
        log?.write(request.logLine)
        // A fault behind the one that applies does not count the request.
        let fault = faults.withLockedValue { faults in
            faults.indices.first { faults[$0].matches(request) && faults[$0].strikes() }
                .map { faults[$0] }
        }
        // A fault that replaces the whole answer must not change the state.
        let isReplaced = fault.map { fault in
            fault.status != nil || fault.body != nil
                || [.reset, .garbage, .silent].contains(fault.delivery)
        }
        let answer = isReplaced == true ? .noContent : answer(request)
        guard let fault else { return Reply(answer: answer) }
        var changed = fault.change(answer)
        if fault.echoes {
            changed = echo.withLockedValue { echo in
                echo.record(request)
                return echo.change(changed)
            }
        }
        return Reply(
            answer: changed, delayMilliseconds: fault.delayMilliseconds, delivery: fault.delivery)
    }

    /// Answers a request without log and faults.
    func answer(_ request: Request) -> Answer {
        change { state in
            state.flip(until: request.now)
            let answer = routes.answer(request, &state)
            state.traffic.count(request, status: answer.status)
            return answer
        }
    }

    /// Does what is due by now.
    func catchUp(now: Moment = .now) {
        change { $0.flip(until: now) }
    }

    /// Changes the state, then logs and announces what was stored.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, messages, lines, webhooks) = withState { state in
            defer { (state.outbox, state.journal, state.webhooks) = ([], [], []) }
            let result = body(&state)
            return (result, state.outbox, state.journal, state.webhooks)
        }
        for line in lines { eventLog?.write(line) }
        for message in messages { hub.broadcast(message) }
        for webhook in webhooks { webhook.send() }
        return result
    }
}
