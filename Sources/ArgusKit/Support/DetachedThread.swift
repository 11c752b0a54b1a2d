import Glibc

/// Starts a thread that nobody waits for (pthread_create(3)).
///
/// - Throws: The errno of a system that grants no more threads; the body is not run then.
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

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// The thread's main function.
private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
