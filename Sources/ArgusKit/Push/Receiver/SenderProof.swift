import ArgusCore
internal import Crypto

/// The proof of a push's sender, `vapid t=TOKEN,k=KEY` (RFC 8292, section 3), not yet verified.
///
/// Its text is the network's; it is never wrapped as a secret, since those are held for good.
struct SenderProof {
    /// The public key of the sender, in base64url.
    let key: String
    private let algorithm: String?
    private let claims: JSONView
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// The longest life of a token (RFC 8292, section 2).
    private static let longestLife = Duration.seconds(24 * 3600)
    /// The difference between two clocks that makes no token too long-lived.
    private static let tolerance = Duration.seconds(300)

    /// Parses the value of `Authorization`; nil for anything else.
    init?(_ field: String) {
        guard field.utf8.count <= 4096, field.prefix(6).lowercased() == "vapid " else { return nil }
        var token: Substring?
        var key: Substring?
        // Neither value has a comma or an escape, quoted or not (RFC 9110, section 11.2).
        for part in field.dropFirst(6).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmingBlanks)
            guard pair.count == 2 else { continue }
            let (name, value) = (pair[0].lowercased(), pair[1])
            let isQuoted = value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            let text = isQuoted ? value.dropFirst().dropLast() : value[...]
            if name == "t" { token = text }
            if name == "k" { key = text }
        }
        guard let token, let key else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]),
            let claims = Self.object(parts[1]),
            let signature = Base64.decodeEitherAlphabet(String(parts[2]))
        else { return nil }
        (self.key, self.claims, self.signature) = (String(key), claims, signature)
        algorithm = header["alg"]?.string
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: Substring) -> JSONView? {
        guard let bytes = Base64.decodeEitherAlphabet(String(part)),
            let view = try? JSONView.parse(bytes), view.kind == .object
        else { return nil }
        return view
    }

    /// Verifies that the owner of `server`, a key in base64url, pushes to `audience`, until the time that
    /// is returned.
    /// - Throws: `PushRefusal`.
    func verify(
        _ server: String, for audience: Origin, at now: Timestamp
    ) throws(PushRefusal) -> Timestamp {
        guard let own = Base64.decodeEitherAlphabet(server),
            Base64.decodeEitherAlphabet(key) == own,
            let key = try? P256.Signing.PublicKey(x963Representation: own)
        else { throw .foreignKey }
        guard algorithm == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signed)
        else { throw .badSignature }
        guard claims["aud"]?.string?.lowercased() == audience.description else {
            throw .otherAudience
        }
        guard let seconds = claims["exp"]?.double, abs(seconds) < 1e11 else { throw .expired }
        let expiry = Timestamp(seconds: Int64(seconds))
        guard expiry > now else { throw .expired }
        guard expiry <= now + Self.longestLife + Self.tolerance else { throw .tooLongLived }
        return expiry
    }
}

/// The reason why a request is not a push for this receiver.
package enum PushRefusal: String, Error, Sendable, CustomStringConvertible {
    case notPost = "it is not a POST"
    case otherEncoding = "its encoding is not aes128gcm"
    case noProof = "it has no proof of its sender (VAPID)"
    case foreignKey = "its sender does not use the server's key"
    case badSignature = "its sender's signature is wrong"
    case otherAudience = "it is meant for another address"
    case expired = "its sender's proof has expired"
    case tooLongLived = "its sender's proof is valid for more than 24 hours"
    case unreadable = "it was changed, or is encrypted for another receiver"
    case replayed = "it was received before"
    case tooMany = "too many pushes have come for their salts to be remembered"
    case noText = "its content is not text"

    package var description: String { rawValue }
}
