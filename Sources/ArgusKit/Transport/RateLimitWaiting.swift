/// Waits and asks again where a server refuses more requests, as `--wait-rate-limit` allows
/// (contract section 5).
package struct RateLimitWaiting: Transport {
    /// The wait where the server names none: its limits are by the minute.
    private static var usualWait: Duration { .seconds(60) }

    private let base: any Transport
    private let longest: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let now: @Sendable () -> Timestamp
    private let notice: @Sendable (Duration) -> Void

    /// Waits at most `longest` in all for one request, and tells each wait before it begins.
    package init(
        _ base: any Transport, longest: Duration, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        notice: @escaping @Sendable (Duration) -> Void
    ) {
        self.base = base
        self.longest = longest
        self.now = now
        self.sleep = sleep
        self.notice = notice
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await waiting { () async throws(TransportError) in try await base.send(request) }
    }

    package func send(
        _ request: HTTPRequest, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TransportError) -> HTTPResponse {
        try await waiting { () async throws(TransportError) in
            try await base.send(request, receive: receive)
        }
    }

    package func certificate(
        of origin: Origin, holding proof: ServerProof?, deadlines: Deadlines
    ) async throws(TransportError) -> PeerCertificate {
        try await base.certificate(of: origin, holding: proof, deadlines: deadlines)
    }

    private func waiting(
        _ attempt: () async throws(TransportError) -> HTTPResponse
    ) async throws(TransportError) -> HTTPResponse {
        var waited = Duration.zero
        while true {
            let answer = try await attempt()
            guard answer.status == 429 else { return answer }
            let wait = max(.seconds(1), answer.retryAfter(now: now()) ?? Self.usualWait)
            // A wait that would end too late is of no use to anybody: the refusal is told now.
            guard waited + wait <= longest else { return answer }
            waited += wait
            notice(wait)
            do {
                try await sleep(wait)
            } catch {
                throw TransportError(.cancelled, "cancelled while waiting for the rate limit")
            }
        }
    }
}
