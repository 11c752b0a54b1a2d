/// How long to wait before each further try: doubling from a first wait, with a random part.
package struct Backoff: Hashable, Sendable {
    /// The wait before the first further try.
    package var first: Duration
    /// The longest wait before the random part.
    package var limit: Duration
    /// The largest random change in each direction, as a part of the wait: 0.25 is ± 25 %.
    package var spread: Double

    /// Waits of 1 s, 2 s, 4 s and so on, ± 25 %, of a minute at most (contract section 5).
    package init(
        first: Duration = .seconds(1), limit: Duration = .seconds(60), spread: Double = 0.25
    ) {
        self.first = first
        self.limit = limit
        self.spread = spread
    }

    /// The wait before a further try, counted from 1; `random`, from 0 to 1, decides the random
    /// part.
    package func wait(before number: Int, random: Double) -> Duration {
        // Beyond 2^30 the limit decides for any sensible first wait.
        let doublings = min(max(number - 1, 0), 30)
        let wait = min(first * (1 << doublings), limit)
        return wait * (1 + spread * (2 * min(max(random, 0), 1) - 1))
    }
}
