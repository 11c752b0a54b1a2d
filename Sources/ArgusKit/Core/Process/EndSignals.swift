import Glibc
import Synchronization

/// The signals and the closed pipe that end a long-running command in order.
///
/// The state is global. The first SIGINT, SIGTERM or SIGHUP requests a stop; the second one kills.
package enum EndSignals {
    /// How long a reader that reads nothing may delay the end, in milliseconds.
    private static let timeout: Int32 = 2000

    private static let pipe = SignalPipe()
    /// The reaction to the first request; nil once it has run.
    private static let reaction = Mutex<(@Sendable (Int32?) -> Void)?>(nil)

    /// Makes the storage, so that a signal handler never has to.
    static func prepare() { pipe.prepare() }

    /// Calls `body` once, from another thread, with the signal that requests a stop, or with nil
    /// when stdout has lost its reader, unless only signals count.
    ///
    /// A later call replaces the body; the first one decides what counts.
    package static func watch(
        onlySignals: Bool = false, _ body: @escaping @Sendable (_ signal: Int32?) -> Void
    ) {
        reaction.withLock { $0 = body }
        pipe.open { reading in
            var polled = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                // Only an error is awaited: the reader has closed its end.
                pollfd(fd: onlySignals ? -1 : STDOUT_FILENO, events: 0, revents: 0),
            ]
            while retryingInterrupts({ poll(&polled, 2, -1) }) >= 0 {
                if polled[0].revents != 0 || polled[1].revents & Int16(POLLERR) != 0 {
                    var number: UInt8 = 0
                    let isSignal = polled[0].revents != 0 && read(reading, &number, 1) == 1
                    reaction.withLock { $0.take() }?(isSignal ? Int32(number) : nil)
                    return
                }
                // Such as the end of a terminal, which a signal reports too.
                polled[1].fd = -1
            }
        }
    }

    /// Waits for the end that a signal has asked for; kills the process with it once the reader of
    /// stdout has taken nothing for two seconds, because a blocked write(2) would not end.
    package static func watchEnd(after number: Int32) -> Never {
        var unread = unreadBytes
        while true {
            poll(nil, 0, timeout)
            var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            if poll(&output, 1, 0) == 0, unreadBytes == unread { repeatSignal(number) }
            unread = unreadBytes
        }
    }

    /// The bytes that stdout's reader has not taken: a terminal or socket (TIOCOUTQ), or a pipe.
    private static var unreadBytes: Int32 {
        var count: Int32 = 0
        if ioctl(STDOUT_FILENO, UInt(TIOCOUTQ), &count) != 0 {
            _ = ioctl(STDOUT_FILENO, UInt(FIONREAD), &count)
        }
        return count
    }

    /// Treats a signal as a request to stop; false if it must kill.
    ///
    /// Async-signal-safe (signal-safety(7)).
    static func take(_ number: Int32) -> Bool {
        guard number == SIGINT || number == SIGTERM || number == SIGHUP else { return false }
        return pipe.wakeOnce(UInt8(truncatingIfNeeded: number))
    }

    /// Sends a signal that requested the stop to this process again; it now kills.
    package static func repeatSignal(_ number: Int32) { kill(getpid(), number) }
}

/// A pipe through which signal handlers wake a thread (signal-safety(7)).
final class SignalPipe: Sendable {
    /// -1 while no thread reads.
    private let writingEnd = Atomic<Int32>(-1)
    private let isOpen = Atomic(false)

    /// Makes the storage, so that a signal handler never has to.
    func prepare() { _ = writingEnd.load(ordering: .relaxed) }

    /// Starts a thread that reads; does nothing the second time, or if the system grants no pipe or no
    /// thread: signals then kill as usual.
    ///
    /// A handler never waits for the thread: `O_NONBLOCK` drops bytes of which many are unread.
    func open(_ read: @escaping @Sendable (_ end: Int32) -> Void) {
        guard !isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let pipe = Pipe()
        guard pipe.open() else { return }
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let reading = pipe.reading
        let isRead: Void? = try? startDetachedThread {
            blockSignals()
            read(reading)
        }
        // It stays open, since a handler may be writing.
        if isRead != nil { writingEnd.store(pipe.release(), ordering: .releasing) }
    }

    /// Wakes the thread; async-signal-safe.
    func wake() { Self.write(to: writingEnd.load(ordering: .acquiring)) }

    /// Wakes the thread for the last time, with a byte; false if there is none.
    ///
    /// Async-signal-safe.
    func wakeOnce(_ byte: UInt8) -> Bool {
        Self.write(byte, to: writingEnd.exchange(-1, ordering: .acquiringAndReleasing))
    }

    @discardableResult
    private static func write(_ byte: UInt8 = 0, to end: Int32) -> Bool {
        var byte = byte
        return end >= 0 && Glibc.write(end, &byte, 1) == 1
    }
}
