package import ArgusCore

/// The claims of an access token; not verified, since only its server can.
package struct JWTClaims: Hashable, Sendable {
    /// The claim `exp`: the expiry by the server's clock.
    package var expiresAt: Timestamp?
    /// The claim `iat`: the time of issue by the server's clock.
    package var issuedAt: Timestamp?
    package var subject: String?
    package var username: String?

    /// Decodes the payload of a JWT (RFC 7519); nil if the token is not a JWT.
    ///
    /// Skips claims of an unexpected type.
    package init?(_ token: Redacted<String>) {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decodeEitherAlphabet(String(parts[1])),
            let claims = try? JSONView.parse(payload), claims.kind == .object
        else { return nil }
        expiresAt = Self.time(claims["exp"])
        issuedAt = Self.time(claims["iat"])
        subject = Self.text(claims["sub"])
        username = Self.text(claims["username"])
    }

    private static func text(_ claim: JSONView?) -> String? {
        claim?.string ?? claim?.int.map { String($0) }
    }

    /// Reads seconds, to which some servers add a fraction.
    private static func time(_ claim: JSONView?) -> Timestamp? {
        guard let seconds = claim?.double, abs(seconds) < 1e11 else { return nil }
        return Timestamp(microseconds: Int64(seconds * 1_000_000))
    }
}
