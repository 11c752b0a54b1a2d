import Crypto
import FoundationEssentials
import NIOCore

/// The server's own Web Push: signs as pywebpush does, and delivers to plain http endpoints only.
struct PushSender: Sendable {
    private let key = P256.Signing.PrivateKey()

    /// The server's key for Web Push, 65 bytes of a point on P-256, in base64url.
    var publicKey: String { Base64URL.encode(Array(key.publicKey.x963Representation)) }

    /// A message for one subscription.
    struct Delivery: Sendable {
        var endpoint: String
        /// The receiver's point and secret, in base64url.
        var p256dh: String
        var auth: String
        var text: [UInt8]
    }

    /// Sends a message, and returns the reason of a failure in the words of pywebpush; nil for success.
    ///
    /// Blocks for a few seconds at most. An https endpoint counts as reached: the demo speaks to no
    /// foreign service.
    func send(_ delivery: Delivery, now: Moment) -> String? {
        guard delivery.endpoint.hasPrefix("http://") else { return nil }
        let rest = delivery.endpoint.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let address = SocketPlace(String(authority)) else { return "Invalid URL" }
        guard let body = encrypt(delivery) else { return "Invalid p256dh key specified" }
        let path = rest.dropFirst(authority.count)
        let head = """
            POST \(path.isEmpty ? "/" : path) HTTP/1.1\r
            Host: \(authority)\r
            User-Agent: python-requests/2.34.2\r
            Accept-Encoding: gzip, deflate\r
            Accept: */*\r
            Connection: keep-alive\r
            authorization: vapid t=\(token(for: "http://\(authority)", now: now)),k=\(publicKey)\r
            content-encoding: aes128gcm\r
            ttl: 0\r
            Content-Length: \(body.count)\r
            \r

            """
        guard let answer = address.exchange(Array(head.utf8) + body) else {
            return "Failed to establish a new connection"
        }
        let words = answer.prefix { $0 != 13 }.split(separator: 32, maxSplits: 2)
        let status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
        if (200...202).contains(status) { return nil }
        return
            "Push failed: \(status) \(words.last.map { String(decoding: $0, as: UTF8.self) } ?? "")"
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
    private func encrypt(_ delivery: Delivery) -> [UInt8]? {
        let sender = P256.KeyAgreement.PrivateKey()
        guard let point = Base64URL.decode(delivery.p256dh),
            let secret = Base64URL.decode(delivery.auth),
            let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: point),
            let shared = try? sender.sharedSecretFromKeyAgreement(with: receiver)
        else { return nil }
        let own = Array(sender.publicKey.x963Representation)
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let (key, nonce) = WebPushReceiver.keys(
            shared, secret: secret, salt: salt, receiver: Array(point), sender: own)
        guard
            let box = try? AES.GCM.seal(
                delivery.text + [2], using: key, nonce: AES.GCM.Nonce(data: nonce))
        else { return nil }
        return salt + [0, 0, 0x10, 0, UInt8(own.count)] + own + box.ciphertext + box.tag
    }
}

extension PushSender {
    /// The message of a test.
    static let testMessage: JSON = [
        "title": "Test Notification", "body": "Push notifications are working correctly!",
        "icon": "/icons/notification-192.svg", "badge": "/icons/badge-72.svg",
        "renotify": true, "silent": false, "tag": "test-notification",
        "data": ["type": "test", "url": "/settings"],
    ]
}
