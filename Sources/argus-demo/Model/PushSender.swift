import Crypto
import NIOHTTP1

/// The server's own Web Push: signs as pywebpush does, and delivers to plain http endpoints only.
struct PushSender: Sendable {
    private let key = P256.Signing.PrivateKey()

    /// The server's key for Web Push, 65 bytes of a point on P-256, in base64url.
    var publicKey: String { Base64URL.encode(key.publicKey.x963Representation) }

    /// Sends a message, and returns the reason of a failure in the words of pywebpush; nil for success.
    ///
    /// Blocks for a few seconds at most. An https endpoint counts as reached: the demo speaks to no
    /// foreign service.
    func send(
        _ text: [UInt8], to receiver: PushRegistrations.Subscription, now: Moment
    ) -> String? {
        guard receiver.endpoint.hasPrefix("http://") else { return nil }
        guard let target = Exchange.Target(receiver.endpoint) else { return "Invalid URL" }
        guard let body = encrypt(text, to: receiver) else { return "Invalid p256dh key specified" }
        let token = token(for: "http://\(target.authority)", now: now)
        let headers: HTTPHeaders = [
            "User-Agent": "python-requests/2.34.2", "Accept-Encoding": "gzip, deflate",
            "Accept": "*/*", "Connection": "keep-alive",
            "authorization": "vapid t=\(token),k=\(publicKey)", "content-encoding": "aes128gcm",
            "ttl": "0",
        ]
        guard let status = try? Exchange.post(body, to: target, headers: headers) else {
            return "Failed to establish a new connection"
        }
        if (200...202).contains(status.code) { return nil }
        return "Push failed: \(status.code) \(status.reasonPhrase)"
    }

    /// The statement that this server pushes to an origin for 12 hours (RFC 8292, section 2).
    private func token(for audience: String, now: Moment) -> String {
        let claims: JSON = [
            "aud": .text(audience), "exp": .integer(Int(now.seconds) + 12 * 3600),
            "sub": "mailto:admin@argusai.local",
        ]
        let token = try? WebToken.make(["typ": "JWT", "alg": "ES256"], claims) {
            try key.signature(for: $0).rawRepresentation
        }
        return token ?? ""
    }

    /// Encrypts a text as one record for a receiver (RFC 8291, section 3; RFC 8188, section 2).
    private func encrypt(
        _ text: [UInt8], to subscription: PushRegistrations.Subscription
    ) -> [UInt8]? {
        let sender = P256.KeyAgreement.PrivateKey()
        guard let point = Base64URL.decode(subscription.p256dh),
            let secret = Base64URL.decode(subscription.auth),
            let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: point),
            let shared = try? sender.sharedSecretFromKeyAgreement(with: receiver)
        else { return nil }
        let own = Array(sender.publicKey.x963Representation)
        let salt = Secrets.bytes(16)
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Array("WebPush: info".utf8) + [0] + point + own, outputByteCount: 32)
        func derive(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt,
                info: Array("Content-Encoding: \(label)".utf8) + [0], outputByteCount: count)
        }
        let nonce = derive("nonce", 12).withUnsafeBytes { Array($0) }
        guard
            let box = try? AES.GCM.seal(
                text + [2], using: derive("aes128gcm", 16), nonce: AES.GCM.Nonce(data: nonce))
        else { return nil }
        return salt + [0, 0, 0x10, 0, UInt8(own.count)] + own + box.ciphertext + box.tag
    }
}
