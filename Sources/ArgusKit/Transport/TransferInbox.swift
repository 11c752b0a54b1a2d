import Synchronization

/// Where tasks leave work for the transfer thread; every member may be used from any thread.
final class TransferInbox: Sendable {
    /// What the transfer thread finds since it last looked.
    struct Work {
        var submissions: [Submission] = []
        /// Identifiers to cancel; those of transfers that ended meanwhile mean nothing.
        var cancellations: [TransferID] = []
        var isClosed = false
    }

    /// How a submission was received.
    enum Acceptance { case first, accepted, cancelled, closed }

    private struct State {
        var work = Work()
        var lastID: UInt64 = 0
        var isRunning = false
        /// Wakes the thread; nil while none sleeps in libcurl.
        var wake: (@Sendable () -> Void)?
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A new identifier.
    func makeID() -> TransferID {
        state.withLock { state in
            state.lastID += 1
            return TransferID(rawValue: state.lastID)
        }
    }

    /// Leaves a request; `.first` asks the caller to start the thread.
    ///
    /// The task's cancelled flag is raised before any cancellation handler runs, so testing it under
    /// the lock leaves no moment in which a cancellation can be lost: either it is seen here, or
    /// `cancel` comes after the submission.
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

    /// Whether the caller is the one to start the thread, before there is a request.
    func claimStart() -> Bool {
        state.withLock { state in
            if state.isRunning || state.work.isClosed { return false }
            state.isRunning = true
            return true
        }
    }

    /// Asks for the end of a transfer; nothing when it has ended or was never submitted.
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

    /// Takes what was left since the last time.
    func take() -> Work {
        state.withLock { state in
            let work = state.work
            state.work = Work(isClosed: work.isClosed)
            return work
        }
    }

    /// Says how to wake the thread, before it sleeps for the first time; nil once it no longer may.
    func setWake(_ wake: (@Sendable () -> Void)?) {
        state.withLock { $0.wake = wake }
    }

    /// The thread is about to return; what nobody will send any more is handed back.
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
