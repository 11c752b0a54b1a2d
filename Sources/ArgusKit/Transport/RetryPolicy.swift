/// Which failures are worth another try, and how long to wait before it (contract section 5).
package struct RetryPolicy: Sendable {
    /// Further tries after the first.
    package var retries: Int
    package var backoff: Backoff
    /// The longest wait that a server's `Retry-After` can ask for; past it the answer stands.
    package var longestWait = Duration.seconds(60)
    /// The longest time in all to wait for a server that refuses more requests with a 429; nil where
    /// such an answer stands (`--wait-rate-limit`).
    package var longestRateLimitWait: Duration?

    package init(retries: Int = 2, backoff: Backoff = Backoff()) {
        self.retries = retries
        self.backoff = backoff
    }

    /// The wait before a further try, nil when there is none.
    ///
    /// `number` counts further tries from 1; `random`, from 0 to 1, decides the wait's random part.
    func wait(
        before number: Int, of request: HTTPRequest, after outcome: Outcome, random: Double,
        now: Timestamp
    ) -> Duration? {
        guard number <= retries else { return nil }
        let wait = backoff.wait(before: number, random: random)
        switch outcome {
        case .success(let response):
            guard request.method.isIdempotent, Self.isPassing(response.status)
            else { return nil }
            guard response.status == 503, let asked = response.retryAfter(now: now) else {
                return wait
            }
            return asked > longestWait ? nil : max(wait, asked)
        case .failure(let error):
            return Self.mayRepeat(request, error) ? wait : nil
        }
    }

    /// The wait before a request that the server's rate limit refused, nil when there is none.
    ///
    /// A wait that would end too late is of no use: the refusal is reported at once.
    func rateLimitWait(
        after outcome: Outcome, having waited: Duration, now: Timestamp
    ) -> Duration? {
        guard let longest = longestRateLimitWait, case .success(let answer) = outcome,
            answer.status == 429
        else { return nil }
        // A server that names no wait counts by the minute.
        let wait = max(.seconds(1), answer.retryAfter(now: now) ?? .seconds(60))
        return waited + wait <= longest ? wait : nil
    }

    typealias Outcome = Result<HTTPResponse, TransportError>

    /// Time-out, too early, and what a proxy says of a server that restarts.
    ///
    /// 500 is reported, and 429 has a wait of its own.
    private static func isPassing(_ status: Int) -> Bool {
        switch status {
        case 408, 425, 502, 503, 504: true
        default: false
        }
    }

    private static func mayRepeat(_ request: HTTPRequest, _ error: TransportError) -> Bool {
        let isPassing =
            switch error.kind {
            case .unresolvedHost, .notConnected, .timedOut(.connect), .timedOut(.handshake),
                .connectionLost, .truncatedBody, .proxyFailed:
                true
            default: false
            }
        return isPassing && (request.method.isIdempotent || error.nothingSent)
    }
}

extension HTTPResponse {
    /// How long the server asks to wait: seconds or a date (RFC 9110, section 10.2.3).
    ///
    /// A date is judged by the server's own `Date`, since clocks differ.
    package func retryAfter(now: Timestamp? = nil) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int64(text) {
            return seconds >= 0 && seconds <= 1_000_000_000 ? .seconds(seconds) : nil
        }
        guard let date = HTTPDate.parse(text),
            let reference = headers["Date"].flatMap(HTTPDate.parse) ?? now
        else { return nil }
        return .microseconds(max(0, date.microseconds - reference.microseconds))
    }
}
