import Glibc

/// Runs blocking work on a thread of its own, so that other tasks go on.
///
/// If the system grants no thread, the work runs at once on the caller's.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: work()) }
    }
}

/// Runs work on a detached thread that blocks signals.
///
/// If the system grants no thread, the work runs at once on the caller's.
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

/// Leaves signals to other threads; a broken pipe then means EPIPE, not SIGPIPE.
func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
