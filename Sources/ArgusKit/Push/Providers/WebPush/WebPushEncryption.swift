import ArgusAccount
import ArgusCore
internal import Crypto

/// The encryption of Web Push messages for one receiver (RFC 8291).
enum WebPushEncryption {
    /// The longest text in bytes: the body has at most 4,096 (RFC 8291, section 4).
    static let longestText = 4096 - ContentEncryption.overhead - 65

    /// Encrypts a text with a key and a salt for it alone; nil if it is too long, or for invalid keys.
    static func encrypt(
        _ text: [UInt8], for keys: PushKeys, sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: [UInt8] = SealedEnvelope.randomBytes(16)
    ) -> [UInt8]? {
        guard text.count <= longestText,
            let receiver = Base64.decodeEitherAlphabet(keys.p256dh),
            let point = try? P256.KeyAgreement.PublicKey(x963Representation: receiver),
            let auth = Base64.decodeEitherAlphabet(keys.auth.reveal()),
            let shared = try? sender.sharedSecretFromKeyAgreement(with: point)
        else { return nil }
        let own = Array(sender.publicKey.x963Representation)
        let key = inputKey(shared, auth: auth, receiver: receiver, sender: own)
        return ContentEncryption.encrypt(text, with: key, salt: salt, keyID: own)
    }

    /// Decrypts a received body with the receiver's private key and its secret of 16 bytes; nil if
    /// the body was changed, or is for another receiver.
    static func decrypt(
        _ body: ContentEncryption.Body, key: P256.KeyAgreement.PrivateKey, auth: [UInt8]
    ) -> [UInt8]? {
        guard let point = try? P256.KeyAgreement.PublicKey(x963Representation: body.keyID),
            let shared = try? key.sharedSecretFromKeyAgreement(with: point)
        else { return nil }
        return body.decrypted(
            with: inputKey(
                shared, auth: auth, receiver: Array(key.publicKey.x963Representation),
                sender: body.keyID))
    }

    /// The input keying material of the content coding (RFC 8291, section 3.4).
    private static func inputKey(
        _ shared: SharedSecret, auth: [UInt8], receiver: [UInt8], sender: [UInt8]
    ) -> SymmetricKey {
        shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: auth,
            sharedInfo: Array("WebPush: info\0".utf8) + receiver + sender, outputByteCount: 32)
    }
}
