package import ArgusTransport

/// The signals for a feed, and its pauses between them.
package actor FeedInbox: FeedPause {
    /// Signals that wait, of some 100 bytes each; a pass finds what was announced beyond that.
    static let capacity = 4096

    /// Cancels the requests of the feed once it has to end.
    package nonisolated let cancellation = RequestCancellation()
    private let monotonic: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    /// A slice, whose first signal is removed without moving the others.
    private var signals: ArraySlice<FeedSignal> = []
    private var waiter: CheckedContinuation<FeedSignal?, Never>?
    /// Counts the pauses, so that a timer ends only its own.
    private var number = 0
    private var hasStopped = false

    /// Makes an inbox with the clock and the pauses of the system.
    package init(
        monotonic: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.monotonic, self.sleep) = (monotonic, sleep)
    }

    package func now() -> Duration { monotonic() }

    package func isStopped() -> Bool { hasStopped }

    /// Delivers a signal; after a stop, only the stop remains.
    package func send(_ signal: FeedSignal) {
        if signal == .stop {
            hasStopped = true
            cancellation.cancel()
        }
        if waiter != nil { return resume(signal) }
        if case .announced = signal, signals.count >= Self.capacity {
            if signals.last != .overflow { signals.append(.overflow) }
        } else {
            signals.append(signal)
        }
    }

    package func wait(until deadline: Duration) async -> FeedSignal? {
        if hasStopped { return .stop }
        if !signals.isEmpty {
            // A slice keeps what was removed from it.
            defer { if signals.isEmpty { signals = [] } }
            return signals.removeFirst()
        }
        let rest = deadline - monotonic()
        guard rest > .zero else { return nil }
        number += 1
        let own = number
        let timer = Task { [sleep] in
            try? await sleep(rest)
            self.expire(own)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiter = $0 }
    }

    private func expire(_ own: Int) { if own == number { resume(nil) } }

    private func resume(_ signal: FeedSignal?) {
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: signal)
    }
}

/// The pauses of a feed with a sign of life at each step, and once in each `interval` of a long
/// pause.
///
/// They come from the feed's own task, so a feed that hangs gives no sign.
package struct MonitoredPause: FeedPause {
    private let base: any FeedPause
    private let interval: Duration?
    private let sign: @Sendable () -> Void

    package init(
        _ base: any FeedPause, every interval: Duration?, sign: @escaping @Sendable () -> Void
    ) {
        (self.base, self.interval, self.sign) = (base, interval, sign)
    }

    package func now() async -> Duration {
        sign()
        return await base.now()
    }

    package func isStopped() async -> Bool {
        sign()
        return await base.isStopped()
    }

    package func wait(until deadline: Duration) async -> FeedSignal? {
        guard let interval else { return await base.wait(until: deadline) }
        while true {
            let part = min(deadline, await now() + interval)
            if let signal = await base.wait(until: part) { return signal }
            if part == deadline { return nil }
        }
    }
}
