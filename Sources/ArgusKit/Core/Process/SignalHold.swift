import Synchronization

/// Delays terminating signals until the answer to a request is stored.
///
/// A server issues a rotated token once: a process that exits before it stores the token loses the
/// sign-in. From the moment such a request leaves, a signal is only recorded; it ends the process
/// when the tokens are stored or the request has failed.
package final class SignalHold: Sendable {
    private let isOn = Atomic(false)
    private let keeping: Duration

    /// Makes an inactive hold; `keeping` is the longest time to store the answer.
    package init(keeping: Duration = .seconds(30)) { self.keeping = keeping }

    deinit { end() }

    /// Postpones signals until `end`; repeated calls do nothing.
    ///
    /// After `timeout`, the longest time until the answer, plus `keeping`, the process dies of a
    /// recorded signal, whatever is unfinished.
    package func begin(for timeout: Duration = .zero) {
        guard !isOn.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Signals.beginHold(for: timeout + keeping)
    }

    /// Ends the hold and dies of a recorded signal; does nothing before `begin`.
    package func end() {
        guard isOn.exchange(false, ordering: .acquiringAndReleasing) else { return }
        Signals.endHold()
    }

    /// Waits until no hold is active, and prevents new ones; called just before the process exits.
    /// - Parameter sleep: Waits between two checks.
    package static func finish(sleep: @Sendable (Duration) async -> Void) async {
        while !Signals.closeHolds() { await sleep(.milliseconds(10)) }
    }
}
