import ArgusAccount
package import ArgusCore
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
        guard let key = Self.key(secret) else {
            throw DeliveryError(.credentials, "the VAPID key is not a private key of P-256")
        }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        let bytes = Array(key.rawRepresentation)
        let text = Base64.encodeForURL(bytes)
        secret = Redacted(text, masking: [text, bytes])
        publicKey = Base64.encodeForURL(Array(key.publicKey.x963Representation))
    }

    private static func key(_ secret: Redacted<String>) -> P256.Signing.PrivateKey? {
        guard let bytes = Base64.decodeEitherAlphabet(secret.reveal()) else { return nil }
        return try? P256.Signing.PrivateKey(rawRepresentation: bytes)
    }

    /// Signs the statement that the owner, `subject`, pushes to a service until a time (RFC 8292,
    /// section 2); nil if the key cannot sign.
    package func token(
        for audience: Origin, subject: VAPIDSubject, until expiry: Timestamp
    ) -> Redacted<String>? {
        SignedToken.make {
            $0.member("typ", "JWT")
            $0.member("alg", "ES256")
        } claims: {
            $0.member("aud", audience.description)
            $0.member("exp", Int(expiry.seconds))
            $0.member("sub", subject.text)
        } sign: { bytes in
            let signature = try? Self.key(secret)?.signature(for: bytes)
            return signature.map { Array($0.rawRepresentation) }
        }
    }
}

/// The address at which a push service can reach the sender (RFC 8292, section 2.1).
package struct VAPIDSubject: Hashable, Sendable {
    package let text: String

    /// Parses `mailto:NAME@HOST` or an https URL; `localhost` is refused, as by Apple.
    /// - Throws: `DeliveryError`.
    package init(_ text: String) throws(DeliveryError) {
        if let fault = Setting.pushVAPIDSubject.validationError(in: text) {
            throw DeliveryError(.settings, "push.vapid_subject \(fault)")
        }
        self.text = text
    }
}
