package import ArgusCore

/// The verdict about an event for a receiver.
///
///     {"at":"2026-11-22T18:00:00.000000Z","event_id":"8f85eda1-…","token_id":"…",
///      "device_name":"Ann's phone","platform":"ios","service":"apns","outcome":"sent",
///      "reason":null,"value":null,"passes_at":null,"http_status":200,"attempts":1,
///      "duration_ms":48}
package struct DeliveryRecord: Hashable, Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case sent
        /// Sent without a sound.
        case silent
        /// Kept by a rule, or because it was captured too long ago.
        case skipped
        /// Not delivered; `notify run` of the event tries again.
        case failed
        /// The receiver is gone, and its token was removed.
        case removed
        /// Not delivered, for the last time: the receiver is inactive now.
        case deactivated
    }

    /// The part that is to blame for a failure.
    package enum Cause: Hashable, Sendable {
        /// The receiver, or its token.
        case token
        /// The service, or the credentials for it.
        case provider(DeliveryAnswer.Fault)
        /// The settings, the credentials or the payload: nothing was sent.
        case unsent(DeliveryError)
    }

    /// The reason of events that were captured longer ago than `--max-age`.
    package static let tooOld = "too_old"
    /// The reason of pairs that an earlier dispatch has decided; such records are not kept.
    package static let alreadyDispatched = "already_dispatched"

    /// The reason of a failure when too many events wait for a receiver.
    static let tooMany =
        "an earlier push to it is still in its tries, and too many events wait for it"

    package var at: Timestamp
    package var eventID: String
    package var tokenID: String
    package var deviceName: String?
    package var platform: String?
    package var service: DeliveryService
    package var outcome: Outcome
    /// A word for what was skipped, a clause for what failed; safe to print.
    package var reason: String?
    /// The value of the receiver's, as it was then, to which the rule that skipped it owes its decision.
    package var value: String?
    /// The time from which on that rule would have let it pass; nil if that took a change.
    package var passesAt: Timestamp?
    package var httpStatus: Int?
    package var attempts = 0
    package var duration = Duration.zero
    /// The kind of the failure; not kept.
    package var cause: Cause?

    package init(
        _ eventID: String, _ token: DeliveryToken, _ outcome: Outcome, _ reason: String? = nil,
        at now: Timestamp
    ) {
        self.eventID = eventID
        tokenID = token.id
        deviceName = token.device.name
        platform = token.device.platform?.rawValue
        service = token.service
        self.outcome = outcome
        // A push service may repeat the token.
        self.reason = reason?.masked
        at = now
    }

    /// The whole milliseconds of all tries.
    package var milliseconds: Int { duration.wholeMilliseconds }

    /// True if a request was made, or failed to be made.
    package var isAttempt: Bool { outcome != .skipped }

    /// True if the push service took the push.
    var isDelivered: Bool { outcome == .sent || outcome == .silent }

    /// True if the pair needs no other delivery.
    var isSettled: Bool { outcome != .failed }

    /// Reads a line of a file; nil for anything else.
    init?(_ view: JSONView) {
        guard let at = view["at"]?.timestamp, let event = view["event_id"]?.string,
            let token = view["token_id"]?.string,
            let service = view["service"]?.string.flatMap(DeliveryService.init(rawValue:)),
            let outcome = view["outcome"]?.string.flatMap(Outcome.init(rawValue:))
        else { return nil }
        (self.at, eventID, tokenID, self.service, self.outcome) = (
            at, event, token, service, outcome
        )
        deviceName = view["device_name"]?.string
        platform = view["platform"]?.string
        reason = view["reason"]?.string
        value = view["value"]?.string
        passesAt = view["passes_at"]?.timestamp
        httpStatus = view["http_status"]?.int
        attempts = view["attempts"]?.int ?? 0
        duration = .milliseconds(view["duration_ms"]?.int ?? 0)
    }

    /// The line, with its line feed.
    var line: [UInt8] {
        let bytes = JSONWriter.object { writer in
            writer.member("at", at)
            writer.member("event_id", eventID)
            writer.member("token_id", tokenID)
            writer.member("device_name", deviceName)
            writer.member("platform", platform)
            writer.member("service", service.rawValue)
            writer.member("outcome", outcome.rawValue)
            writer.member("reason", reason)
            writer.member("value", value)
            writer.member("passes_at", passesAt)
            writer.member("http_status", httpStatus)
            writer.member("attempts", attempts)
            writer.member("duration_ms", milliseconds)
        }
        return bytes + [UInt8(ascii: "\n")]
    }
}
