import Glibc

/// Starts a thread that is never joined (pthread_create(3)).
/// - Throws: The errno if the system grants no thread; `body` does not run then.
package func startDetachedThread(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let context = Unmanaged.passRetained(ThreadBody(run: body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runThreadBody, context.toOpaque())
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
package func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: work()) }
    }
}

/// Runs work on a detached thread, or on the caller's if the system grants none.
package func startThread(_ run: @escaping @Sendable () -> Void) {
    do throws(Errno) {
        try startDetachedThread(run)
    } catch {
        run()
    }
}
