import Glibc
import Synchronization

/// A pipe through which signal handlers wake a thread (signal-safety(7)).
final class SignalPipe: Sendable {
    /// -1 while no thread reads.
    private let writingEnd = Atomic<Int32>(-1)
    private let isOpen = Atomic(false)

    /// Makes the storage, so that a signal handler never has to.
    func prepare() { _ = writingEnd.load(ordering: .relaxed) }

    /// Starts a thread that reads; does nothing the second time, or if there is no pipe.
    ///
    /// A handler never waits for the thread: `O_NONBLOCK` drops bytes of which many are unread.
    func open(_ read: @escaping @Sendable (_ end: Int32) -> Void) {
        guard !isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let pipe = Pipe()
        guard pipe.open() else { return }
        let (reading, writing) = (dup(pipe.reading), dup(pipe.writing))
        for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        startThread { read(reading) }
        writingEnd.store(writing, ordering: .releasing)
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
