import ArgusTestSupport
import ArgusTransport
import Crypto
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusPush

@Suite("WebPushProvider")
struct WebPushProviderTests {
    private let transport = FakeTransport()
    private let clock = PushSamples.Clock()
    private let key = VAPIDKey.random()
    private let target = "/send/secret-path-1"

    private func provider() throws -> WebPushProvider {
        let key = key
        return WebPushProvider(
            key: { key }, subject: try VAPIDSubject("mailto:ann@example.org"),
            PushSamples.environment(transport, clock))
    }

    @Test("a push has the header fields of the standards, and its receiver reads it")
    func request() async throws {
        let (receiver, keys) = try WebPushEncryptionTests.receiver()
        let token = try PushSamples.webPush("https://push.example" + target, keys)
        transport.stub(.post, target, status: 201)
        let provider = try provider()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        let answer = await provider.send(push, to: token)
        #expect(answer == DeliveryAnswer(verdict: .accepted, httpStatus: 201))
        let request = try #require(transport.requests.first)
        #expect(request.value("TTL") == "86400")
        #expect(request.value("Urgency") == "high")
        #expect(request.value("Content-Encoding") == "aes128gcm")
        #expect(request.body?.contentType == "application/octet-stream")
        let topic = try #require(request.value("Topic"))
        #expect(topic.count == 32 && !topic.contains("8f85eda1"))
        #expect(request.mayBeRepeated)
        #expect(request.proof.identity == .publicCertificate(authorities: nil))
        let bytes = try #require(request.body).bytes
        let body = try #require(ContentEncryption.Body(bytes))
        let auth = try #require(Base64.decodeEitherAlphabet(keys.auth.reveal()))
        let text = try #require(WebPushEncryption.decrypt(body, key: receiver, auth: auth))
        #expect(try JSONView.parse(text)["title"]?.string == "Porch: Person Detected")
        transport.verify()
    }

    @Test("the VAPID token names the service, the sender and its end, and its key verifies it")
    func token() async throws {
        let token = try PushSamples.webPush("https://push.example:8443" + target)
        transport.stub(.post, target, status: 201)
        transport.stub(.post, target, status: 201)
        let provider = try provider()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        _ = await provider.send(push, to: token)
        clock.pass(.seconds(3600))
        _ = await provider.send(push, to: token)
        let fields = transport.requests.compactMap { $0.value("Authorization") }
        #expect(fields.count == 2 && Set(fields).count == 1, "one token for most of its life")
        let field = try #require(fields.first)
        #expect(field.hasPrefix("vapid t=") && field.hasSuffix(",k=\(key.publicKey)"))
        let jwt = field.dropFirst(8).prefix { $0 != "," }
        let parts = jwt.split(separator: ".").map(String.init)
        let claims = try JSONView.parse(try #require(Base64.decodeEitherAlphabet(parts[1])))
        #expect(claims["aud"]?.string == "https://push.example:8443")
        #expect(claims["sub"]?.string == "mailto:ann@example.org")
        #expect(claims["exp"]?.int == Int(PushSamples.now.seconds) + 12 * 3600)
        let point = try #require(Base64.decodeEitherAlphabet(key.publicKey))
        let signed = try #require(Base64.decodeEitherAlphabet(parts[2]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: signed)
        let verifier = try P256.Signing.PublicKey(x963Representation: point)
        #expect(verifier.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        transport.verify()
    }

    @Test("a push that is too large for its service is sent once more, shorter")
    func shortening() async throws {
        let token = try PushSamples.webPush("https://push.example" + target)
        var payload = PushSamples.event()
        payload.body = String(repeating: "long ", count: 500)
        transport.stub(.post, target, status: 413)
        transport.stub(.post, target, status: 413)
        let provider = try provider()
        let push = try provider.prepare(payload, for: token, isSilent: false)
        let answer = await provider.send(push, to: token)
        #expect(answer.verdict == .providerFailure(.tooLarge) && answer.attempts == 2)
        let sizes = transport.requests.compactMap { $0.body?.bytes.count }
        #expect(sizes.count == 2 && sizes[0] > 2800 && sizes[1] <= 2103)
        transport.verify()
    }

    @Test("a key that was replaced meanwhile is read again, and a rejected one is not tried twice")
    func rotation() async throws {
        let keys = Mutex([VAPIDKey.random(), VAPIDKey.random()])
        let provider = WebPushProvider(
            key: { keys.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } },
            subject: try VAPIDSubject("mailto:ann@example.org"),
            PushSamples.environment(transport))
        let token = try PushSamples.webPush("https://push.example" + target)
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        for status in [201, 403, 201, 403] { transport.stub(.post, target, status: status) }
        #expect(await provider.send(push, to: token).verdict == .accepted)
        let second = await provider.send(push, to: token)
        #expect(second.verdict == .accepted && second.attempts == 2)
        let third = await provider.send(push, to: token)
        #expect(third.verdict == .providerFailure(.credentials) && third.attempts == 1)
        let fields = transport.requests.compactMap { $0.value("Authorization") }
        #expect(fields[0] == fields[1] && fields[1] != fields[2] && fields[2] == fields[3])
        transport.verify()
    }

    @Test("plain http is only for what the endpoint itself names, and asks for no proxy")
    func plainHTTP() async throws {
        let token = try PushSamples.webPush("http://192.168.1.9:8080" + target)
        transport.stub(.post, target, status: 200)
        let provider = try provider()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: true)
        #expect(await provider.send(push, to: token).verdict == .accepted)
        let request = try #require(transport.requests.first)
        #expect(request.proof.identity == .plain && request.proof.avoidsProxies)
        #expect(throws: PushFieldError.self) { try PushEndpoint("http://push.example/x") }
        transport.verify()
    }

    @Test("a push shows no secret of its receiver")
    func secrets() throws {
        let token = try PushSamples.webPush("https://push.example" + target)
        let push = try provider().prepare(PushSamples.event(), for: token, isSilent: false)
        #expect(!"\(push)".contains("secret-path-1") && !"\(push.headers)".contains(key.publicKey))
        #expect(!String(decoding: push.document, as: UTF8.self).contains("secret-path-1"))
        #expect("see \(target)".masked == "see <redacted>")
    }

    @Test(
        "a subject that push services refuse is refused first",
        arguments: [
            "", "ann@example.org", "mailto:", "mailto:ann", "mailto:@x", "mailto:a@localhost",
            "https://localhost/", "https://127.0.0.1", "http://example.org", "mailto:a@b c",
            "mailto:a@b@c",
        ])
    func subjects(text: String) throws {
        #expect(throws: DeliveryError.self) { try VAPIDSubject(text) }
        _ = try VAPIDSubject("https://example.org/contact")
    }

    @Test("a key is read back from the store, and nothing else is taken for one")
    func keys() throws {
        #expect(try VAPIDKey(secret: key.secret) == key)
        #expect(!"\(key)".contains(key.secret.reveal()))
        for text in ["", "AAAA", key.publicKey, String(repeating: "A", count: 43)] {
            #expect(throws: DeliveryError.self) {
                try VAPIDKey(secret: Redacted(text, masking: []))
            }
        }
    }
}
