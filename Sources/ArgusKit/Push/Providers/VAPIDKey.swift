internal import Crypto

/// The key by which push services recognise this sender (RFC 8292, section 2).
package struct VAPIDKey: Hashable, Sendable {
    /// The private scalar, 32 bytes in base64url; only for the store.
    package let secret: Redacted<String>
    /// The public point, 65 bytes uncompressed, in base64url without padding.
    package let publicKey: String

    /// Makes a new key.
    package static func random() -> VAPIDKey { VAPIDKey(P256.Signing.PrivateKey()) }

    /// Reads a stored key.
    /// - Throws: `DeliveryError`, which never shows the key.
    package init(secret: Redacted<String>) throws(DeliveryError) {
        guard let bytes = Base64.decodeEitherAlphabet(secret.reveal()),
            let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
        else { throw DeliveryError(.credentials, "the VAPID key is not a private key of P-256") }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        let bytes = Array(key.rawRepresentation)
        let text = Base64.encodeForURL(bytes)
        secret = Redacted(text, masking: [text, bytes])
        publicKey = Base64.encodeForURL(Array(key.publicKey.x963Representation))
    }
}
