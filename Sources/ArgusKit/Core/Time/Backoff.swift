/// The pauses between tries that fail, each twice as long as the one before.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration

    /// For requests to a server that does not answer: 1, 2, 4 … 60 seconds.
    package static let ofRequests = Backoff(from: .seconds(1), to: .seconds(60))

    package init(from first: Duration, to longest: Duration) {
        (self.first, self.longest) = (first, longest)
    }

    /// Returns the pause after a failure; `last` is that after the failure before, if there was one.
    package func pause(after last: Duration?) -> Duration {
        last.map { min($0 * 2, longest) } ?? first
    }
}
