import CCurl
import Glibc

/// What a new transfer thread is given.
private final class TransferThreadStart {
    let curl: CurlLibrary
    let inbox: TransferInbox
    let observation: TransferObservation?

    init(_ curl: CurlLibrary, _ inbox: TransferInbox, _ observation: TransferObservation?) {
        self.curl = curl
        self.inbox = inbox
        self.observation = observation
    }
}

/// Starts the thread that owns the multi handle; it ends when the inbox closes.
///
/// When the system grants no thread, everything in the inbox fails with `.notConnected`.
func startTransferThread(
    _ curl: CurlLibrary, _ inbox: TransferInbox, _ observation: TransferObservation?
) {
    let start = Unmanaged.passRetained(TransferThreadStart(curl, inbox, observation))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runTransferThread, start.toOpaque())
    guard code == 0 else {
        start.release()
        let words = "no thread for requests: \(Errno(rawValue: code))"
        let error = TransportError(.notConnected, words, nothingSent: true)
        for submission in inbox.finish() {
            submission.waiter.resume(returning: .failure(TransferFailure(error: error)))
        }
        return
    }
    pthread_detach(thread)
}

/// The thread's main function (pthread_create(3)).
private func runTransferThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let start = Unmanaged<TransferThreadStart>.fromOpaque(context).takeRetainedValue()
    blockSignals()
    start.curl.useUTF8()

    let (curl, inbox) = (start.curl, start.inbox)
    var error = TransportError(.cancelled, "the transport was shut down", nothingSent: true)
    if let multi = curl.multiInit() {
        // Unchecked because a C pointer is not Sendable: libcurl allows this one call from any
        // thread, and the inbox forgets it before the handle is freed.
        nonisolated(unsafe) let handle = multi
        inbox.setWake { _ = curl.multiWakeup(handle) }
        TransferLoop(curl, multi: multi, inbox: inbox, observation: start.observation).run()
        inbox.setWake(nil)
        _ = curl.multiCleanup(multi)
    } else {
        error = TransportError(.notConnected, "out of memory", nothingSent: true)
    }
    for submission in inbox.finish() {
        submission.waiter.resume(returning: .failure(TransferFailure(error: error)))
    }
    return nil
}

/// Leaves signals to the other threads; a broken TLS connection then means EPIPE, not SIGPIPE.
private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
