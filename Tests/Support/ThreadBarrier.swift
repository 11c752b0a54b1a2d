import Glibc
import Synchronization

/// A place where threads of a test's server wait until a number of them has arrived.
package final class ThreadBarrier: Sendable {
    private let missing: Mutex<Int>
    // Guarded by the C library: a semaphore may be used from any thread (sem_overview(7)).
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>
    private let count: Int

    package init(_ count: Int) {
        self.count = count
        missing = Mutex(count)
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Waits, at most two minutes, until as many threads have called this as are expected.
    package func arrive() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast {
            for _ in 0..<count { sem_post(semaphore) }
        }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 120
        while sem_timedwait(semaphore, &deadline) != 0, errno == EINTR {}
    }
}
