import CCurl
import Glibc

/// The thread that loads libcurl and runs every transfer; it ends with its owner.
///
/// The first request starts it. Loading libcurl takes several times as long as starting Swift: a
/// program that expects a request gives its first thread to `run(during:)` at once, and reads its
/// arguments, configuration and credentials on another.
package final class CurlThread: Sendable {
    let inbox = TransferInbox()

    package init() {}

    deinit {
        inbox.close()
    }

    /// Makes the calling thread the transfer thread while another does `work`; returns when both
    /// have ended.
    ///
    /// - Throws: The errno if the system grants no thread; the work is not done then.
    package func run(during work: @escaping @Sendable () -> Void) throws(Errno) {
        // Before the other thread begins, since its first request may come before this one
        // continues.
        let isClaimed = inbox.claimStart()
        do throws(Errno) {
            try startDetachedThread(elsewhere: true, work)
        } catch {
            if isClaimed { _ = inbox.finish() }
            throw error
        }
        if isClaimed { runTransfers(inbox) }
    }

    /// Hands a request to the thread, which answers it.
    func submit(_ submission: Submission) -> TransferInbox.Acceptance {
        let acceptance = inbox.submit(submission)
        if acceptance == .first { start() }
        return acceptance
    }

    private func start() {
        let inbox = inbox
        do throws(Errno) {
            try startDetachedThread { runTransfers(inbox) }
        } catch {
            let words = "no thread for requests: \(error)"
            inbox.refuseAll(TransportError(.notConnected, words, nothingSent: true))
        }
    }
}

private func runTransfers(_ inbox: TransferInbox) {
    blockSignals()
    do throws(TransportError) {
        try runTransfers(try CurlLibrary.shared.get(), inbox)
        inbox.refuseAll(
            TransportError(.cancelled, "the transport was shut down", nothingSent: true))
    } catch {
        inbox.refuseAll(error)
    }
}

private func runTransfers(_ curl: CurlLibrary, _ inbox: TransferInbox) throws(TransportError) {
    guard let multi = curl.multiInit() else {
        throw TransportError(.notConnected, "out of memory", nothingSent: true)
    }
    // Unchecked because a C pointer is not Sendable: libcurl allows this one call from any thread,
    // and the inbox drops it before the handle is freed.
    nonisolated(unsafe) let handle = multi
    inbox.setWake { _ = curl.multiWakeup(handle) }
    TransferLoop(curl, multi: multi, inbox: inbox).run()
    inbox.setWake(nil)
    _ = curl.multiCleanup(multi)
}

extension TransferInbox {
    /// Ends the thread and fails the requests that still wait.
    fileprivate func refuseAll(_ error: TransportError) {
        for submission in finish() {
            submission.answer(.failure(TransferFailure(error: error)))
        }
    }
}
