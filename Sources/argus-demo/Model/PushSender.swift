import Crypto
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix

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
        guard let url = URL(string: receiver.endpoint), let host = url.host(percentEncoded: false)
        else { return "Invalid URL" }
        guard let body = encrypt(text, to: receiver) else { return "Invalid p256dh key specified" }
        let rest = receiver.endpoint.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        let token = token(for: "http://\(authority)", now: now)
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: path.isEmpty ? "/" : String(path),
            headers: [
                "Host": String(authority), "User-Agent": "python-requests/2.34.2",
                "Accept-Encoding": "gzip, deflate", "Accept": "*/*", "Connection": "keep-alive",
                "authorization": "vapid t=\(token),k=\(publicKey)",
                "content-encoding": "aes128gcm", "ttl": "0", "Content-Length": "\(body.count)",
            ])
        guard
            let status = try? Exchange.run(
                head, ByteBuffer(bytes: body), host: host, port: url.port ?? 80)
        else { return "Failed to establish a new connection" }
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

/// One request on a connection of its own, each step of which may take three seconds.
private final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let answer: EventLoopPromise<HTTPResponseStatus>

    private init(_ answer: EventLoopPromise<HTTPResponseStatus>) { self.answer = answer }

    /// Sends a request and returns the status of its answer.
    static func run(
        _ head: HTTPRequestHead, _ body: ByteBuffer, host: String, port: Int
    ) throws -> HTTPResponseStatus {
        let limit = TimeAmount.seconds(3)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: HTTPResponseStatus.self)
        let channel = ClientBootstrap(group: loop).connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: limit))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(Exchange(answer))
                }
            }.connect(host: host, port: port)
        channel.cascadeFailure(to: answer)
        channel.whenSuccess { channel in
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        }
        return try answer.futureResult.wait()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answer.succeed(head.status)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
}
