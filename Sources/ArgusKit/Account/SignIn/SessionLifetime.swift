package import ArgusCore

// The expiry of access tokens and the time of their renewal, both by the server's clock.
extension StoredSession {
    /// The expiry of the access token: its own claim, else the server's announcement.
    package var endsAt: Timestamp? { JWTClaims(accessToken)?.expiresAt ?? expiresAt }

    /// True if the access token has expired; false if its expiry is unknown.
    package func hasEnded(at serverTime: Timestamp) -> Bool {
        endsAt.map { $0 <= serverTime } ?? false
    }

    /// True if the access token is due for renewal.
    ///
    /// The offset is the server's clock minus the local one.
    package func isDue(at serverTime: Timestamp, offset: Duration) -> Bool {
        guard let endsAt else { return false }
        let claimed = JWTClaims(accessToken)?.issuedAt
        let begin = claimed ?? issuedAt.map { $0 + offset }
        let lifetime = begin.map { endsAt - $0 } ?? .seconds(86_400)
        return endsAt - serverTime < Self.renewalLead(lifetime: lifetime)
    }

    /// True if the tokens were received within the last ten seconds by the local clock.
    func wasIssuedJustNow(_ now: Timestamp) -> Bool {
        guard let issuedAt else { return false }
        return issuedAt <= now && now - issuedAt < .seconds(10)
    }

    /// The clock offset when the tokens were received; nil if the token does not reveal it.
    package var offsetAtIssue: Duration? {
        guard let issuedAt, let serverTime = JWTClaims(accessToken)?.issuedAt else { return nil }
        return ClockOffset.measured(serverTime: serverTime, now: issuedAt)
    }

    /// The time before its expiry at which a token is renewed.
    ///
    /// An hour, less for short lives, so that no token is renewed in the first half of its life.
    package static func renewalLead(lifetime: Duration) -> Duration {
        let lifetime = max(lifetime, .zero)
        return min(.seconds(3600), max(lifetime / 10, .seconds(60)), lifetime / 2)
    }

    /// The crashes, and the time between the first and the last, after which no renewal is expected.
    private static let (fewestCrashes, shortestTrial) = (3, Duration.seconds(600))

    /// True if the server has shown that it cannot renew this session.
    ///
    /// Servers on SQLite crash at every renewal of a pairing (docs/compatibility.md, trap 3): two
    /// crashes show it unless the pairing was renewed before. Any other session needs more crashes
    /// over a time in which a server restarts.
    package var isRenewalBroken: Bool {
        if kind == .mobile, renewedAt == nil { return crashes.count >= 2 }
        guard let first = crashes.firstAt, let last = crashes.lastAt else { return false }
        return crashes.count >= Self.fewestCrashes && last - first >= Self.shortestTrial
    }

    /// Counts a renewal at which the server crashed `count` times.
    mutating func countCrashes(_ count: Int, at now: Timestamp) {
        crashes.count += count
        crashes.firstAt = crashes.firstAt ?? now
        crashes.lastAt = now
    }
}

/// The difference between a server's clock and the local one.
package enum ClockOffset {
    /// The largest difference to ignore: the whole seconds of `Date` and the latency.
    private static let tolerance = Duration.seconds(2)

    /// The server's clock minus the local one, for an answer received now.
    package static func measured(serverTime: Timestamp, now: Timestamp) -> Duration {
        // `Date` is truncated to whole seconds, on average by half a second.
        let offset = serverTime - now + .milliseconds(500)
        return isSignificant(offset, after: .zero) ? offset : .zero
    }

    /// True if a new measurement is worth storing in place of an old one.
    package static func isSignificant(_ offset: Duration, after old: Duration?) -> Bool {
        let change = offset - (old ?? .zero)
        return max(change, .zero - change) >= tolerance
    }
}
