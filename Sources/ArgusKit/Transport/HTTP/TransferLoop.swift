import ArgusCore
import CCurl
import Glibc

/// The loop of the transfer thread, with all libcurl calls but the wake-up (libcurl-multi(3)).
final class TransferLoop {
    private let curl: CurlLibrary
    private let multi: OpaquePointer
    private let inbox: TransferInbox
    private var transfers: [Transfer] = []
    /// The connection of a WebSocket, on a thread that has no other transfer.
    private var channel: TransferChannel?
    private var hasLocale = false
    /// One for all threads, of which there is a new one for each WebSocket.
    private nonisolated(unsafe) static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    /// In ms: libcurl loses a wake-up when the system refuses to send it.
    private static let longestWait = 1000

    init(_ curl: CurlLibrary, multi: OpaquePointer, inbox: TransferInbox) {
        self.curl = curl
        self.multi = multi
        self.inbox = inbox
    }

    /// Sends the requests of the inbox until it closes.
    func run() {
        while true {
            let work = inbox.take()
            for submission in work.submissions {
                useUTF8(for: submission.request.origin.host)
                do throws(TransportError) {
                    let transfer = try Transfer(submission, curl: curl)
                    reportStart(of: submission)
                    guard curl.multiAdd(multi, transfer.easy.pointer) == CURLM_OK else {
                        throw TransportError(.noResources, "out of memory", nothingSent: true)
                    }
                    transfers.append(transfer)
                } catch {
                    submission.answer(.failure(TransferFailure(error: error)))
                }
            }
            for id in work.cancellations { cancel(id) }
            for operation in work.operations { channel?.begin(operation) ?? operation.refuse() }
            if work.isClosed { return end(sending: work.farewell) }
            perform()
            expire(at: .now)
            channel?.advance(at: .now)
            wait()
        }
    }

    private func reportStart(of submission: Submission) {
        guard submission.isObserved, let observation = submission.observation else { return }
        let started = TransferEvent.Started(submission, observation.describeBody)
        observation.observer(.started(submission.id, started))
    }

    /// Makes libidn2, which reads host names in the thread's character set, take them as UTF-8.
    private func useUTF8(for host: String) {
        guard !hasLocale, !host.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        hasLocale = true
        if let locale = Self.locale { uselocale(locale) }
    }

    private func cancel(_ id: TransferID) {
        guard let transfer = transfers.first(where: { $0.submission.id == id }) else { return }
        finish(transfer, .failure(transfer.failure(.cancelled, "cancelled")))
    }

    private func perform() {
        var running: Int32 = 0
        guard curl.multiPerform(multi, &running) == CURLM_OK else {
            return endAll(.connectionLost, "libcurl failed")
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
        var milliseconds = Self.longestWait
        for transfer in transfers {
            let rest = now.duration(to: transfer.clock.next.instant).wholeMilliseconds
            milliseconds = min(milliseconds, rest)
        }
        guard let channel, var watched = channel.watched, let deadline = channel.deadline else {
            _ = curl.multiPoll(multi, nil, 0, Int32(clamping: milliseconds), nil)
            return
        }
        milliseconds = min(milliseconds, max(0, now.duration(to: deadline).wholeMilliseconds))
        _ = curl.multiPoll(multi, &watched, 1, Int32(clamping: milliseconds), nil)
    }

    private func finish(_ transfer: Transfer, _ result: TransferResult) {
        report(transfer, result)
        transfers.removeAll { $0 === transfer }
        if transfer.submission.request.purpose == .webSocket, (try? result.get()) != nil {
            channel = TransferChannel(transfer)
        } else {
            _ = curl.multiRemove(multi, transfer.easy.pointer)
        }
        transfer.submission.answer(result)
    }

    private func report(_ transfer: Transfer, _ result: TransferResult) {
        let submission = transfer.submission
        guard let observation = submission.observation, submission.isObserved else { return }
        // The answer to a WebSocket's handshake is still to come.
        if submission.request.purpose == .webSocket, (try? result.get()) != nil { return }
        let event: TransferEvent =
            switch result {
            case .success: .finished(submission.id, .init(transfer, observation.describeBody))
            case .failure(let failure): .failed(submission.id, failure.error, .init(transfer))
            }
        observation.observer(event)
    }

    private func end(sending farewell: [UInt8]) {
        endAll(.cancelled, "the transport was shut down")
        guard let channel else { return }
        channel.end(sending: farewell)
        _ = curl.multiRemove(multi, channel.transfer.easy.pointer)
        self.channel = nil
    }

    private func endAll(_ kind: TransportError.Kind, _ words: String) {
        for transfer in transfers { finish(transfer, .failure(transfer.failure(kind, words))) }
    }
}

/// The next deadline of a transfer.
struct TransferClock {
    typealias Instant = ContinuousClock.Instant

    private enum Stage { case connecting, waiting, receiving }

    let started: Instant
    private let deadlines: Deadlines
    private var stage = Stage.connecting
    /// The beginning of the stage or, while receiving, the time of the last byte.
    private var since: Instant

    /// Counts the total from `started`, and the connection's time from `now`, which is later if an
    /// earlier attempt failed.
    init(_ deadlines: Deadlines, started: Instant, now: Instant) {
        self.deadlines = deadlines
        self.started = started
        self.since = now
    }

    /// True while the request is not known to be sent.
    var isConnecting: Bool { stage == .connecting }

    /// Records that the connection is established and the request leaves.
    mutating func connected(at now: Instant) {
        guard stage == .connecting else { return }
        stage = .waiting
        since = now
    }

    mutating func received(at now: Instant) {
        stage = .receiving
        since = now
    }

    /// The deadline that passes first, and its phase.
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
