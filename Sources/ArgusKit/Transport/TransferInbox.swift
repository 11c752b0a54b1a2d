import Synchronization

/// The queue of work for the transfer thread; every member is thread-safe.
final class TransferInbox: Sendable {
    /// The work since the transfer thread last looked.
    struct Work {
        var submissions: [Submission] = []
        /// Identifiers to cancel; those of finished transfers have no effect.
        var cancellations: [TransferID] = []
        var isClosed = false
    }

    /// The result of submitting a request.
    enum Acceptance { case first, accepted, cancelled, closed }

    private struct State {
        var work = Work()
        var lastID: UInt64 = 0
        var isRunning = false
        /// Wakes the thread; nil while it does not sleep in libcurl.
        var wake: (@Sendable () -> Void)?
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes a new identifier.
    func makeID() -> TransferID {
        state.withLock { state in
            state.lastID += 1
            return TransferID(rawValue: state.lastID)
        }
    }

    /// Submits a request; with `.first` the caller must start the thread.
    ///
    /// The task's cancelled flag is set before any cancellation handler runs, so testing it under
    /// the lock loses no cancellation: either it is seen here, or `cancel` comes after the
    /// submission.
    func submit(_ submission: Submission) -> Acceptance {
        state.withLock { state in
            if Task.isCancelled { return .cancelled }
            if state.work.isClosed { return .closed }
            state.work.submissions.append(submission)
            state.wake?()
            if state.isRunning { return .accepted }
            state.isRunning = true
            return .first
        }
    }

    /// Claims the start of the thread before there is a request; true for the first caller.
    func claimStart() -> Bool {
        state.withLock { state in
            if state.isRunning || state.work.isClosed { return false }
            state.isRunning = true
            return true
        }
    }

    /// Cancels a transfer; has no effect if it has ended or was never submitted.
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

    /// Returns the work since the last call.
    func take() -> Work {
        state.withLock { state in
            let work = state.work
            state.work = Work(isClosed: work.isClosed)
            return work
        }
    }

    /// Sets the function that wakes the thread; nil once it may no longer be called.
    func setWake(_ wake: (@Sendable () -> Void)?) {
        state.withLock { $0.wake = wake }
    }

    /// Ends the thread's work and returns the requests that will not be sent.
    func finish() -> [Submission] {
        let (left, waiters) = state.withLock { state in
            let result = (state.work.submissions, state.onEnd)
            state.work = Work(isClosed: state.work.isClosed)
            state.isRunning = false
            state.onEnd = []
            return result
        }
        for waiter in waiters { waiter.resume() }
        return left
    }
}
