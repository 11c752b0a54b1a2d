import Glibc
import Synchronization

/// The signals and the closed pipe that end a long-running command in order.
///
/// There is one for the process. The first SIGINT, SIGTERM or SIGHUP asks for an end; the second one
/// kills, as ever.
package enum EndSignals {
    private static let pipe = SignalPipe()
    /// The reaction to the end; nil once there was one.
    private static let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes the storage, so that a signal handler never has to.
    static func prepare() { pipe.prepare() }

    /// Calls `body` once, from another thread, when an end is asked for or stdout has lost its reader.
    ///
    /// A later call replaces the body.
    package static func watch(_ body: @escaping @Sendable () -> Void) {
        reaction.withLock { $0 = body }
        pipe.open { reading in
            var polled = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                // Only an error is awaited: the reader has closed its end.
                pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            ]
            while retryingInterrupts({ poll(&polled, 2, -1) }) >= 0 {
                if polled[0].revents != 0 || polled[1].revents & Int16(POLLERR) != 0 {
                    return reaction.withLock { $0.take() }?() ?? ()
                }
                // Such as the end of a terminal, which a signal reports too.
                polled[1].fd = -1
            }
        }
    }

    /// Takes a signal for a request to end; false if it has to kill.
    ///
    /// Async-signal-safe (signal-safety(7)).
    static func take(_ number: Int32) -> Bool {
        guard number == SIGINT || number == SIGTERM || number == SIGHUP else { return false }
        return pipe.wakeOnce()
    }
}
