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
