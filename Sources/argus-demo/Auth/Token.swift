import Crypto
import FoundationEssentials

/// Signs and reads the JSON Web Tokens of all three generations (RFC 7519, HS256).
struct TokenSigner: Sendable {
    /// The user and the expiry of a token.
    struct Claims: Sendable, Equatable {
        var subject: String
        var username: String
        var expires: Moment
        var issued: Moment
    }

    /// The reason for refusing a token; the raw value is the server's message.
    enum Failure: String, Error {
        case invalid = "Invalid token"
        case expired = "Token has expired"
    }

    private let key = SymmetricKey(size: .bits256)

    /// Signs a token; equal claims give the same token.
    func sign(_ claims: Claims) -> String {
        let header: JSON = ["alg": "HS256", "typ": "JWT"]
        let payload: JSON = [
            "sub": .text(claims.subject), "username": .text(claims.username),
            "exp": .integer(Int(claims.expires.seconds)),
            "iat": .integer(Int(claims.issued.seconds)),
        ]
        let signed = Base64URL.encode(header.bytes()) + "." + Base64URL.encode(payload.bytes())
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
        return signed + "." + Base64URL.encode(Array(code))
    }

    /// Parses a token with a valid signature, even if it has expired.
    func read(_ token: String) throws(Failure) -> Claims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let code = Base64URL.decode(parts[2]),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Array("\(parts[0]).\(parts[1])".utf8), using: key),
            let payload = Base64URL.decode(parts[1]), let claims = try? JSON.read([UInt8](payload)),
            let subject = claims["sub"]?.string, let username = claims["username"]?.string,
            let expires = claims["exp"]?.int, let issued = claims["iat"]?.int
        else { throw .invalid }
        return Claims(
            subject: subject, username: username, expires: Moment(seconds: Int64(expires)),
            issued: Moment(seconds: Int64(issued)))
    }

    /// Parses a valid token.
    func verify(_ token: String, at now: Moment) throws(Failure) -> Claims {
        let claims = try read(token)
        guard claims.expires > now else { throw .expired }
        return claims
    }
}

/// Base64 for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
    /// The text in the common alphabet, with padding (RFC 4648, section 4).
    static func standard(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func encode(_ bytes: [UInt8]) -> String {
        let text = standard(bytes).prefix { $0 != "=" }
        return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Decodes a text; nil if it contains a character outside the alphabet.
    static func decode(_ text: some StringProtocol) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let text = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 == "+" ? "." : $0 }
        return Data(base64Encoded: String(text) + padding)
    }
}
