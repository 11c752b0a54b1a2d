import ArgusCore
import ArgusEvents
import Synchronization

/// Shows the situation of a command that runs for long: to a person in the last line of the terminal,
/// and to the service manager.
final class RunDisplay<Status: RunStatus>: Sendable {
    private struct State {
        var status: Status
        var isReady = false
        var isStopping = false
    }

    /// The run that is shown.
    let run: ServiceRun
    private let notifier: ServiceNotifier?
    private let watchdog: Watchdog?
    private let line: StatusLine?
    /// The name of the server, or the number of servers, for people.
    private let server: String
    private let start: Timestamp
    private let zone: TimeZoneRules
    private let context: Context
    private let state: Mutex<State>

    /// Prepares a run that begins with a status; only a service notifies the manager.
    init(
        _ status: Status, of server: String, isService: Bool, in context: Context
    ) throws(Failure) {
        (self.server, self.context) = (server, context)
        start = context.now()
        zone = try context.displayZone()
        let notifier = isService ? ServiceNotifier(context.system.environment) : nil
        self.notifier = notifier
        let debug = context.console.debug
        watchdog = notifier?.watchdogLimit.map { limit in
            Watchdog(within: limit, monotonic: context.system.monotonic) {
                notifier?.send(.alive, debug: debug)
            }
        }
        run = ServiceRun(context.system.clock, watchdog: watchdog)
        state = Mutex(State(status: status))
        let (terminal, line) = (context.terminal, context.system.streams.statusLine)
        if terminal.isOutputTerminal {
            let variables = context.system.environment.variables
            line.begin(terminal.errorStyle) { Terminal.width(environment: variables) }
            let isPlain = ["", "dumb"].contains(variables["TERM"] ?? "")
            let isShown = terminal.isErrorTerminal && !isPlain && !context.console.isQuiet
            self.line = isShown ? line : nil
        } else {
            self.line = nil
        }
    }

    /// Runs work to its end, as `ServiceRun.perform` does, and ends the display; the manager gets the
    /// message of a failure.
    func perform<Value>(
        for limit: Duration?, signals rule: ServiceRun.SignalRule,
        stop: @escaping @Sendable () async -> Void,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        show()
        let value = await result { () async throws(Failure) in
            try await run.perform(
                for: limit, signals: rule, onSignal: { [self] in stopping() }, onStop: stop, work)
        }
        context.system.streams.statusLine.end()
        if case .failure(let failure) = value { send(.status(failure.message)) }
        stopping()
        return try value.get()
    }

    func update(_ change: (inout Status) -> Void) {
        state.withLock { change(&$0.status) }
        show()
    }

    /// Shows that the service is ready, and from then on its status.
    func ready() {
        guard !state.withLock({ exchange(&$0.isReady) }) else { return }
        send(.ready)
        watchdog?.start()
        show()
    }

    /// Shows since when a server does not answer, and warns at the first time.
    func reportUnreachable(
        _ failure: Failure, at since: any WritableKeyPath<Status, Timestamp?> & Sendable
    ) {
        ready()
        let isNew = state.withLock { state in
            defer { state.status[keyPath: since] = state.status[keyPath: since] ?? context.now() }
            return state.status[keyPath: since] == nil
        }
        show()
        if isNew { context.console.warn(failure.message + "; trying again") }
    }

    /// Shows that a server answers, and reports it if it did not before.
    func reportReachable(
        _ server: String, at since: any WritableKeyPath<Status, Timestamp?> & Sendable
    ) {
        ready()
        let wasUnreachable = state.withLock { $0.status[keyPath: since].take() != nil }
        guard wasUnreachable else { return }
        show()
        context.console.notice("'\(server)' answers again")
    }

    private func stopping() {
        if !state.withLock({ exchange(&$0.isStopping) }) { send(.stopping) }
    }

    private func show() {
        let (status, isReady) = state.withLock { ($0.status, $0.isReady) }
        let now = context.now()
        let color: TextColor = status.isDisturbed ? .yellow : .dim
        line?.show(
            status.lines(of: server, since: start, in: zone, now: now),
            dot: status.isLive ? .green : color, in: color)
        guard isReady, notifier != nil else { return }
        send(.status(status.clauses(in: zone, now: now).joined(separator: "; ").masked))
    }

    private func send(_ message: ServiceNotifier.Message) {
        notifier?.send(message, debug: context.console.debug)
    }

    private func exchange(_ flag: inout Bool) -> Bool {
        defer { flag = true }
        return flag
    }
}

extension ServiceNotifier {
    /// Sends a message; a manager that does not take it is worth a debug message.
    fileprivate func send(_ message: Message, debug: (String) -> Void) {
        do throws(Errno) {
            try send(message)
        } catch {
            debug("cannot notify the service manager: \(error)")
        }
    }
}
