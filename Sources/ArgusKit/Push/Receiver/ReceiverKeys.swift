internal import Crypto

/// The keys of a receiver of Web Push, which live as long as its subscription (RFC 8291, section 2).
///
/// The private key never leaves the process: a subscription whose process was killed is ended, not
/// taken up again.
struct ReceiverKeys: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    private let auth: [UInt8]

    /// Makes new keys.
    init() { self.init(P256.KeyAgreement.PrivateKey(), auth: SealedEnvelope.randomBytes(16)) }

    init(_ key: P256.KeyAgreement.PrivateKey, auth: [UInt8]) { (self.key, self.auth) = (key, auth) }

    /// The half of the keys that the sender gets.
    var shared: PushKeys { PushKeys(key.publicKey, auth: auth) }

    /// Decrypts a body; nil if it was changed, or is for another receiver.
    func decrypt(_ body: ContentEncryption.Body) -> [UInt8]? {
        WebPushEncryption.decrypt(body, key: key, auth: auth)
    }
}
