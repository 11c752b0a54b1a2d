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
    ///
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
