import ArgusCore
import ArgusTransport

/// The table of answers of APNs (Apple, "Handling notification responses from APNs").
enum APNsAnswers {
    /// The device that a push was for, as far as the table needs it.
    struct Receiver {
        var origin: Origin
        var isSandbox: Bool
        var bundleID: String
        /// The time at which the token was last registered.
        var updatedAt: Timestamp
    }

    /// The reason for which the provider's token is replaced.
    static let tooManyTokens = "TooManyProviderTokenUpdates"

    /// The reason in the body of an answer, such as `BadDeviceToken`; nil without one.
    static func reason(of answer: HTTPResponse) -> String? {
        (try? JSONView.parse(answer.body))?["reason"]?.codeWord
    }

    private static let service = DeliveryAnswer.Verdict.providerFailure(.service)
    private static let credentials = DeliveryAnswer.Verdict.providerFailure(.credentials)

    static func step(
        after answer: HTTPResponse, for receiver: Receiver, now: Timestamp
    ) -> DeliveryStep {
        let reason = reason(of: answer)
        let words = reason.map { "\($0), \(answer.status)" } ?? "\(answer.status)"
        let host = receiver.origin.host
        let environment = receiver.isSandbox ? "sandbox" : "production"
        // A token that was registered again since is alive.
        let isGone = removalTime(in: answer).map { $0 > receiver.updatedAt }
        return switch (answer.status, reason) {
        // A success of APNs has no body; another server is in between.
        case (200, _) where answer.body.isEmpty: .end(.accepted, nil)
        case (200, _), (_, nil): .unusable(answer, of: "APNs", at: host, .backoff(.seconds(1)))
        case (410, _) where isGone == nil:
            .end(.tokenFailure, "the app was removed from the device; APNs does not report when")
        case (410, _) where isGone == true:
            .end(.gone, "the app was removed from the device (\(words))")
        case (410, _):
            .end(
                .tokenFailure,
                "APNs reports that the app was removed from the device (\(words)), but the token was "
                    + "registered again since")
        case (400, "BadDeviceToken"):
            .end(
                .tokenFailure,
                "APNs does not know the token in its \(environment) environment (\(words)): see the "
                    + "type of the token and push.apns_sandbox")
        case (400, "DeviceTokenNotForTopic"):
            .end(
                service,
                "the token is not for the app '\(receiver.bundleID)' (\(words)): see the bundle "
                    + "id of the token or push.apns_bundle_id")
        case (403, "ExpiredProviderToken"):
            .renew(
                credentials,
                "APNs considers the key's token expired (\(words)): \(clock(of: answer, now))")
        case (403, _):
            .end(
                credentials,
                "APNs rejects the key (\(words)): see push.apns_key_id, push.apns_team_id and the "
                    + "environments of the key")
        case (429, "TooManyRequests"):
            .end(.providerFailure(.rateLimited), "too many pushes for this device (\(words))")
        case (429, tooManyTokens):
            .end(.providerFailure(.rateLimited), "too many new tokens of this key (\(words))")
        case (500, _), (503, _):
            .again(.backoff(.seconds(1)), service, "APNs failed (\(words))")
        default: .end(service, "APNs rejects the request (\(words))")
        }
    }

    /// The time at which the app was removed from the device; nil for none that can be one.
    private static func removalTime(in answer: HTTPResponse) -> Timestamp? {
        let milliseconds = (try? JSONView.parse(answer.body))?["timestamp"]?.int ?? 0
        // Larger numbers would overflow.
        guard (1...4_000_000_000_000).contains(milliseconds) else { return nil }
        return Timestamp(microseconds: Int64(milliseconds) * 1000)
    }

    /// The words about this machine's clock, with which new tokens are expired if it is wrong.
    private static func clock(of answer: HTTPResponse, _ now: Timestamp) -> String {
        let theirs = answer.headers["Date"].flatMap(HTTPDate.parse)
        let offset = theirs.map { $0 - now } ?? .zero
        let size = offset < .zero ? .zero - offset : offset
        guard size >= .seconds(60) else { return "is this machine's clock right?" }
        return "this machine's clock is \(DurationText.short(size)) "
            + (offset < .zero ? "ahead" : "behind")
    }
}
