import CCurl
import Glibc

/// The thread on which libcurl is loaded and every transfer runs; it ends with its owner.
///
/// Loading libcurl takes several times as long as starting Swift. A program that knows that a
/// request follows starts the thread early, and reads its configuration and credentials meanwhile;
/// otherwise the first request starts it.
package final class CurlThread: Sendable {
    let inbox = TransferInbox()

    package init() {}

    deinit {
        inbox.close()
    }

    /// Starts the thread, when it does not run yet.
    package func start() {
        if inbox.claimStart() { spawn() }
    }

    /// Leaves a request to the thread, which answers it.
    func submit(_ submission: Submission) -> TransferInbox.Acceptance {
        let acceptance = inbox.submit(submission)
        if acceptance == .first { spawn() }
        return acceptance
    }

    private func spawn() {
        let context = Unmanaged.passRetained(inbox).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runTransfers, context)
        guard code == 0 else {
            Unmanaged<TransferInbox>.fromOpaque(context).release()
            let words = "no thread for requests: \(Errno(rawValue: code))"
            inbox.refuseAll(TransportError(.notConnected, words, nothingSent: true))
            return
        }
        pthread_detach(thread)
    }
}

/// The thread's main function (pthread_create(3)).
private func runTransfers(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let inbox = Unmanaged<TransferInbox>.fromOpaque(context).takeRetainedValue()
    blockSignals()
    do throws(TransportError) {
        let curl = try CurlLibrary.shared.get()
        try runTransfers(curl, inbox)
        inbox.refuseAll(
            TransportError(.cancelled, "the transport was shut down", nothingSent: true))
    } catch {
        inbox.refuseAll(error)
    }
    return nil
}

private func runTransfers(_ curl: CurlLibrary, _ inbox: TransferInbox) throws(TransportError) {
    guard let multi = curl.multiInit() else {
        throw TransportError(.notConnected, "out of memory", nothingSent: true)
    }
    // Unchecked because a C pointer is not Sendable: libcurl allows this one call from any
    // thread, and the inbox forgets it before the handle is freed.
    nonisolated(unsafe) let handle = multi
    inbox.setWake { _ = curl.multiWakeup(handle) }
    TransferLoop(curl, multi: multi, inbox: inbox).run()
    inbox.setWake(nil)
    _ = curl.multiCleanup(multi)
}

/// Leaves signals to the other threads; a broken TLS connection then means EPIPE, not SIGPIPE.
private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}

extension TransferInbox {
    /// Ends the thread's time with an answer for whoever still waits.
    fileprivate func refuseAll(_ error: TransportError) {
        for submission in finish() {
            submission.answer(.failure(TransferFailure(error: error)))
        }
    }
}
