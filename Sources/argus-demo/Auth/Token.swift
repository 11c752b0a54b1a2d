import Crypto
import FoundationEssentials

/// Signs and reads the JSON Web Tokens of all three generations (RFC 7519, HS256).
struct TokenSigner: Sendable {
    struct Claims: Sendable, Equatable {
        var subject: String
        var username: String
        var expires: Moment
        var issued: Moment
    }

    private let key = SymmetricKey(size: .bits256)

    /// Signs a token; equal claims give the same token.
    func sign(_ claims: Claims) -> String {
        WebToken.make(
            ["alg": "HS256", "typ": "JWT"],
            [
                "sub": .text(claims.subject), "username": .text(claims.username),
                "exp": .integer(Int(claims.expires.seconds)),
                "iat": .integer(Int(claims.issued.seconds)),
            ]
        ) { HMAC<SHA256>.authenticationCode(for: $0, using: key) }
    }

    /// Parses a token with a valid signature, even if it has expired.
    func read(_ token: String) -> Claims? {
        guard let token = WebToken(token), token.isSigned(by: key),
            let subject = token.claims["sub"]?.string,
            let username = token.claims["username"]?.string,
            let expires = token.claims["exp"]?.int, let issued = token.issued
        else { return nil }
        return Claims(
            subject: subject, username: username, expires: Moment(seconds: Int64(expires)),
            issued: Moment(seconds: Int64(issued)))
    }

    func verify(_ token: String, at now: Moment) throws(Refusal) -> Claims {
        let claims = try read(token).orRefuse("Invalid token", status: 401)
        guard claims.expires > now else { throw Refusal("Token has expired", status: 401) }
        return claims
    }
}

/// Base64 for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedString().prefix { $0 != "=" }
        return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Decodes a text; nil if it contains a character outside the alphabet.
    static func decode(_ text: some StringProtocol) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let text = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 == "+" ? "." : $0 }
        return Data(base64Encoded: String(text) + padding)
    }
}
