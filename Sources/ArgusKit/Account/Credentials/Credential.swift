package import ArgusCore

/// A proof of the user's identity in requests.
package enum Credential: Hashable, Sendable {
    /// The tokens of a signed-in user.
    case session(StoredSession)
    /// An API key, sent as `X-API-Key`.
    case apiKey(Redacted<String>)
}

/// The renewals of a session at which the server crashed, by the local clock.
package struct RenewalCrashes: Hashable, Sendable {
    package var count = 0
    package var firstAt: Timestamp?
    package var lastAt: Timestamp?
}

/// The tokens of a sign-in and their properties.
package struct StoredSession: Hashable, Sendable {
    /// The origin of the tokens, which decides how they are renewed.
    package enum Kind: String, Hashable, Sendable {
        /// A sign-in with a password.
        case web
        /// A pairing as a device.
        case mobile
        /// A token that the user provided, which cannot be renewed.
        case imported
    }

    package var kind: Kind
    package var accessToken: Redacted<String>
    package var refreshToken: Redacted<String>?
    /// The id of the server's device row, which a mobile renewal needs.
    package var deviceRowID: String?
    /// The id under which this machine was paired; nil for a sign-in that is no pairing, and for
    /// one that an earlier argus stored.
    package var hardwareID: String?
    package var username: String?
    /// The expiry of the access token by the server's clock; nil if unknown.
    package var expiresAt: Timestamp?
    /// The time at which the tokens were received, by the local clock.
    package var issuedAt: Timestamp?
    /// The name of the cookie that carries the access token; nil to send it as Bearer.
    package var cookie: String?
    /// The end of renewals by the server's clock; nil if unknown.
    package var renewableUntil: Timestamp?
    /// The time of the last renewal by the local clock; nil if the sign-in was never renewed.
    package var renewedAt: Timestamp?
    /// The renewals at which the server crashed since the tokens were received.
    package var crashes = RenewalCrashes()
}
