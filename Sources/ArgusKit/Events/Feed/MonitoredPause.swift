/// The pauses of a feed with a sign of life at each step, and once in each `interval` of a long
/// pause.
///
/// The signs come from the feed's own task, so that a feed which hangs gives none.
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
