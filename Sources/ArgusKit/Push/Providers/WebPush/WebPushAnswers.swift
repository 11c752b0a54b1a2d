/// The table of answers of Web Push (RFC 8030, section 5).
enum WebPushAnswers {
    /// The step after an answer of an endpoint of `host`.
    static func step(after answer: HTTPResponse, of host: String, now: Timestamp) -> DeliveryStep {
        let status = answer.status
        switch status {
        case 200, 201, 202: return .end(.accepted, nil)
        case 404, 410: return .end(.gone, "\(host) no longer knows the subscription (\(status))")
        case 401, 403:
            return .renew(
                .providerFailure(.credentials),
                "\(host) rejects the VAPID key or its subject (\(status)): was the subscription made "
                    + "with the key of 'argus push vapid show'?")
        case 413:
            return .shorten(
                .providerFailure(.tooLarge), "\(host) takes no payload of this size (413)")
        case 429:
            let reason = "\(host) takes no more pushes for now (429)"
            let wait = answer.retryAfter(now: now).map(DeliveryWait.exactly)
            return .again(
                wait ?? .backoff(.seconds(1)), .providerFailure(.rateLimited), reason)
        case 500...599:
            return .again(.backoff(.seconds(1)), .tokenFailure, "\(host) failed (\(status))")
        case 400:
            return .end(.providerFailure(.service), "\(host) rejects the request (400)")
        case 300...399:
            return .end(.tokenFailure, "\(host) redirects (\(status)), which is not followed")
        default: return .end(.tokenFailure, "\(host) answered \(status), unlike any push service")
        }
    }
}
