import ArgusCore
import ArgusEvents
import Synchronization

/// Runs a command that runs for long to its end, and shows its situation: to a person in the last line
/// of the terminal, and to the service manager.
final class RunMonitor<Status: RunStatus>: Sendable {
    private struct State {
        var status: Status
        var isReady = false
        var isStopping = false
        /// The time since boot of the last sign of life.
        var lastSign = Duration.zero
    }

    private let notifier: ServiceNotifier?
    private let line: StatusLine?
    private let zone: TimeZoneRules
    private let context: Context
    private let state: Mutex<State>
    /// The signals for the run, such as a request to stop.
    let inbox: FeedInbox

    /// The first and the longest pause while the server does not answer; each doubles the one before.
    private static var pauses: ClosedRange<Duration> { .seconds(1) ... .seconds(60) }

    /// Prepares a run that begins with a status; only a service notifies the manager.
    init(_ status: Status, isService: Bool, in context: Context) throws(Failure) {
        self.context = context
        zone = try context.displayZone()
        inbox = FeedInbox(monotonic: context.system.monotonic, sleep: context.system.sleep)
        notifier = isService ? ServiceNotifier(context.system.environment) : nil
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

    /// The pauses of the run, with a sign of life in each half of the time within which the manager
    /// expects one.
    var pause: MonitoredPause {
        MonitoredPause(inbox, every: notifier?.watchdogLimit.map { $0 / 2 }, sign: sign)
    }

    /// Notes that the run goes on.
    func sign() {
        guard let limit = notifier?.watchdogLimit else { return }
        let now = Duration.sinceBoot()
        let isDue = state.withLock { state in
            guard state.isReady, now - state.lastSign >= limit / 4 else { return false }
            state.lastSign = now
            return true
        }
        if isDue { send(.alive) }
    }

    func update(_ change: (inout Status) -> Void) {
        state.withLock { change(&$0.status) }
        show()
    }

    func ready() {
        guard !state.withLock({ exchange(&$0.isReady) }) else { return }
        send(.ready)
        show()
    }

    private func stopping() {
        if !state.withLock({ exchange(&$0.isStopping) }) { send(.stopping) }
    }

    /// Ends the display, after a failure with its message for the manager.
    private func end(_ failure: Failure? = nil) {
        context.system.streams.statusLine.end()
        if let failure, notifier != nil { send(.status(failure.message)) }
        stopping()
    }

    private func show() {
        let (status, isReady) = state.withLock { ($0.status, $0.isReady) }
        guard isReady, line != nil || notifier != nil else { return }
        let clauses = status.clauses(in: zone, now: context.now())
        line?.show(clauses.joined(separator: " | "), in: status.isDisturbed ? .yellow : .dim)
        if notifier != nil { send(.status(clauses.joined(separator: "; ").masked)) }
    }

    private func send(_ message: ServiceNotifier.Message) {
        do throws(Errno) {
            try notifier?.send(message)
        } catch {
            context.console.debug("cannot notify the service manager: \(error)")
        }
    }

    private func exchange(_ flag: inout Bool) -> Bool {
        defer { flag = true }
        return flag
    }
}

// The end of a run, and servers that are down.
extension RunMonitor {
    /// Runs work to its end; a request to stop, or the limit, sends `.stop` to the inbox and calls
    /// `stop`.
    ///
    /// Without `endsInOrder` a signal kills, as it kills other commands. With `killsIfBlocked` a signal
    /// also kills a run whose reader takes nothing.
    func run<Value>(
        for limit: Duration?, endsInOrder: Bool = true, killsIfBlocked: Bool = false,
        stop: @escaping @Sendable () async -> Void, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let requestStop = { @Sendable [inbox] in
            await inbox.send(.stop)
            await stop()
        }
        // A signal, or a reader that has left, is a normal end.
        if endsInOrder {
            Signals.onEndRequest { [self] signal in
                Task {
                    stopping()
                    await requestStop()
                }
                if killsIfBlocked, let signal { OutputReader.killIfBlocked(by: signal) }
            }
        }
        let timer = limit.map { limit in
            Task { [context] in
                await context.sleep(limit)
                if !Task.isCancelled { await requestStop() }
            }
        }
        defer { timer?.cancel() }
        do throws(Failure) {
            let value = try await work()
            end()
            return value
        } catch {
            end(error)
            throw error
        }
    }

    /// Repeats work until the server answers; nil if a stop is requested first.
    ///
    /// - Throws: `Failure` of a server that refuses for good.
    func retrying<Value>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let pause = pause
        var delay = Self.pauses.lowerBound
        while await !pause.isStopped() {
            do throws(Failure) {
                return try await work()
            } catch {
                guard error.isRetryable else { throw error }
                if await pause.isStopped() { return nil }
                reportUnreachable(error)
                if await pause.wait(until: await pause.now() + delay) == .stop { return nil }
                delay = min(delay * 2, Self.pauses.upperBound)
            }
        }
        return nil
    }

    /// Notes that the server does not answer, and warns at the first time.
    func reportUnreachable(_ failure: Failure) {
        ready()
        let isNew = state.withLock { state in
            defer { state.status.unreachableSince = state.status.unreachableSince ?? context.now() }
            return state.status.unreachableSince == nil
        }
        show()
        if isNew { context.console.warn(failure.message + "; trying again") }
    }

    /// Notes that the server answers, and reports it if it did not before.
    func reportReachable(_ server: String) {
        ready()
        let wasUnreachable = state.withLock { $0.status.unreachableSince.take() != nil }
        guard wasUnreachable else { return }
        show()
        context.console.notice("'\(server)' answers again")
    }
}
