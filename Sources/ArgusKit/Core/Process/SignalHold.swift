import Glibc
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
        HeldSignals.begin(for: timeout + keeping)
    }

    /// Ends the hold and dies of a recorded signal; does nothing before `begin`.
    package func end() {
        guard isOn.exchange(false, ordering: .acquiringAndReleasing) else { return }
        HeldSignals.end()
    }

    /// Waits until no hold is active, and prevents new ones; called just before the process exits.
    /// - Parameter sleep: Waits between two checks.
    package static func finish(sleep: @Sendable (Duration) async -> Void) async {
        while !HeldSignals.close() { await sleep(.milliseconds(10)) }
    }
}

/// The state that the signal handler and the holds of this process share, in one atomic word.
///
/// One word, so that no signal is recorded just after the last hold has checked for one, and no
/// hold begins in a process that is already dying.
enum HeldSignals {
    /// The number of holds, above the 9 bits of `signalMask` and `endingFlag`.
    private static let word = Atomic<UInt>(0)
    private static let maxDelaySeconds = Atomic<UInt32>(0)
    /// True if the caller ignores or blocks SIGALRM, which then only ends a delay.
    private static let ignoresAlarm = Atomic(false)

    // The parts of `word`: the first signal, a flag that prevents new holds, and the unit of their
    // number. They are not constants, since a handler must not be the first to initialise them.
    private static var signalMask: UInt { 0xFF }
    private static var endingFlag: UInt { 1 << 8 }
    private static var holdUnit: UInt { 1 << 9 }

    /// Makes the storage, so that a handler never has to.
    static func prepare(ignoringAlarm: Bool) {
        _ = word.load(ordering: .relaxed)
        _ = maxDelaySeconds.load(ordering: .relaxed)
        ignoresAlarm.store(ignoringAlarm, ordering: .relaxed)
    }

    fileprivate static func begin(for timeout: Duration) {
        maxDelaySeconds.max(UInt32(clamping: timeout.components.seconds), ordering: .relaxed)
        let now = change { $0 & endingFlag == 0 ? $0 + holdUnit : $0 }
        // The process is about to die: it must not send a request whose answer it could not keep.
        while now & endingFlag != 0 { pause() }
    }

    fileprivate static func end() {
        let now = change { word in
            let left = word - holdUnit
            return left >= holdUnit || left & signalMask == 0 ? left : left | endingFlag
        }
        if now < holdUnit, now & signalMask != 0 { cleanUpAndDie(of: Int32(now & signalMask)) }
    }

    /// Prevents new holds; false while one is active.
    fileprivate static func close() -> Bool {
        change { $0 < holdUnit ? $0 | endingFlag : $0 } & endingFlag != 0
    }

    /// The signal to die of, or nil if it is only recorded; async-signal-safe.
    static func fatalSignal(on number: Int32) -> Int32? {
        if number == SIGALRM, ignoresAlarm.load(ordering: .relaxed),
            word.load(ordering: .acquiring) & signalMask == 0
        {
            return nil
        }
        var isFirst = false
        let now = change { word in
            isFirst = word >= holdUnit && word & signalMask == 0
            if isFirst { return word | UInt(number) }
            // The time limit set for the first signal has passed.
            return word < holdUnit || number == SIGALRM ? word | endingFlag : word
        }
        if now & endingFlag != 0 { return now & signalMask == 0 ? number : Int32(now & signalMask) }
        if isFirst { alarm(maxDelaySeconds.load(ordering: .relaxed)) }
        explain()
        return nil
    }

    /// Explains to the user why the process continues.
    private static func explain() {
        var settings = termios()
        guard tcgetattr(2, &settings) == 0 else { return }
        // A terminal whose output is stopped must not keep the work from finishing.
        var terminal = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&terminal, 1, 0) == 1 else { return }
        let words: StaticString =
            "\nargus: finishing first, so that no new credentials are lost\n"
        _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    }

    /// Changes the word in one step and returns its new value.
    private static func change(_ next: (UInt) -> UInt) -> UInt {
        var old = word.load(ordering: .acquiring)
        while true {
            let new = next(old)
            let result = word.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if result.exchanged { return new }
            old = result.original
        }
    }
}
