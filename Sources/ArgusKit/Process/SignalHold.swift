import Glibc
import Synchronization

/// Puts off the signals that end this process while the answer to one request must be kept.
///
/// A server that rotates tokens gives them once: a process that dies between its request and the
/// disk has lost the sign-in. From the moment in which such a request leaves, a signal is only
/// noted; the process dies of it once the tokens are kept, or the request has failed.
package final class SignalHold: Sendable {
    private let isOn = Atomic(false)
    private let keeping: Duration

    /// Makes a hold that has not begun; `keeping` is how long keeping the answer may take.
    package init(keeping: Duration = .seconds(30)) { self.keeping = keeping }

    deinit { end() }

    /// Puts signals off until `end`; repeated calls do nothing.
    ///
    /// `patience` is the longest time in which the request can be answered. After that and the time
    /// for keeping, the process dies of a noted signal, whatever is unfinished.
    package func begin(for timeout: Duration = .zero) {
        guard !isOn.exchange(true, ordering: .acquiringAndReleasing) else { return }
        HeldSignals.begin(for: timeout + keeping)
    }

    /// Puts signals off no longer, and dies of the one that was noted; does nothing before `begin`.
    package func end() {
        guard isOn.exchange(false, ordering: .acquiringAndReleasing) else { return }
        HeldSignals.end()
    }

    /// Waits until nothing is held, and lets nothing be held any more; to be called just before the
    /// process exits, since requests may be under way.
    ///
    /// - Parameter sleep: Waits between two looks.
    package static func finish(sleep: @Sendable (Duration) async -> Void) async {
        while !HeldSignals.close() { await sleep(.milliseconds(10)) }
    }
}

/// What the signal handler and the holds of this process tell each other, in one atomic word.
///
/// One word, so that no signal is noted just after the last hold has looked for it, and no hold
/// begins in a process that is dying already.
enum HeldSignals {
    /// The number of holds above the lowest 9 bits.
    private static let word = Atomic<UInt>(0)
    /// How many seconds a signal is put off at most.
    private static let limit = Atomic<UInt32>(0)
    /// Whether the caller ignores or blocks SIGALRM, which then only ends a putting off.
    private static let ignoresAlarm = Atomic(false)

    // No constants: a handler must not be the first to ask for them.
    private static var numbers: UInt { 0xFF }
    private static var ending: UInt { 1 << 8 }
    private static var one: UInt { 1 << 9 }

    /// Makes the storage, so that a handler never has to.
    static func prepare(ignoringAlarm: Bool) {
        _ = word.load(ordering: .relaxed)
        _ = limit.load(ordering: .relaxed)
        ignoresAlarm.store(ignoringAlarm, ordering: .relaxed)
    }

    fileprivate static func begin(for timeout: Duration) {
        limit.max(UInt32(clamping: timeout.components.seconds), ordering: .relaxed)
        let now = change { $0 & ending == 0 ? $0 + one : $0 }
        // The process is about to die: nothing may leave it that it could not keep.
        while now & ending != 0 { pause() }
    }

    fileprivate static func end() {
        let now = change { word in
            let left = word - one
            return left >= one || left & numbers == 0 ? left : left | ending
        }
        if now < one, now & numbers != 0 { dieTidily(of: Int32(now & numbers)) }
    }

    /// Lets no hold begin any more; false while there is one.
    fileprivate static func close() -> Bool {
        change { $0 < one ? $0 | ending : $0 } & ending != 0
    }

    /// The signal to die of, now that one has come; nil where it is only noted.
    ///
    /// It may be called in a signal handler.
    static func verdict(on number: Int32) -> Int32? {
        if number == SIGALRM, ignoresAlarm.load(ordering: .relaxed),
            word.load(ordering: .acquiring) & numbers == 0
        {
            return nil
        }
        var isFirst = false
        let now = change { word in
            isFirst = word >= one && word & numbers == 0
            if isFirst { return word | UInt(number) }
            // The time that was set for the first one has passed.
            return word < one || number == SIGALRM ? word | ending : word
        }
        if now & ending != 0 { return now & numbers == 0 ? number : Int32(now & numbers) }
        if isFirst { alarm(limit.load(ordering: .relaxed)) }
        explain()
        return nil
    }

    /// Tells a person why the process goes on, in words that hold until it ends.
    private static func explain() {
        var settings = termios()
        guard tcgetattr(2, &settings) == 0 else { return }
        // A terminal that was stopped must not stop what is to be finished.
        var terminal = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&terminal, 1, 0) == 1 else { return }
        let words: StaticString =
            "\nargus: finishing first, so that no new credentials are lost\n"
        _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    }

    /// Changes the word in one step, and returns what it is then.
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
