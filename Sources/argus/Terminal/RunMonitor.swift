import ArgusKit
import Synchronization

/// Shows the situation of a command that runs for long: to a person in the last line of the terminal,
/// and to the service manager.
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

    /// Prepares a run that begins with a status; only a service notifies the manager.
    ///
    /// - Throws: `Failure` of a setting.
    init(_ status: Status, isService: Bool, in context: Context) throws(Failure) {
        self.context = context
        zone = try context.displayZone()
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

    /// Half of the time within which the manager expects a sign of life.
    var signInterval: Duration? { notifier?.watchdogLimit.map { $0 / 2 } }

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

    /// Notes a change of the situation.
    func update(_ change: (inout Status) -> Void) {
        state.withLock { change(&$0.status) }
        show()
    }

    /// Reports that the run has begun.
    func ready() {
        guard !state.withLock({ exchange(&$0.isReady) }) else { return }
        send(.ready)
        show()
    }

    /// Reports that the run is about to end.
    func stopping() {
        if !state.withLock({ exchange(&$0.isStopping) }) { send(.stopping) }
    }

    /// Ends the display, after a failure with its message for the manager.
    func end(_ failure: Failure? = nil) {
        context.system.streams.statusLine.end()
        if let failure, notifier != nil { send(.status(failure.message.masked)) }
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
