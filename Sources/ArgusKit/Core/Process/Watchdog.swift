internal import Synchronization

/// The signs of life of a service for its manager, which takes a silent one for hung.
package final class Watchdog: Sendable {
    /// The time within which the manager expects a sign.
    private let limit: Duration
    private let monotonic: @Sendable () -> Duration
    private let send: @Sendable () -> Void
    /// The time of the last sign; nil until the service is ready.
    private let lastSign = Mutex<Duration?>(nil)

    /// Makes a watchdog that gives no sign before `start`.
    package init(
        within limit: Duration, monotonic: @escaping @Sendable () -> Duration,
        send: @escaping @Sendable () -> Void
    ) {
        (self.limit, self.monotonic, self.send) = (limit, monotonic, send)
    }

    /// The longest pause of a service without a sign.
    package var interval: Duration { limit / 2 }

    /// Begins to give signs: the service is ready.
    package func start() { lastSign.withLock { $0 = $0 ?? .zero } }

    /// Gives a sign, unless the last one was a moment ago.
    package func beat() {
        let now = monotonic()
        let isDue = lastSign.withLock { last in
            guard let time = last, now - time >= limit / 4 else { return false }
            last = now
            return true
        }
        if isDue { send() }
    }
}
