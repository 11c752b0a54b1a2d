import ArgusTransport

/// The waits for a server that refuses more requests for now (429).
struct RateLimitWaits {
    private let longest: Duration
    private var count = 0
    private var waited = Duration.zero

    /// Allows waits of `longest` in total, counted from zero after `reset`.
    init(atMost longest: Duration) { self.longest = longest }

    /// The time after which the server is asked again; nil if that would be too late.
    mutating func next(after error: APIError) -> Duration? {
        guard error.kind == .rateLimited else { return nil }
        let least = min(1 << min(count, 6), 60)
        let wait = Duration.seconds(max(error.retryAfterSeconds ?? 15, least))
        guard waited + wait <= longest else { return nil }
        count += 1
        waited += wait
        return wait
    }

    /// Begins anew, since the server has answered.
    mutating func reset() { (count, waited) = (0, .zero) }
}
