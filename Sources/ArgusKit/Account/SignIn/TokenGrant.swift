package import ArgusCore
import ArgusTransport

/// The tokens from a sign-in or a renewal.
///
///     {"access_token":"…","refresh_token":"…","token_type":"bearer","expires_in":900}
package struct TokenGrant: Sendable {
    package var accessToken: Redacted<String>
    package var refreshToken: Redacted<String>?
    /// The lifetime in seconds; only some generations send it, and a JWT's `exp` is more reliable.
    package var expiresIn: Int?
    /// The server's clock, from the answer's `Date`.
    package var serverTime: Timestamp?

    /// The name of the cookie to send the access token as; nil to send it as Bearer.
    package var cookie: String?

    /// Decodes the answer, with its cookies if the body has no token.
    ///
    /// `doing` names the operation in the message about a missing token.
    /// - Throws: `.malformedAnswer` if there is no access token, or an invalid one: a token that no
    ///   request can carry must never replace a usable one.
    init(_ answer: HTTPResponse, _ body: JSONView, of doing: String) throws(APIError) {
        serverTime = answer.headers["date"].flatMap(HTTPDate.parse)
        func token(_ member: String) throws(APIError) -> Redacted<String>? {
            guard let text = body[member]?.string, !text.isEmpty else { return nil }
            guard SecretText.isToken(text) else {
                throw .malformed(
                    "no request could carry the \(member) in the answer to the \(doing)", answer)
            }
            return Redacted(text)
        }
        refreshToken = try token("refresh_token")
        expiresIn = body["expires_in"]?.int
        if let token = try token("access_token") {
            accessToken = token
            return
        }
        let cookies = TokenCookies(answer.headers, serverTime: serverTime)
        guard let access = cookies.access else {
            throw .malformed("the answer to the \(doing) has no access token", answer)
        }
        accessToken = access.value
        cookie = access.name
        refreshToken = refreshToken ?? cookies.refresh?.value
        expiresIn = expiresIn ?? access.lifetime
    }
}

extension StoredSession {
    /// The session of new tokens, received at `now` by the local clock.
    ///
    /// The offset is the server's clock minus the local one, for an answer without `Date`.
    package init(
        kind: Kind, grant: TokenGrant, at now: Timestamp, offset: Duration = .zero,
        deviceRowID: String? = nil, username: String? = nil
    ) {
        let serverTime = grant.serverTime ?? now + offset
        let lifetime = grant.expiresIn.map { Duration.seconds($0) } ?? kind.lifetime
        self.init(
            kind: kind, accessToken: grant.accessToken, refreshToken: grant.refreshToken,
            deviceRowID: deviceRowID, username: username,
            expiresAt: JWTClaims(grant.accessToken)?.expiresAt ?? serverTime + lifetime,
            issuedAt: now)
        cookie = grant.cookie
        guard grant.refreshToken != nil else { return }
        renewableUntil = serverTime + kind.renewability
    }
}

extension StoredSession.Kind {
    /// The lifetime of an access token if neither it nor the answer has one (docs/compatibility.md,
    /// trap 3).
    fileprivate var lifetime: Duration { self == .mobile ? .seconds(3600) : .seconds(86_400) }

    /// The time for which a sign-in can be renewed (docs/compatibility.md, trap 7).
    ///
    /// Today's servers forget a web session after a day, although its refresh token claims 30.
    fileprivate var renewability: Duration {
        self == .mobile ? .seconds(30 * 86_400) : .seconds(86_400)
    }
}
