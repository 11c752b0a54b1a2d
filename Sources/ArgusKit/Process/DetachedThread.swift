import Glibc

/// Starts a thread that nobody waits for (pthread_create(3)).
///
/// `elsewhere` has it begin on another processor than the calling thread's, where there is one:
/// Linux may let a new thread wait a millisecond for its maker's processor while another is idle.
/// - Throws: The errno of a system that grants no more threads; the body is not run then.
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
    // The processors may have been taken from the process meanwhile.
    if code == EINVAL { code = pthread_create(&thread, nil, runThreadBody, context.toOpaque()) }
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
