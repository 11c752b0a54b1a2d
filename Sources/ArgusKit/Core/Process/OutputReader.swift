import Glibc
import Synchronization

/// The reader of stdout, as far as long-running commands depend on it.
package enum OutputReader {
    /// How long a reader that reads nothing may delay the end, in milliseconds.
    private static let timeout: Int32 = 2000

    private static let isWatched = Atomic(false)

    /// Calls `body` once, from another thread, when the reader has closed its end of a pipe; does
    /// nothing the second time.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        guard !isWatched.exchange(true, ordering: .acquiringAndReleasing) else { return }
        try? startDetachedThread {
            // Without events only an error is awaited.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            _ = retryingInterrupts { poll(&output, 1, -1) }
            // The end of a terminal is none; a signal reports it.
            if output.revents & Int16(POLLERR) != 0 { body() }
        }
    }

    /// Kills the process by the signal that has requested its end, once the reader has taken nothing
    /// for two seconds: a blocked write(2) would not end.
    package static func killIfBlocked(by number: Int32) {
        try? startDetachedThread {
            var unread = unreadBytes
            while true {
                poll(nil, 0, timeout)
                var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                if poll(&output, 1, 0) == 0, unreadBytes == unread { Signals.repeatRequest(number) }
                unread = unreadBytes
            }
        }
    }

    /// The bytes that the reader has not taken: of a terminal or socket (TIOCOUTQ), or of a pipe.
    private static var unreadBytes: Int32 {
        var count: Int32 = 0
        if ioctl(STDOUT_FILENO, UInt(TIOCOUTQ), &count) != 0 {
            _ = ioctl(STDOUT_FILENO, UInt(FIONREAD), &count)
        }
        return count
    }
}
