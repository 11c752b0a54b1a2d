import ArgusCore
import ArgusTransport

/// The table of answers of Web Push (RFC 8030, section 5).
enum WebPushAnswers {
    static func step(after answer: HTTPResponse, of host: String, now: Timestamp) -> DeliveryStep {
        let status = answer.status
        guard status == 429 || isOwn(answer) else {
            return .unusable(answer, of: "a push service", at: host, .backoff(.seconds(1)))
        }
        return switch status {
        case 200, 201, 202: .end(.accepted, nil)
        case 404, 410: .end(.gone, "\(host) no longer knows the subscription (\(status))")
        case 401, 403:
            .renew(
                .providerFailure(.credentials),
                "\(host) rejects the VAPID key or its subject (\(status)): was the subscription made "
                    + "with the key of 'argus notify key show'?")
        case 413:
            .shorten(.providerFailure(.tooLarge), "\(host) takes no payload of this size (413)")
        case 429:
            .again(
                answer.retryAfter(now: now).map(DeliveryWait.exactly) ?? .backoff(.seconds(1)),
                .providerFailure(.rateLimited), "\(host) takes no more pushes for now (429)")
        case 500...599:
            .again(.backoff(.seconds(1)), .tokenFailure, "\(host) failed (\(status))")
        case 400: .end(.providerFailure(.service), "\(host) rejects the request (400)")
        case 300...399:
            .end(.tokenFailure, "\(host) redirects (\(status)), which is not followed")
        default: .end(.tokenFailure, "\(host) answered \(status), unlike any push service")
        }
    }

    /// True for the answer of a push service, not of a proxy or web server in its place.
    ///
    /// RFC 8030 defines no bodies. A refusal of Apple's, Mozilla's or ntfy's has JSON with a code, one
    /// of Google's a sentence with one of a few words; the pages and texts of others have neither.
    private static func isOwn(_ answer: HTTPResponse) -> Bool {
        let text = String(decoding: answer.body, as: UTF8.self)
        guard let first = text.first(where: { !$0.isWhitespace }) else { return true }
        if 200..<300 ~= answer.status { return first != "<" }
        if let view = try? JSONView.parse(answer.body) {
            return ["code", "errno", "reason"].contains { view[$0] != nil }
        }
        return first != "<"
            && ["subscri", "JWT", "authorization header"].contains { text.contains($0) }
    }
}
