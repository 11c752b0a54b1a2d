package import ArgusCore

/// Repeats failed requests and waits out a server's rate limit, by a `RetryPolicy`.
package struct RetryingTransport: Transport {
    /// A wait before a request is sent again.
    package enum Notice: Sendable {
        /// A retry, as a sentence such as `GET https://home: status 503; retry 1 of 2 in 1 s`.
        case retry(String)
        /// The server accepts no more requests for this long.
        case rateLimit(Duration)
    }

    private let base: any Transport
    private let policy: RetryPolicy
    private let limiter: RequestLimiter?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Timestamp
    private let notice: @Sendable (Notice) -> Void

    /// Puts retries before a transport; each try waits for a slot of the `limiter`, if given.
    ///
    /// `random` returns a number from 0 to 1; `notice` receives each wait before it begins.
    package init(
        _ base: any Transport, policy: RetryPolicy = RetryPolicy(), limiter: RequestLimiter? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        now: @escaping @Sendable () -> Timestamp,
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.base = base
        self.policy = policy
        self.limiter = limiter
        self.sleep = sleep
        self.random = random
        self.now = now
        self.notice = notice
    }

    /// Sends a request, and again as the policy allows; never after a part of the body was passed on.
    ///
    /// A WebSocket is opened once: the code that reads it opens another when it breaks.
    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        guard request.purpose == .answer else {
            return try await base.send(request, receive: receive)
        }
        let body = BodyWatch()
        var number = 1
        var waitedForRateLimit = Duration.zero
        while true {
            let outcome: RetryPolicy.Outcome
            do throws(TransportError) {
                let slot = try await limiter?.acquire(for: request)
                defer { slot?.release() }
                // A long download has had the server's attention once it begins.
                let watched = body.watching(receive) { slot?.release() }
                outcome = .success(try await base.send(request, receive: watched))
            } catch {
                outcome = .failure(error)
            }
            let now = now()
            let wait: Duration
            if let limit = policy.rateLimitWait(
                after: outcome, having: waitedForRateLimit, now: now)
            {
                wait = limit
                waitedForRateLimit += wait
                number = 1
                notice(.rateLimit(wait))
            } else if !body.hasBegun,
                let backoff = policy.wait(
                    before: number, of: request, after: outcome, random: random(), now: now)
            {
                wait = backoff
                notice(
                    .retry(
                        "\(request.method.rawValue) \(request.origin): \(outcome.reason); "
                            + "retry \(number) of \(policy.retries) in \(wait.words)"))
                number += 1
            } else {
                return try outcome.get()
            }
            do {
                try await sleep(wait)
            } catch {
                throw TransportError(.cancelled, "cancelled while waiting for another try")
            }
        }
    }
}

extension RetryPolicy.Outcome {
    fileprivate var reason: String {
        switch self {
        case .success(let response): "status \(response.status)"
        case .failure(let error): error.detail
        }
    }
}

/// The failures that are worth another try, and the waits before it (docs/scripting.md, "Time
/// limits and retries").
package struct RetryPolicy: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    /// Further tries after the first.
    package var retries: Int
    /// The longest time in all to wait for a server that refuses more requests with a 429; nil to
    /// report such an answer at once (`--wait-rate-limit`).
    package var longestRateLimitWait: Duration?

    /// The longest wait: by backoff before jitter, and by a server's `Retry-After`, beyond which the
    /// answer stands.
    private static let longestWait = Duration.seconds(60)

    package init(retries: Int = 2) { self.retries = retries }

    /// The wait before a retry, counted from 1, with a jitter by `random`, 0 to 1; nil for no retry.
    func wait(
        before number: Int, of request: HTTPRequest, after outcome: Outcome, random: Double,
        now: Timestamp
    ) -> Duration? {
        guard number <= retries else { return nil }
        let wait = Self.backoff(before: number, random: random)
        switch outcome {
        case .success(let response):
            guard request.method.isIdempotent,
                Self.isTemporary(response.status) || request.isForeign(response)
            else { return nil }
            guard response.status == 503, let asked = response.retryAfter(now: now) else {
                return wait
            }
            return asked > Self.longestWait ? nil : max(wait, asked)
        case .failure(let error):
            return Self.mayRepeat(request, error) ? wait : nil
        }
    }

    /// The wait before a request that the server's rate limit refused; nil if it would end too late.
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

    /// The wait before a retry, counted from 1: 1 s, 2 s, 4 s and so on up to a minute, ± 25 %.
    static func backoff(before number: Int, random: Double) -> Duration {
        let wait = min(.seconds(1 << min(max(number - 1, 0), 30)), longestWait)
        return wait * (1 + 0.25 * (2 * min(max(random, 0), 1) - 1))
    }

    /// True for 408, 425 and a proxy's answers while a server restarts.
    ///
    /// A 500 is reported, not repeated; a 429 has its own wait.
    private static func isTemporary(_ status: Int) -> Bool {
        [408, 425, 502, 503, 504].contains(status)
    }

    private static func mayRepeat(_ request: HTTPRequest, _ error: TransportError) -> Bool {
        switch error.kind {
        case .unresolvedHost, .notConnected, .timedOut(.connect), .timedOut(.handshake),
            .connectionLost, .truncatedBody, .proxyFailed, .unknownNetwork:
            request.method.isIdempotent || error.nothingSent
        default: false
        }
    }
}

extension HTTPResponse {
    /// The wait that the server asks for, in seconds or as a date (RFC 9110, section 10.2.3).
    ///
    /// A date is compared with the server's own `Date`, since clocks differ.
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
