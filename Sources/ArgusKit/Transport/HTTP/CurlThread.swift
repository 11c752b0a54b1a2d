import ArgusCore
import CCurl
import Glibc
import Synchronization

/// The thread that loads libcurl and runs all transfers; it ends with its owner.
///
/// The first request starts it.
package final class CurlThread: Sendable {
    let inbox: TransferInbox

    /// Makes a thread; `connectionsPerHost` may be open to one host at a time, 0 for any number.
    package init(connectionsPerHost: Int = 0) {
        inbox = TransferInbox(connectionsPerHost: connectionsPerHost)
    }

    deinit { inbox.close() }

    /// Opens libcurl, so that the first request need not wait for it.
    package static func loadLibrary() { _ = CurlLibrary.shared }
}

private func runTransfers(_ inbox: TransferInbox) {
    do throws(TransportError) {
        let curl = try CurlLibrary.shared.get()
        guard let multi = curl.multiInit() else {
            throw TransportError(.noResources, "no descriptors or no memory", nothingSent: true)
        }
        if inbox.connectionsPerHost > 0 {
            _ = argus_multi_setopt_long(
                curl.multiSetOption, multi, CURLMOPT_MAX_HOST_CONNECTIONS, inbox.connectionsPerHost)
        }
        // Unchecked because a C pointer is not Sendable: libcurl allows this one call from any
        // thread, and the inbox drops it before the handle is freed.
        nonisolated(unsafe) let handle = multi
        inbox.setWake { _ = curl.multiWakeup(handle) }
        TransferLoop(curl, multi: multi, inbox: inbox).run()
        inbox.setWake(nil)
        _ = curl.multiCleanup(multi)
        inbox.refuseAll(TransferInbox.refusal("the transport was shut down"))
    } catch {
        inbox.refuseAll(error)
    }
}

/// The work that tasks leave for the transfer thread; every member is thread-safe.
final class TransferInbox: Sendable {
    struct Work {
        var submissions: [Submission] = []
        /// The transfers to cancel; some may have ended.
        var cancellations: [TransferID] = []
        /// Reads and writes of the thread's channel.
        var operations: [ChannelOperation] = []
        /// The last bytes of the channel.
        var farewell: [UInt8] = []
        var isClosed = false
    }

    private struct State {
        var work = Work()
        var lastID: UInt64 = 0
        var isRunning = false
        /// Wakes the thread; nil while none sleeps in libcurl.
        var wake: (@Sendable () -> Void)?
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// The connections that may be open to one host at a time; 0 for any number.
    let connectionsPerHost: Int
    private let state = Mutex(State())

    init(connectionsPerHost: Int) { self.connectionsPerHost = connectionsPerHost }

    func makeID() -> TransferID {
        state.withLock { state in
            state.lastID += 1
            return TransferID(rawValue: state.lastID)
        }
    }

    /// Gives a request to the thread, which the first one starts, and waits for the result.
    func perform(_ submission: Submission) async -> TransferResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                var submission = submission
                submission.answer = { waiter.resume(returning: $0) }
                // No cancellation is lost: the task's flag is set before its cancellation handler
                // runs, so either the flag is seen under the lock, or `cancel` comes after this.
                let (refusal, isFirst) = state.withLock { state -> (String?, Bool) in
                    if Task.isCancelled { return ("cancelled", false) }
                    if state.work.isClosed { return ("the transport was shut down", false) }
                    state.work.submissions.append(submission)
                    state.wake?()
                    defer { state.isRunning = true }
                    return (nil, !state.isRunning)
                }
                if let refusal {
                    return submission.answer(
                        .failure(TransferFailure(error: Self.refusal(refusal))))
                }
                if isFirst { start() }
            }
        } onCancel: {
            cancel(submission.id)
        }
    }

    private func start() {
        do throws(Errno) {
            try startDetachedThread { runTransfers(self) }
        } catch {
            let words = "no thread for requests: \(error)"
            refuseAll(TransportError(.noResources, words, nothingSent: true))
        }
    }

    /// Ends the thread and fails the requests that still wait.
    fileprivate func refuseAll(_ error: TransportError) {
        let work = finish()
        for submission in work.submissions {
            submission.answer(.failure(TransferFailure(error: error)))
        }
        for operation in work.operations { operation.refuse() }
    }

    /// The error for a request that is not sent.
    static func refusal(_ words: String) -> TransportError {
        TransportError(.cancelled, words, nothingSent: true)
    }

    /// Cancels a transfer, unless it has ended or was never submitted.
    func cancel(_ id: TransferID) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.work.cancellations.append(id)
            state.wake?()
        }
    }

    /// Ends every transfer and the thread; later submissions are refused.
    func close() {
        state.withLock { state in
            state.work.isClosed = true
            state.wake?()
        }
    }

    /// Waits until the thread has ended.
    func ended() async {
        await withCheckedContinuation { waiter in
            let isRunning = state.withLock { state in
                if state.isRunning { state.onEnd.append(waiter) }
                return state.isRunning
            }
            if !isRunning { waiter.resume() }
        }
    }

    /// Removes and returns the work since the last call.
    func take() -> Work {
        state.withLock { state in
            let work = state.work
            state.work = Work(farewell: work.farewell, isClosed: work.isClosed)
            return work
        }
    }

    /// Sets the function that wakes the thread; nil before its target is freed.
    func setWake(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Submits an operation of the thread's channel; false if the thread ends.
    func submit(_ operation: ChannelOperation) -> Bool {
        state.withLock { state in
            guard state.isRunning, !state.work.isClosed else { return false }
            state.work.operations.append(operation)
            state.wake?()
            return true
        }
    }

    func setFarewell(_ bytes: [UInt8]) { state.withLock { $0.work.farewell = bytes } }

    /// True if the thread has ended, or will never start.
    var hasEnded: Bool { state.withLock { $0.work.isClosed && !$0.isRunning } }

    /// Records the end of the thread and returns the work that was not done.
    func finish() -> Work {
        let (left, waiters) = state.withLock { state in
            let result = (state.work, state.onEnd)
            state.work = Work(isClosed: state.work.isClosed)
            state.isRunning = false
            state.onEnd = []
            return result
        }
        for waiter in waiters { waiter.resume() }
        return left
    }
}
