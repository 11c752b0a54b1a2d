import ArgusAccount
import ArgusCore
import ArgusTransport
internal import Crypto

/// Verifies and decrypts what comes for one subscription, each push once (RFC 8291, RFC 8292).
struct PushInbox {
    /// The server's public key, in base64url.
    var serverKey: String
    private let keys: ReceiverKeys
    /// The origin of the subscription's endpoint.
    private let audience: Origin
    private var replays = ReplayMemory()

    init(_ keys: ReceiverKeys, at audience: Origin, of serverKey: String) {
        (self.keys, self.audience, self.serverKey) = (keys, audience, serverKey)
    }

    /// Opens a push; only one that decrypts is remembered, so that strangers fill no memory.
    /// - Throws: `PushRefusal`.
    mutating func open(
        _ request: ListenerRequest, at now: Timestamp
    ) throws(PushRefusal) -> PushNotification {
        guard request.method == "POST" else { throw .notPost }
        guard request.headers["content-encoding"]?.lowercased() == "aes128gcm" else {
            throw .otherEncoding
        }
        guard let proof = request.headers["authorization"].flatMap(SenderProof.init) else {
            throw .noProof
        }
        let expiry = try proof.verify(serverKey, for: audience, at: now)
        guard let body = ContentEncryption.Body(request.body), let text = keys.decrypt(body)
        else { throw .unreadable }
        try replays.insert(body.salt, until: expiry, at: now)
        guard let notification = PushNotification(text, receivedAt: now) else { throw .noText }
        return notification
    }
}

/// The keys of a receiver of Web Push, which live as long as its subscription (RFC 8291, section 2).
///
/// The private key never leaves the process: a subscription whose process was killed is ended, not
/// taken up again.
struct ReceiverKeys: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    private let auth: [UInt8]

    init(
        _ key: P256.KeyAgreement.PrivateKey = .init(),
        auth: [UInt8] = SealedEnvelope.randomBytes(16)
    ) {
        (self.key, self.auth) = (key, auth)
    }

    /// The half of the keys that the sender gets.
    var shared: PushKeys { PushKeys(key.publicKey, auth: auth) }

    /// Decrypts a body; nil if it was changed, or is for another receiver.
    func decrypt(_ body: ContentEncryption.Body) -> [UInt8]? {
        WebPushEncryption.decrypt(body, key: key, auth: auth)
    }
}

/// The salts of the pushes that have come, each until its sender's proof expires (RFC 8188, section 2.1:
/// a salt is used once).
struct ReplayMemory {
    /// The most salts, about 5 MB.
    static let capacity = 100_000

    private var expiries: [UInt128: Timestamp] = [:]
    /// The number of salts at which expired ones are looked for.
    private var limit = 1024

    /// Remembers a salt of 16 bytes.
    /// - Throws: `PushRefusal` for one that is remembered, or if there are too many.
    mutating func insert(
        _ salt: [UInt8], until expiry: Timestamp, at now: Timestamp
    ) throws(PushRefusal) {
        let salt = salt.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        guard expiries[salt] == nil else { throw .replayed }
        if expiries.count >= limit {
            expiries = expiries.filter { $0.value > now }
            limit = min(max(1024, expiries.count * 2), Self.capacity)
            guard expiries.count < Self.capacity else { throw .tooMany }
        }
        expiries[salt] = expiry
    }
}
