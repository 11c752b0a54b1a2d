import Crypto
import FoundationEssentials

/// A signed JSON Web Token (RFC 7515, RFC 7519), not yet verified.
struct WebToken: Sendable {
    let claims: JSON
    private let signed: [UInt8]
    private let signature: Data

    /// Parses the compact form; nil if it is none.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, WebToken.object(parts[0]) != nil,
            let claims = WebToken.object(parts[1]), let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Makes the compact form of a token; `sign` returns its signature.
    static func make(
        _ header: JSON, _ claims: JSON, sign: (Data) throws -> some Sequence<UInt8>
    ) rethrows -> String {
        let signed = "\(Base64URL.encode(header.bytes())).\(Base64URL.encode(claims.bytes()))"
        return "\(signed).\(Base64URL.encode(try sign(Data(signed.utf8))))"
    }

    private static func object(_ part: some StringProtocol) -> JSON? {
        guard !part.contains("="), let data = Base64URL.decode(part),
            let value = try? JSON.read(Array(data)), case .object = value
        else { return nil }
        return value
    }

    /// The time of issue in seconds; nil unless it is a whole number.
    var issued: Int? { claims["iat"]?.int }

    /// True for HMAC with SHA-256 by this key (RFC 7518, section 3.2).
    func isSigned(by key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
    }
}
