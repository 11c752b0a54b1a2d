/// Determines the next deadline of a transfer from its progress.
struct TransferClock {
    typealias Instant = ContinuousClock.Instant

    private enum Stage { case connecting, waiting, receiving }

    let started: Instant
    private let deadlines: Deadlines
    private var stage = Stage.connecting
    /// The start of the stage or, while receiving, the time of the last byte.
    private var since: Instant

    /// Starts the total at `started` and the connection's limit at `now`, which is later after a
    /// failed attempt.
    init(_ deadlines: Deadlines, started: Instant, now: Instant) {
        self.deadlines = deadlines
        self.started = started
        self.since = now
    }

    /// True if the request has not been sent, as far as is known.
    var isConnecting: Bool { stage == .connecting }

    /// Records that the connection is established and the request leaves.
    mutating func connected(at now: Instant) {
        guard stage == .connecting else { return }
        stage = .waiting
        since = now
    }

    /// Records that bytes of the answer arrived.
    mutating func received(at now: Instant) {
        stage = .receiving
        since = now
    }

    /// The first deadline to expire, and its phase.
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
