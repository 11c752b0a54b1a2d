import Glibc
import Synchronization

/// The changes of the terminal after which a drawing is made anew: another size (SIGWINCH), and the
/// return to the foreground (SIGCONT).
enum ScreenChanges {
    /// The writing end of the pipe between the handlers and the thread; -1 before `watch`.
    private static let pipeEnd = Atomic<Int32>(-1)
    private static let reaction = Mutex<(@Sendable () -> Void)?>(nil)
    private static let isWatching = Atomic(false)

    /// Makes the storage, so that a signal handler never has to.
    static func prepare() { _ = pipeEnd.load(ordering: .relaxed) }

    /// Calls `body` after each change, from another thread, in place of that of an earlier call.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        reaction.withLock { $0 = body }
        let pipe = Pipe()
        guard !isWatching.exchange(true, ordering: .acquiringAndReleasing), pipe.open() else {
            return
        }
        let (reading, writing) = (dup(pipe.reading), dup(pipe.writing))
        for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler never waits: changes that were not noticed yet are one.
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        startThread {
            var bytes = [UInt8](repeating: 0, count: 64)
            while retryingInterrupts({ read(reading, &bytes, bytes.count) }) > 0 {
                reaction.withLock { $0 }?()
            }
        }
        pipeEnd.store(writing, ordering: .releasing)
        JobControl.prepare()
        JobControl.install(SIGWINCH) { _ in
            let error = errno
            ScreenChanges.note()
            errno = error
        }
    }

    /// Ends the calls.
    static func stop() { reaction.withLock { $0 = nil } }

    /// Notes a change; async-signal-safe (signal-safety(7)).
    static func note() {
        let end = pipeEnd.load(ordering: .acquiring)
        var byte: UInt8 = 0
        if end >= 0 { _ = write(end, &byte, 1) }
    }
}
