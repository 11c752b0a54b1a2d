/// The table of answers of Web Push (push-delivery, section 4; RFC 8030, section 5).
enum WebPushAnswers {
    /// The step after a try at an endpoint of `host`.
    static func step(
        _ outcome: DeliveryTries.Outcome, host: String, now: Timestamp
    ) -> DeliveryStep {
        switch outcome {
        case .success(let answer): step(answer, host, now)
        case .failure(let error): step(error, host)
        }
    }

    private static func step(
        _ answer: HTTPResponse, _ host: String, _ now: Timestamp
    ) -> DeliveryStep {
        let status = answer.status
        switch status {
        case 200, 201, 202: return .end(.accepted, nil)
        case 404, 410: return .end(.gone, "\(host) no longer knows the subscription (\(status))")
        case 401, 403:
            return .end(
                .providerFailure(.credentials),
                "\(host) rejects the VAPID key or its subject (\(status)): was the subscription made "
                    + "with the key of 'argus push vapid show'?")
        case 413:
            return .shorten(
                .providerFailure(.service), "\(host) takes no payload of this size (413)")
        case 429:
            let reason = "\(host) takes no more pushes for now (429)"
            guard let wait = answer.retryAfter(now: now) else {
                return .again(.backoff(.seconds(1)), .tokenFailure, reason)
            }
            return .again(.exactly(wait), .tokenFailure, reason)
        case 500...599:
            return .again(.backoff(.seconds(1)), .tokenFailure, "\(host) failed (\(status))")
        case 400:
            return .end(.providerFailure(.service), "\(host) rejects the request (400)")
        case 300...399:
            return .end(.tokenFailure, "\(host) redirects (\(status)), which is not followed")
        default: return .end(.tokenFailure, "\(host) answered \(status), as no push service does")
        }
    }

    private static func step(_ error: TransportError, _ host: String) -> DeliveryStep {
        let reason = "\(host): \(error.detail)"
        // A name without an address is more often a machine without a network than a dead service.
        if case .unresolvedHost = error.kind {
            return .again(.backoff(.seconds(1)), .providerFailure(.service), reason)
        }
        if case .cancelled = error.kind { return .end(.providerFailure(.service), reason) }
        guard error.isWorthRetrying else { return .end(.tokenFailure, reason) }
        return .again(.backoff(.seconds(1)), .tokenFailure, reason)
    }
}
