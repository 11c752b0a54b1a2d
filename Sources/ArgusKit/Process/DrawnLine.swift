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
