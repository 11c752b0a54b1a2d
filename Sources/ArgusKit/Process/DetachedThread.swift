import Glibc

/// Starts a thread that is never joined (pthread_create(3)).
///
/// With `elsewhere` it starts on another processor than the calling thread's, if there is one:
/// Linux may let a new thread wait a millisecond for its creator's processor while another is idle.
/// - Throws: The errno if the system grants no thread; `body` does not run then.
package func startDetachedThread(
    elsewhere: Bool = false, _ body: @escaping @Sendable () -> Void
) throws(Errno) {
    let processors = elsewhere ? Processors.ofThread() : nil
    let others = processors?.others
    let context = Unmanaged.passRetained(
        ThreadBody {
            if others != nil { processors?.allow() }
            body()
        })
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    others?.require(in: &attributes)
    var thread = pthread_t()
    var code = pthread_create(&thread, &attributes, runThreadBody, context.toOpaque())
    // The processors may have been taken from the process in the meantime.
    if code == EINVAL { code = pthread_create(&thread, nil, runThreadBody, context.toOpaque()) }
    guard code == 0 else {
        context.release()
        throw Errno(rawValue: code)
    }
    pthread_detach(thread)
}

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// Runs blocking work on a new thread, or on the caller's if the system grants none.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: work()) }
    }
}

/// Runs work on a detached thread that blocks signals, or on the caller's if the system grants none.
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
