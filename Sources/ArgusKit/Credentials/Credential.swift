/// What proves to a server who is asking.
package enum Credential: Hashable, Sendable {
    /// Tokens of a signed-in user.
    case session(StoredSession)
    /// A key of `X-API-Key`.
    case apiKey(Redacted<String>)
}

/// The tokens of a sign-in and what is known about them.
package struct StoredSession: Hashable, Sendable {
    /// The route by which the tokens came, which decides how they are renewed.
    package enum Kind: String, Hashable, Sendable {
        /// Signed in with a password.
        case web
        /// Paired as a device.
        case mobile
        /// A token that the person brought along: it cannot be renewed.
        case imported
    }

    package var kind: Kind
    package var accessToken: Redacted<String>
    package var refreshToken: Redacted<String>?
    /// The id of the device row at the server, which a mobile renewal names.
    package var deviceRowID: String?
    package var username: String?
    /// When the access token ends by the server's clock; nil when the server did not say.
    package var expiresAt: Timestamp?
    /// When the tokens were received, by our clock.
    package var issuedAt: Timestamp?
    /// The name of the cookie that the access token is sent as; nil to send it as Bearer.
    package var cookie: String?
    /// Until when renewals work by the server's clock; nil when nobody knows.
    package var renewableUntil: Timestamp?

    package init(
        kind: Kind, accessToken: Redacted<String>, refreshToken: Redacted<String>? = nil,
        deviceRowID: String? = nil, username: String? = nil, expiresAt: Timestamp? = nil,
        issuedAt: Timestamp? = nil
    ) {
        self.kind = kind
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.deviceRowID = deviceRowID
        self.username = username
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
    }
}
