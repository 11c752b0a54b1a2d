internal import Glibc
internal import Synchronization

/// A progress line on standard error that disappears when the work is done.
///
/// Shows nothing for the first half second, and nothing if standard error is not a terminal.
/// Several tasks may report to one instance. Write errors are ignored: results do not depend on it.
package final class Progress: Sendable {
    package enum Unit: Sendable {
        case bytes
        /// A word in the singular and the plural: `event`, `events`.
        case items(String, String)
    }

    private struct State {
        var completed: Int
        var total: Int?
        var lastDrawn: ContinuousClock.Instant?
        var isOver = false
    }

    /// The time before the line first appears.
    package static let delay = Duration.milliseconds(500)
    /// The shortest time between two updates.
    private static let interval = Duration.milliseconds(100)

    private let label: String
    private let unit: Unit
    private let sink: ByteSink?
    /// Receives the amount of work that is done, and the total if it is known.
    private let report: (@Sendable (Int, Int?) -> Void)?
    private let width: Int
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// Begins a piece of work, of which some may be `completed`; without a `sink` nothing is shown, and
    /// `report` receives the same in numbers.
    package init(
        _ label: String, unit: Unit, completed: Int = 0, total: Int? = nil, terminal: Terminal,
        sink: ByteSink?, report: (@Sendable (Int, Int?) -> Void)? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.label = Sanitizer.visible(label)
        self.unit = unit
        self.sink = terminal.isErrorTerminal ? sink : nil
        self.report = report
        width = terminal.width
        start = now()
        self.now = now
        state = Mutex(State(completed: completed, total: total))
    }

    /// Sets the amount of the whole work, once it is known; nil if it is not.
    package func setTotal(_ total: Int?) { state.withLock { $0.total = total } }

    /// Sets the amount of work that is left, once it is known; nil if it is not.
    package func expect(_ left: Int?) {
        state.withLock { state in state.total = left.map { state.completed + $0 } }
    }

    /// Adds an amount to the work done.
    package func advance(by amount: Int) {
        guard sink != nil || report != nil else { return }
        let instant = now()
        state.withLock { state in
            state.completed += amount
            let isDue =
                state.lastDrawn.map { instant - $0 >= Self.interval }
                ?? (instant - start >= Self.delay)
            guard isDue, !state.isOver else { return }
            report?(state.completed, state.total)
            guard let sink else { return state.lastDrawn = instant }
            guard TerminalState.isForeground(STDERR_FILENO) else { return }
            state.lastDrawn = instant
            let line = DisplayWidth.truncate(text(state.completed, of: state.total), to: width - 1)
            sink.show("\r\(line)\u{1B}[K")
        }
    }

    /// Redraws the line during a long step, until the task is cancelled.
    package func drawRegularly() -> Task<Void, Never>? {
        guard sink != nil else { return nil }
        return Task { [self] in
            while !Task.isCancelled {
                advance(by: 0)
                try? await Task.sleep(for: Self.delay / 2)
            }
        }
    }

    /// Removes the line for good.
    package func finish() {
        state.withLock { state in
            erase(&state)
            state.isOver = true
        }
    }

    private func erase(_ state: inout State) {
        guard let sink, state.lastDrawn != nil, TerminalState.isForeground(STDERR_FILENO) else {
            return
        }
        // The delay is over, so the next report may draw at once.
        state.lastDrawn = start
        sink.show("\r\u{1B}[K")
    }

    private func text(_ completed: Int, of total: Int?) -> String {
        func amount(_ count: Int) -> String {
            switch unit {
            case .bytes: ByteCountText.short(count)
            case .items: "\(count)"
            }
        }
        var text = "\(label) \(amount(completed))"
        if let total { text += " of \(amount(total))" }
        if case .items(let one, let several) = unit {
            text += (total ?? completed) == 1 ? " \(one)" : " \(several)"
        }
        if let total, total > 0 { text += " (\(min(100, completed * 100 / total)) %)" }
        return text
    }
}

/// Formats sizes for users.
package enum ByteCountText {
    /// `850 B`, `12.3 kB`, `4.0 MB`: powers of 1000, truncated to one decimal.
    package static func short(_ count: Int) -> String {
        guard count >= 1000 else { return "\(max(count, 0)) B" }
        var tenths = count / 100
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
