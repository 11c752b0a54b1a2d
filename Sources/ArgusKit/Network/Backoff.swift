/// The waits between attempts: exponential from a first wait, with jitter.
package struct Backoff: Hashable, Sendable {
    /// The wait before the first retry.
    package var first: Duration
    /// The longest wait before jitter.
    package var limit: Duration
    /// The largest jitter in either direction, as a fraction of the wait: 0.25 is ± 25 %.
    package var spread: Double

    /// Waits of 1 s, 2 s, 4 s and so on, ± 25 %, up to a minute (contract section 5).
    package init(
        first: Duration = .seconds(1), limit: Duration = .seconds(60), spread: Double = 0.25
    ) {
        self.first = first
        self.limit = limit
        self.spread = spread
    }

    /// The wait before a retry, counted from 1; `random`, from 0 to 1, determines the jitter.
    package func wait(before number: Int, random: Double) -> Duration {
        // Beyond 2^30 the limit applies for any sensible first wait.
        let doublings = min(max(number - 1, 0), 30)
        let wait = min(first * (1 << doublings), limit)
        return wait * (1 + spread * (2 * min(max(random, 0), 1) - 1))
    }
}
