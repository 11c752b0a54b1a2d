internal import Glibc
internal import Synchronization

/// One line on a terminal that tells how far a long piece of work has come, and then goes away.
///
/// Nothing is shown for work that is over within half a second, and nothing where standard error
/// is no terminal. Several tasks may report to one progress. Failures to write are ignored:
/// results do not depend on it.
package final class Progress: Sendable {
    /// What the numbers count.
    package enum Unit: Sendable {
        case bytes
        /// A word in the plural: `events`.
        case items(String)
    }

    private struct State {
        var completed: Int
        var lastDrawn: ContinuousClock.Instant?
        var isOver = false
    }

    /// How long the work may take before it is shown.
    package static let delay = Duration.milliseconds(500)
    /// The shortest time between two drawings.
    private static let interval = Duration.milliseconds(100)

    private let label: String
    private let unit: Unit
    private let total: Int?
    private let sink: ByteSink?
    private let width: Int
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// Begins a piece of work.
    ///
    /// - Parameters:
    ///   - label: What is going on, such as `exporting`; it is made visible here.
    ///   - unit: What is counted.
    ///   - completed: What was there already, as for a resumed download.
    ///   - total: How much there will be, if that is known.
    ///   - terminal: Decides whether anything is shown, and how wide it may be.
    ///   - sink: Standard error; nil shows nothing, as with `--quiet`.
    ///   - now: The clock.
    package init(
        _ label: String, unit: Unit, completed: Int = 0, total: Int? = nil, terminal: Terminal,
        sink: ByteSink?, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.label = Sanitizer.visible(label)
        self.unit = unit
        self.total = total
        self.sink = terminal.isErrorTerminal ? sink : nil
        width = terminal.width
        start = now()
        self.now = now
        state = Mutex(State(completed: completed))
    }

    /// Adds to what has been done.
    package func advance(by amount: Int) {
        guard let sink else { return }
        let instant = now()
        state.withLock { state in
            state.completed += amount
            let isDue =
                state.lastDrawn.map { instant - $0 >= Self.interval }
                ?? (instant - start >= Self.delay)
            guard isDue, !state.isOver, JobControl.isForeground(STDERR_FILENO) else { return }
            state.lastDrawn = instant
            let line = DisplayWidth.truncate(text(completed: state.completed), to: width - 1)
            Self.draw("\r\(line)\u{1B}[K", on: sink)
        }
    }

    /// Takes the line away so that a message can be printed; the next report draws it again.
    package func clear() {
        state.withLock { erase(&$0) }
    }

    /// Takes the line away for good.
    package func finish() {
        state.withLock { state in
            erase(&state)
            state.isOver = true
        }
    }

    private func erase(_ state: inout State) {
        guard let sink, state.lastDrawn != nil, JobControl.isForeground(STDERR_FILENO) else {
            return
        }
        // The delay is over, so that the next report may draw at once.
        state.lastDrawn = start
        Self.draw("\r\u{1B}[K", on: sink)
    }

    private func text(completed: Int) -> String {
        func amount(_ count: Int) -> String {
            switch unit {
            case .bytes: ByteCountText.short(count)
            case .items: "\(count)"
            }
        }
        var text = "\(label) \(amount(completed))"
        if let total { text += " of \(amount(total))" }
        if case .items(let word) = unit { text += " \(word)" }
        if let total, total > 0 { text += " (\(min(100, completed * 100 / total)) %)" }
        return text
    }

    private static func draw(_ text: String, on sink: ByteSink) {
        do throws(OutputError) {
            try sink.write(text)
            try sink.flush()
        } catch {
            // A terminal that has gone away needs no progress.
        }
    }
}
