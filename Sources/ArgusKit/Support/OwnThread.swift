import Glibc

/// Runs work that blocks on a thread of its own, so that no other task waits for it.
///
/// Where the system grants no thread the work is done at once.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: work()) }
    }
}

/// Starts a detached thread (pthread_create(3)) that leaves signals to the others.
func startThread(_ run: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(run))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runThread, start.toOpaque()) == 0 {
        pthread_detach(thread)
    } else {
        start.release()
        run()
    }
}

/// What a new thread is given.
private final class ThreadStart: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    blockSignals()
    Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// Leaves signals to the other threads; a broken connection or pipe then means EPIPE, not SIGPIPE.
func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
