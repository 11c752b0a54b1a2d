import CCurl
import Glibc

/// What runs on the transfer thread: every libcurl call but the wake-up (libcurl-multi(3)).
///
/// libcurl's sockets are watched by curl_multi_poll(3) inside this loop, so there is no socket
/// bookkeeping and no lock around a transfer.
final class TransferLoop {
    private let curl: CurlLibrary
    private let multi: OpaquePointer
    private let inbox: TransferInbox
    /// Few at a time, so that looking through them costs less than keeping an index.
    private var transfers: [Transfer] = []
    private var hasLocale = false

    init(_ curl: CurlLibrary, multi: OpaquePointer, inbox: TransferInbox) {
        self.curl = curl
        self.multi = multi
        self.inbox = inbox
    }

    /// Sends what arrives in the inbox until it closes.
    func run() {
        while true {
            let work = inbox.take()
            for submission in work.submissions { start(submission) }
            for id in work.cancellations { cancel(id) }
            if work.isClosed { return endAll(.cancelled, "the transport was shut down") }
            perform()
            expire(at: .now)
            wait()
        }
    }

    private func start(_ submission: Submission) {
        useUTF8(for: submission.request.origin.host)
        do throws(TransportError) {
            let transfer = try Transfer(submission, curl: curl)
            if submission.request.purpose == .answer, let observation = submission.observation {
                let started = TransferEvent.Started(submission, observation.describeBody)
                observation.observer(.started(submission.id, started))
            }
            guard curl.multiAdd(multi, transfer.easy.pointer) == CURLM_OK else {
                throw TransportError(.notConnected, "out of memory", nothingSent: true)
            }
            transfers.append(transfer)
        } catch {
            submission.answer(.failure(TransferFailure(error: error)))
        }
    }

    /// Makes libidn2, which reads host names in the thread's character set, take them as UTF-8.
    private func useUTF8(for host: String) {
        guard !hasLocale, !host.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        hasLocale = true
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return }
        uselocale(locale)
    }

    private func cancel(_ id: TransferID) {
        guard let transfer = transfers.first(where: { $0.submission.id == id }) else { return }
        finish(transfer, .failure(transfer.failure(.cancelled, "cancelled")))
    }

    private func perform() {
        var running: Int32 = 0
        guard curl.multiPerform(multi, &running) == CURLM_OK else {
            return endAll(.connectionLost, "libcurl cannot go on")
        }
        var left: Int32 = 0
        while let message = curl.multiReadInfo(multi, &left) {
            // The message belongs to libcurl and is gone once its handle is removed.
            let (handle, result) = (message.pointee.easy_handle, message.pointee.data.result)
            guard message.pointee.msg == CURLMSG_DONE, let handle,
                let transfer = transfers.first(where: { $0.easy.pointer == handle })
            else { continue }
            finish(transfer, transfer.outcome(result, at: .now))
        }
    }

    private func expire(at now: TransferClock.Instant) {
        for transfer in transfers {
            if transfer.clock.isConnecting, transfer.isConnected {
                transfer.clock.connected(at: now)
            }
            let (instant, phase) = transfer.clock.next
            if instant <= now { finish(transfer, .failure(transfer.timeout(phase))) }
        }
    }

    /// Sleeps until a socket, a wake-up or the next deadline needs attention.
    private func wait() {
        let now = TransferClock.Instant.now
        var milliseconds = Int(Int32.max)
        for transfer in transfers {
            let rest = now.duration(to: transfer.clock.next.instant).wholeMilliseconds
            milliseconds = min(milliseconds, rest)
        }
        _ = curl.multiPoll(multi, nil, 0, Int32(clamping: milliseconds), nil)
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferResult) {
        report(transfer, outcome)
        _ = curl.multiRemove(multi, transfer.easy.pointer)
        transfers.removeAll { $0 === transfer }
        transfer.submission.answer(outcome)
    }

    private func report(_ transfer: Transfer, _ outcome: TransferResult) {
        let submission = transfer.submission
        guard let observation = submission.observation, submission.request.purpose == .answer else {
            return
        }
        let id = submission.id
        switch outcome {
        case .success:
            observation.observer(
                .finished(id, TransferEvent.Finished(transfer, observation.describeBody)))
        case .failure(let failure):
            observation.observer(
                .failed(id, failure.error, TransferEvent.Timings(transfer)))
        }
    }

    private func endAll(_ kind: TransportError.Kind, _ words: String) {
        for transfer in transfers {
            finish(transfer, .failure(transfer.failure(kind, words)))
        }
    }
}

/// Which deadline of a transfer comes next, by what the transfer has reached.
struct TransferClock {
    typealias Instant = ContinuousClock.Instant

    private enum Stage { case connecting, waiting, receiving }

    let started: Instant
    private let deadlines: Deadlines
    private var stage = Stage.connecting
    /// When the stage began or, while receiving, when the last byte came.
    private var since: Instant

    /// Counts the total from `started` and the connection's time from `now`, which is later when
    /// an earlier attempt failed.
    init(_ deadlines: Deadlines, started: Instant, now: Instant) {
        self.deadlines = deadlines
        self.started = started
        self.since = now
    }

    /// Whether the request has not been sent yet, as far as is known.
    var isConnecting: Bool { stage == .connecting }

    /// The connection stands and the request leaves.
    mutating func connected(at now: Instant) {
        guard stage == .connecting else { return }
        stage = .waiting
        since = now
    }

    /// Bytes of the answer arrived.
    mutating func received(at now: Instant) {
        stage = .receiving
        since = now
    }

    /// The deadline that passes first, and what it bounds.
    var next: (instant: Instant, phase: TransportError.Phase) {
        let own: (Instant, TransportError.Phase) =
            switch stage {
            case .connecting: (since + deadlines.connect, .connect)
            case .waiting: (since + deadlines.firstByte, .firstByte)
            case .receiving: (since + deadlines.idle, .idle)
            }
        guard let total = deadlines.total, started + total < own.0 else { return own }
        return (started + total, .total)
    }
}
