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
            let claims = try? JSONDecoder().decode(Payload.self, from: payload)
        else { return nil }
        expiresAt = claims.expiresAt
        issuedAt = claims.issuedAt
        subject = claims.subject
        username = claims.username
    }

    /// Decodes base64url without padding (RFC 4648, section 5).
    private static func bytes(base64URL text: Substring) -> Data? {
        var text = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(text))
    }

    private struct Payload: Decodable {
        var expiresAt: Timestamp?
        var issuedAt: Timestamp?
        var subject: String?
        var username: String?

        private enum Key: String, CodingKey { case exp, iat, sub, username }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            func text(_ key: Key) -> String? {
                (try? object.decode(String.self, forKey: key))
                    ?? (try? object.decode(Int64.self, forKey: key)).map { String($0) }
            }
            func time(_ key: Key) -> Timestamp? {
                // Some servers write fractions of a second.
                guard let seconds = try? object.decode(Double.self, forKey: key),
                    abs(seconds) < 1e11
                else { return nil }
                return Timestamp(microseconds: Int64(seconds * 1_000_000))
            }
            expiresAt = time(.exp)
            issuedAt = time(.iat)
            subject = text(.sub)
            username = text(.username)
        }
    }
}
