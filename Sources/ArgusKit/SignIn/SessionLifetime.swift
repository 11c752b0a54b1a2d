// When an access token ends, and when it is time for another; both by the server's clock.
extension StoredSession {
    /// When the access token ends: by its own claim, else as the server said.
    package var endsAt: Timestamp? { JWTClaims(accessToken)?.expiresAt ?? expiresAt }

    /// Whether the access token has ended; false where nobody knows its end.
    package func hasEnded(at serverTime: Timestamp) -> Bool {
        endsAt.map { $0 <= serverTime } ?? false
    }

    /// Whether so little is left of the access token that it is to be renewed.
    ///
    /// The offset is the server's clock less ours.
    package func isDue(at serverTime: Timestamp, offset: Duration) -> Bool {
        guard let endsAt else { return false }
        let claimed = JWTClaims(accessToken)?.issuedAt
        let begin = claimed ?? issuedAt.map { $0 + offset }
        let lifetime = begin.map { endsAt - $0 } ?? .seconds(86_400)
        return endsAt - serverTime < Self.renewalLead(lifetime: lifetime)
    }

    /// Whether the tokens were received within the last ten seconds of our clock.
    func wasIssuedJustNow(_ now: Timestamp) -> Bool {
        guard let issuedAt else { return false }
        return issuedAt <= now && now - issuedAt < .seconds(10)
    }

    /// The server's clock less ours when the tokens were received, where the access token tells.
    package var offsetAtIssue: Duration? {
        guard let issuedAt, let serverTime = JWTClaims(accessToken)?.issuedAt else { return nil }
        return ClockOffset.measured(serverTime: serverTime, now: issuedAt)
    }

    /// How long before its end a token is renewed: an hour, less for short lives, so that none is
    /// renewed in the first half of its life.
    package static func renewalLead(lifetime: Duration) -> Duration {
        let lifetime = max(lifetime, .zero)
        return min(.seconds(3600), max(lifetime / 10, .seconds(60)), lifetime / 2)
    }
}

/// How far a server's clock is from ours.
package enum ClockOffset {
    /// Below this a difference is taken for the whole seconds of `Date` and the way of the answer.
    private static let noise = Duration.seconds(2)

    /// The server's clock less ours, from an answer received now.
    package static func measured(serverTime: Timestamp, now: Timestamp) -> Duration {
        // `Date` is cut to whole seconds: half a second is what is missing on average.
        let offset = serverTime - now + .milliseconds(500)
        return abs(offset) < noise ? .zero : offset
    }

    /// Whether a new measurement is worth keeping in place of an old one.
    package static func isNews(_ offset: Duration, after old: Duration?) -> Bool {
        abs(offset - (old ?? .zero)) >= noise
    }

    private static func abs(_ duration: Duration) -> Duration {
        duration < .zero ? .zero - duration : duration
    }
}
