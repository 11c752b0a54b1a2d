import NIOConcurrencyHelpers
/// Answers requests: the state behind its lock, the routes, the faults and the log.
final class Service: Sendable {
    /// An answer and its delivery.
    struct Reply: Sendable {
        var answer: Answer
        var delayMilliseconds: Int64 = 0
        var delivery = Fault.Delivery.whole
    }

    let options: Options
    private let state: NIOLockedValueBox<State>
    let hub = Hub()
    private let router: Router
    private let faults: NIOLockedValueBox<Faults>
    private let echo = NIOLockedValueBox(Echo())
    private let log: RequestLog?

    /// - Throws: The error of opening the log.
    init(_ options: Options, now: Moment) throws(SystemFailure) {
        self.options = options
        state = NIOLockedValueBox(State(options.settings, now: now))
        switch options.settings.api {
        case .current: router = Router(routes: CurrentAPI.routes)
        case .mobile: router = Router(routes: MobileAPI.routes)
        case .documented: router = Router(routes: DocumentedAPI.routes)
        }
        faults = NIOLockedValueBox(Faults(options.faults))
        if let path = options.logPath { log = try RequestLog(path: path) } else { log = nil }
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

    /// Replaces the remaining faults.
    func replaceFaults(by faults: [Fault]) { self.faults.withLockedValue { $0 = Faults(faults) } }

    /// Answers a request and broadcasts the resulting messages.
    func reply(to request: Request) -> Reply {
        log?.write(request)
        let fault = faults.withLockedValue {
            $0.strike(method: request.method.rawValue, path: request.path)
        }
        // A fault that replaces the whole answer must not change the state.
        let isReplaced = fault.map { $0.status != nil || $0.body != nil || !$0.delivery.answers }
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
        let (answer, messages) = withState { state in
            let answer = router.answer(request, &state)
            defer { state.outbox = [] }
            return (answer, state.outbox)
        }
        for message in messages { hub.broadcast(message) }
        return answer
    }
}

extension Fault.Delivery {
    /// True if any of the answer reaches the client.
    fileprivate var answers: Bool {
        switch self {
        case .reset, .garbage, .silent: false
        case .whole, .truncated, .dripped, .endless: true
        }
    }
}
