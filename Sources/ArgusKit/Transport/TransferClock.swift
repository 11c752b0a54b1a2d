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
