import Glibc

/// Runs work that blocks on a thread of its own, so that no other task waits for it.
///
/// Where the system grants no thread the work is done at once.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: work()) }
    }
}

/// Does work on a detached thread that leaves signals to the others, or at once where the system
/// grants no thread.
func startThread(_ run: @escaping @Sendable () -> Void) {
    do throws(Errno) {
        try startDetachedThread {
            blockSignals()
            run()
        }
    } catch {
        run()
    }
}

/// Leaves signals to the other threads; a broken connection or pipe then means EPIPE, not SIGPIPE.
func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
