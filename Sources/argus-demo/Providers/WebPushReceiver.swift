import Crypto
import FoundationEssentials

/// A browser that has subscribed: it can read what is sent to it (RFC 8291).
struct WebPushReceiver: Sendable {
    /// The last segment of its endpoint.
    let id: String
    let key = P256.KeyAgreement.PrivateKey()
    let secret = Secrets.bytes(16)

    init() { id = Base64URL.encode(Secrets.bytes(32)) }

    /// The public key in the form of `PushSubscription.getKey("p256dh")`.
    var p256dh: String { Base64URL.encode(key.publicKey.x963Representation) }

    var auth: String { Base64URL.encode(secret) }

    /// The reason why a receiver would discard a message.
    struct Unreadable: Error {
        var words: String
    }

    /// The key and the nonce of a message (RFC 8291, section 3.4; RFC 8188, section 2).
    static func keys(
        _ shared: SharedSecret, secret: some DataProtocol, salt: some DataProtocol,
        receiver: [UInt8], sender: [UInt8]
    ) -> (content: SymmetricKey, nonce: [UInt8]) {
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Array("WebPush: info".utf8) + [0] + receiver + sender, outputByteCount: 32)
        func derive(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt,
                info: Array("Content-Encoding: \(label)".utf8) + [0], outputByteCount: count)
        }
        return (derive("aes128gcm", 16), derive("nonce", 12).withUnsafeBytes { Array($0) })
    }

    /// Decrypts a message of one record (RFC 8188, RFC 8291 section 3.4).
    func decrypt(_ message: [UInt8]) throws(Unreadable) -> [UInt8] {
        guard message.count >= 21 else { throw Unreadable(words: "the header is incomplete") }
        let salt = message[0..<16]
        let size = message[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let end = 21 + Int(message[20])
        guard message.count > end else { throw Unreadable(words: "there is no record") }
        let record = message[end...]
        guard size >= 18 else { throw Unreadable(words: "the record size is below 18") }
        guard record.count <= size else { throw Unreadable(words: "there is a second record") }
        guard record.count > 16 else { throw Unreadable(words: "the record is too short") }
        guard let sender = try? P256.KeyAgreement.PublicKey(x963Representation: message[21..<end]),
            let shared = try? key.sharedSecretFromKeyAgreement(with: sender)
        else { throw Unreadable(words: "the sender's key is not a point on P-256") }
        let (content, nonce) = WebPushReceiver.keys(
            shared, secret: secret, salt: salt, receiver: Array(key.publicKey.x963Representation),
            sender: Array(message[21..<end]))
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16),
                tag: record.suffix(16)),
            let plain = try? AES.GCM.open(box, using: content)
        else { throw Unreadable(words: "it was not encrypted for this receiver") }
        // The last record ends with a two and any number of zeros (RFC 8188, section 2).
        guard let mark = plain.lastIndex(where: { $0 != 0 }), plain[mark] == 2 else {
            throw Unreadable(words: "the padding is wrong")
        }
        return Array(plain[..<mark])
    }
}
