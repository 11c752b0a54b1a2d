import ArgusTransport

/// Lets one send pass until APNs has accepted its token, since a connection has only one stream
/// before; the others would open connections of their own, which Apple treats as abuse.
actor StreamGate {
    /// The turn of a send.
    enum Turn {
        /// The gate is open.
        case open
        /// This send is the one to open it, and calls `finish` afterwards.
        case opener
        /// The one that tried got no answer, which is the result of all that waited for it.
        case failed(TransportError)
    }

    private var isOpen = false
    private var isTried = false
    private var last = 0
    private var waiting: [(number: Int, send: CheckedContinuation<Turn, Never>)] = []

    /// The sends that wait.
    var count: Int { waiting.count }

    /// Waits until the gate is open, this send is the one to open it, or the one that tried failed.
    func waitForFirstStream() async -> Turn {
        if isOpen { return .open }
        guard isTried else {
            isTried = true
            return .opener
        }
        last += 1
        let number = last
        return await withTaskCancellationHandler {
            await withCheckedContinuation { send in
                waiting.append((number, send))
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
    }

    /// Ends the try of the send that entered to open the gate; if APNs refused it, the next one tries.
    func finish(_ outcome: DeliveryTries.Outcome) {
        switch outcome {
        case .success(let answer)
        where answer.status == 200 && answer.body.isEmpty
            || answer.status != 403 && APNsAnswers.reason(of: answer) != nil:
            isOpen = true
            release(.open)
        case .failure(let error) where error.kind != .cancelled:
            isTried = false
            release(.failed(error))
        default:
            guard !waiting.isEmpty else { return isTried = false }
            waiting.removeFirst().send.resume(returning: .opener)
        }
    }

    private func release(_ turn: Turn) {
        for (_, send) in waiting { send.resume(returning: turn) }
        waiting = []
    }

    private func cancel(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        let error = TransportError(.cancelled, "cancelled", nothingSent: true)
        waiting.remove(at: index).send.resume(returning: .failed(error))
    }
}
