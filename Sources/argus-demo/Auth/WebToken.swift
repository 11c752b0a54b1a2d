import Crypto
import CryptoExtras
import FoundationEssentials

/// A signed JSON Web Token (RFC 7515, RFC 7519), not yet verified.
struct WebToken: Sendable {
    let header: JSON
    let claims: JSON
    private let text: String
    private let signed: [UInt8]
    private let signature: Data

    /// Parses the compact form; nil if it is none.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = WebToken.object(parts[0]),
            let claims = WebToken.object(parts[1]), let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        self.text = String(text)
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

    /// The first 12 hexadecimal digits of the token's SHA-256, by which the log names it.
    var id: String {
        String(Hexadecimal.encode(SHA256.hash(data: Array(text.utf8))).prefix(12))
    }

    /// The time of issue in seconds; nil unless it is a whole number.
    var issued: Int? { claims["iat"]?.int }

    /// True for HMAC with SHA-256 by this key (RFC 7518, section 3.2).
    func isSigned(by key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: key)
    }

    /// True for ECDSA with P-256 and SHA-256 by this key (RFC 7518, section 3.4).
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard header["alg"] == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: Data(signed))
    }

    /// True for RSASSA-PKCS1-v1_5 with SHA-256 by this key (RFC 7518, section 3.3).
    func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        guard header["alg"] == "RS256" else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: Data(signed),
            padding: .insecurePKCS1v1_5)
    }
}

/// Lower-case hexadecimal digits.
enum Hexadecimal {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
