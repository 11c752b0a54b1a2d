import ArgusTestSupport
import ArgusTransport
import CryptoExtras
import Testing

@testable import ArgusCore
@testable import ArgusPush

@Suite("FCMProvider")
struct FCMProviderTests {
    private let transport = FakeTransport()
    private let clock = PushSamples.Clock()
    private let folder: TemporaryFolder
    private let target = "/v1/projects/argus-12345/messages:send"

    init() throws { folder = try TemporaryFolder() }

    /// A provider of a new process, which knows only what is on disk.
    private func provider(projectID: String? = nil) throws -> FCMProvider {
        try FCMProvider(
            PushSamples.serviceAccount(), projectID: projectID,
            store: PushSamples.store(folder), PushSamples.environment(transport, clock))
    }

    private func send(_ provider: FCMProvider) async throws -> DeliveryAnswer {
        let token = try PushSamples.fcm()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        return await provider.send(push, to: token)
    }

    private func stubToken(_ text: String = "ya29.token-1", seconds: Int = 3599) {
        transport.stub(
            .post, "/token",
            body: #"{"access_token":"\#(text)","expires_in":\#(seconds),"token_type":"Bearer"}"#)
    }

    private func stubAccepted(_ count: Int = 1) {
        for _ in 0..<count { transport.stub(.post, target, body: #"{"name":"projects/x"}"#) }
    }

    @Test("a push carries the token that Google gave for an assertion of the service account")
    func request() async throws {
        stubToken()
        stubAccepted()
        #expect(try await send(provider()) == DeliveryAnswer(verdict: .accepted, httpStatus: 200))
        let requests = transport.requests
        #expect(
            requests.map(\.origin.description) == [
                "https://oauth2.googleapis.com", "https://fcm.googleapis.com",
            ])
        #expect(requests[1].value("Authorization") == "Bearer ya29.token-1")
        #expect(requests[0].body?.contentType == "application/x-www-form-urlencoded")
        let form = String(decoding: try #require(requests[0].body).bytes, as: UTF8.self)
        #expect(form.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&"))
        let assertion = try #require(form.split(separator: "assertion=").last)
        let parts = assertion.split(separator: ".").map(String.init)
        let claims = try JSONView.parse(try #require(Base64.decodeEitherAlphabet(parts[1])))
        #expect(claims["aud"]?.string == "https://oauth2.googleapis.com/token")
        #expect(
            claims["scope"]?.string == "https://www.googleapis.com/auth/firebase.messaging")
        #expect(claims["exp"]?.int == Int(PushSamples.now.seconds) + 3600)
        let key = try #require(PushSamples.rsaKey).publicKey
        let signature = _RSA.Signing.RSASignature(
            rawRepresentation: try #require(Base64.decodeEitherAlphabet(parts[2])))
        #expect(
            key.isValidSignature(
                signature, for: Array("\(parts[0]).\(parts[1])".utf8),
                padding: .insecurePKCS1v1_5))
        transport.verify()
    }

    @Test("one token serves all processes until five minutes before its end")
    func reuse() async throws {
        stubToken()
        stubAccepted(4)
        _ = try await send(provider())
        _ = try await send(provider())
        clock.pass(.seconds(3599 - 301))
        _ = try await send(provider())
        clock.pass(.seconds(1))
        stubToken("ya29.token-2")
        _ = try await send(provider())
        #expect(transport.requests.last?.value("Authorization") == "Bearer ya29.token-2")
        transport.verify()
    }

    @Test("a token that Google rejects is fetched again, once")
    func renewal() async throws {
        let body = #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#
        stubToken()
        transport.stub(.post, target, status: 401, body: body)
        stubToken("ya29.token-2")
        transport.stub(.post, target, status: 401, body: body)
        let answer = try await send(provider())
        #expect(answer.verdict == .providerFailure(.credentials) && answer.attempts == 2)
        transport.verify()
    }

    @Test("a service account that Google rejects is a failure of the credentials, in one try")
    func rejected() async throws {
        transport.stub(
            .post, "/token", status: 400,
            body: #"{"error":"invalid_grant","error_description":"Invalid JWT \u001b[31m"}"#)
        let answer = try await send(provider())
        #expect(answer.verdict == .providerFailure(.credentials))
        #expect(
            answer.reason == "Google rejects the service account "
                + "'sender@argus-12345.iam.gserviceaccount.com' (invalid_grant, 400)")
        transport.verify()
    }

    @Test("a page in place of Google's answer blames no service account", arguments: [200, 403])
    func page(status: Int) async throws {
        for _ in 0..<4 { transport.stub(.post, "/token", status: status, body: "<html>") }
        #expect(try await send(provider()).verdict == .providerFailure(.service))
        transport.verify()
    }

    @Test("an access token is asked for again if Google fails for a moment")
    func unavailable() async throws {
        for _ in 0..<4 { transport.stub(.post, "/token", status: 500) }
        let failed = try await send(provider())
        #expect(failed.verdict == .providerFailure(.service) && failed.attempts == 4)
        #expect(failed.reason == "https://oauth2.googleapis.com gave no access token (500)")
        #expect(clock.waits == [.milliseconds(11_250), .milliseconds(22_500), .seconds(45)])
        transport.stub(.post, "/token", status: 503)
        stubToken()
        stubAccepted()
        let answer = try await send(provider())
        #expect(answer.verdict == .accepted && answer.attempts == 2)
        transport.verify()
    }

    @Test("a foreign token is the account's fault until another token was accepted")
    func foreignToken() async throws {
        let details =
            #"[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"#
            + #""SENDER_ID_MISMATCH"}]"#
        let body = #"{"error":{"code":403,"details":\#(details)}}"#
        stubToken()
        transport.stub(.post, target, status: 403, body: body)
        let provider = try provider()
        #expect(try await send(provider).verdict == .providerFailure(.credentials))
        stubAccepted()
        #expect(try await send(provider).verdict == .accepted)
        transport.stub(.post, target, status: 403, body: body)
        #expect(try await send(provider).verdict == .tokenFailure)
        transport.verify()
    }

    @Test("a service that fails is tried again after 10, 20 and 40 s at least")
    func backoff() async throws {
        stubToken()
        for _ in 0..<4 { transport.stub(.post, target, status: 503) }
        let answer = try await send(provider())
        #expect(answer.verdict == .providerFailure(.service) && answer.attempts == 4)
        #expect(clock.waits == [.milliseconds(11_250), .milliseconds(22_500), .seconds(45)])
        transport.verify()
    }

    @Test("an assertion goes to Google alone, or to a simulator on this machine")
    func tokenURL() throws {
        let loopback = "http://127.0.0.1:9000/token"
        for url in [
            "https://evil.example/token", "http://oauth2.googleapis.com/token",
            "https://oauth2.googleapis.com.evil.example/token", loopback,
            "https://oauth2.googleapis.com:444/token", "x",
        ] {
            let error = #expect(throws: DeliveryError.self) {
                try PushSamples.serviceAccount(tokenURL: url)
            }
            #expect(error?.kind == .credentials)
        }
        let simulator = Origin(scheme: .http, host: "127.0.0.1", port: 9000)
        let account = try PushSamples.serviceAccount(tokenURL: loopback, simulator: simulator)
        #expect(account.tokenURL.description == loopback)
        #expect(throws: DeliveryError.self) {
            try PushSamples.serviceAccount(
                tokenURL: "https://evil.example/token", simulator: simulator)
        }
    }

    @Test("a file that is no key of a service account is refused with a clear sentence")
    func files() throws {
        let good = PushSamples.accountFile()
        for text in [
            "", "{}", "[]", good.replacing("service_account", with: "authorized_user"),
            good.replacing("argus-12345\"", with: "../x\""),
            good.replacing("PRIVATE KEY", with: "PUBLIC KEY"),
        ] {
            #expect(throws: DeliveryError.self, "\(text.prefix(40))") {
                try ServiceAccount(Redacted(text, masking: []))
            }
        }
        #expect(throws: DeliveryError.self) { try provider(projectID: "a/b") }
    }

    @Test("no push shows its token")
    func secrets() throws {
        let push = try provider().prepare(
            PushSamples.event(), for: PushSamples.fcm(), isSilent: false)
        #expect(!"\(push)".contains(PushSamples.fcmText))
        let document = try JSONView.parse(push.document)
        #expect(document["message"]?["token"]?.string == "<redacted>")
        #expect(
            try JSONView.parse(push.body.reveal())["message"]?["token"]?.string
                == PushSamples.fcmText)
    }
}
