import Glibc
import Synchronization

/// The line that a command keeps at the bottom of its terminal, as signal handlers know it: they
/// blank it before the process stops or dies.
enum DrawnLine {
    /// The cells that it takes, from the first column on; 0 while there is none.
    private static let cells = Atomic<Int>(0)
    private static let capacity = 1024
    /// A carriage return and blanks, allocated here because a handler may not allocate.
    private nonisolated(unsafe) static let blanks = {
        let blanks = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity + 1)
        blanks.initialize(repeating: UInt8(ascii: " "))
        blanks[0] = UInt8(ascii: "\r")
        return blanks
    }()

    /// Makes the storage, so that a handler never has to.
    static func prepare() { _ = (cells.load(ordering: .relaxed), blanks.count) }

    /// Notes how many cells are drawn; the cursor is at the first of them.
    static func record(_ count: Int) { cells.store(min(count, capacity), ordering: .relaxed) }

    /// Blanks the line on stderr once; does nothing in the background, or while the user has stopped
    /// the output.
    ///
    /// Async-signal-safe (signal-safety(7)).
    static func erase() {
        let count = cells.exchange(0, ordering: .relaxed)
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard count > 0, JobControl.isForeground(STDERR_FILENO), poll(&polled, 1, 0) == 1,
            polled.revents & Int16(POLLOUT) != 0
        else { return }
        _ = write(STDERR_FILENO, blanks.baseAddress, count + 1)
        _ = write(STDERR_FILENO, blanks.baseAddress, 1)
    }
}

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

    static func stop() { reaction.withLock { $0 = nil } }

    /// Signals a change; async-signal-safe (signal-safety(7)).
    static func signal() { pipe.wake() }
}
