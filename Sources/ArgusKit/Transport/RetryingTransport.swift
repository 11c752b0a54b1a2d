/// Repeats what another transport could not finish, and waits out a server's rate limit, by a
/// `RetryPolicy`.
package struct RetryingTransport: Transport {
    /// A wait before a request is sent again.
    package enum Notice: Sendable {
        /// A retry, as a sentence such as `GET https://home: status 503; retry 1 of 2 in 1 s`.
        case retry(String)
        /// The server refuses more requests for so long.
        case rateLimit(Duration)
    }

    /// The clocks and random numbers that a retry needs, so that tests need no time to pass.
    package struct Surroundings: Sendable {
        package var sleep: @Sendable (Duration) async throws -> Void
        /// A number from 0 to 1.
        package var random: @Sendable () -> Double
        package var now: @Sendable () -> Timestamp

        package init(
            sleep: @escaping @Sendable (Duration) async throws -> Void,
            random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
            now: @escaping @Sendable () -> Timestamp
        ) {
            self.sleep = sleep
            self.random = random
            self.now = now
        }
    }

    private let base: any Transport
    private let policy: RetryPolicy
    private let surroundings: Surroundings
    private let notice: @Sendable (Notice) -> Void

    /// Puts retries before a transport; `notice` receives each wait before it begins.
    package init(
        _ base: any Transport, policy: RetryPolicy = RetryPolicy(), surroundings: Surroundings,
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.base = base
        self.policy = policy
        self.surroundings = surroundings
        self.notice = notice
    }

    /// Sends a request, and again as the policy allows; never once a part of the body was handed on.
    package func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        guard request.purpose == .answer else {
            return try await base.send(request, receive: receive)
        }
        let body = BodyWatch()
        let receive = body.watching(receive)
        var number = 1
        var waitedForRateLimit = Duration.zero
        while true {
            let outcome: RetryPolicy.Outcome
            do throws(TransportError) {
                outcome = .success(try await base.send(request, receive: receive))
            } catch {
                outcome = .failure(error)
            }
            let now = surroundings.now()
            let wait: Duration
            if let limit = policy.rateLimitWait(
                after: outcome, having: waitedForRateLimit, now: now)
            {
                wait = limit
                waitedForRateLimit += wait
                number = 1
                notice(.rateLimit(wait))
            } else if let backoff = policy.wait(
                before: number, of: request, after: outcome, random: surroundings.random(),
                now: now), !body.hasBegun
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
                try await surroundings.sleep(wait)
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
