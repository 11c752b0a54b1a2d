import Glibc
import Synchronization

/// The terminal's changes that require a redraw: a new size (SIGWINCH) and the return to the
/// foreground (SIGCONT).
enum ScreenChanges {
    private static let pipe = SignalPipe()
    private static let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes the storage, so that a signal handler never has to.
    static func prepare() { pipe.prepare() }

    /// Calls `body` after each change, from another thread, in place of that of an earlier call.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        reaction.withLock { $0 = body }
        pipe.open { reading in
            var bytes = [UInt8](repeating: 0, count: 64)
            while retryingInterrupts({ read(reading, &bytes, bytes.count) }) > 0 {
                reaction.withLock { $0 }?()
            }
        }
        JobControl.prepare()
        Signals.install(SIGWINCH) { _ in
            let error = errno
            ScreenChanges.signal()
            errno = error
        }
    }

    /// Ends the calls.
    static func stop() { reaction.withLock { $0 = nil } }

    /// Signals a change; async-signal-safe (signal-safety(7)).
    static func signal() { pipe.wake() }
}
