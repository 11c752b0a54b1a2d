import FoundationEssentials

/// What an access token says about itself; read, never verified, since only its server can.
package struct JWTClaims: Hashable, Sendable {
    /// The claim `exp`: when the token ends, by the server's clock.
    package var expiresAt: Timestamp?
    /// The claim `iat`: when it was made, by the server's clock.
    package var issuedAt: Timestamp?
    package var subject: String?
    package var username: String?

    /// Reads the payload of a JWT (RFC 7519); nil when the token is none.
    ///
    /// A claim of an unexpected type is left out, the others are read.
    package init?(_ token: Redacted<String>) {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Self.bytes(base64URL: parts[1]),
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

    /// Reads seconds; some servers write fractions of them.
    private static func time(_ claim: JSONView?) -> Timestamp? {
        guard let seconds = claim?.double, abs(seconds) < 1e11 else { return nil }
        return Timestamp(microseconds: Int64(seconds * 1_000_000))
    }

    /// Decodes base64url without padding (RFC 4648, section 5).
    private static func bytes(base64URL text: Substring) -> [UInt8]? {
        var text = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(text)).map(Array.init)
    }
}
