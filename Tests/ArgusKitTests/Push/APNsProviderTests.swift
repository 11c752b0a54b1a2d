import ArgusTestSupport
import ArgusTransport
import Crypto
import Testing

@testable import ArgusCore
@testable import ArgusPush

@Suite("APNsProvider")
struct APNsProviderTests {
    private let transport = FakeTransport()
    private let clock = PushSamples.Clock()
    private let signing = P256.Signing.PrivateKey()
    private let folder: TemporaryFolder
    private let target = "/3/device/" + PushSamples.apnsText

    init() throws { folder = try TemporaryFolder() }

    /// A provider of a new process, which knows only what is on disk.
    private func provider(
        bundleID: String? = nil, usesSandbox: Bool = false, signing: P256.Signing.PrivateKey? = nil
    ) throws -> APNsProvider {
        APNsProvider(
            try PushSamples.apnsKey(signing ?? self.signing), bundleID: bundleID,
            usesSandbox: usesSandbox, store: PushSamples.store(folder),
            PushSamples.environment(transport, clock))
    }

    private func send(_ provider: APNsProvider, isSilent: Bool = false) async throws
        -> DeliveryAnswer
    {
        let token = try PushSamples.apns()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: isSilent)
        return await provider.send(push, to: token)
    }

    private var tokens: [String] {
        transport.requests.compactMap { $0.value("Authorization")?.split(separator: " ").last }
            .map(String.init)
    }

    @Test("a push has Apple's header fields, and a token that the key's public half verifies")
    func request() async throws {
        transport.stub(.post, target)
        #expect(try await send(provider()) == DeliveryAnswer(verdict: .accepted, httpStatus: 200))
        let request = try #require(transport.requests.first)
        #expect(request.origin.description == "https://api.push.apple.com")
        #expect(request.value("apns-topic") == "com.example.app")
        #expect(request.value("apns-push-type") == "alert")
        #expect(request.value("apns-priority") == "10")
        #expect(request.value("apns-expiration") == "\(PushSamples.now.seconds + 86_400)")
        #expect(request.value("apns-collapse-id") == PushSamples.event().eventID)
        #expect(request.value("Authorization")?.hasPrefix("bearer ") == true)
        let parts = try #require(tokens.first).split(separator: ".").map(String.init)
        let header = try JSONView.parse(try #require(Base64.decodeEitherAlphabet(parts[0])))
        #expect(header["alg"]?.string == "ES256" && header["kid"]?.string == "ABCDE12345")
        let claims = try JSONView.parse(try #require(Base64.decodeEitherAlphabet(parts[1])))
        #expect(claims["iss"]?.string == "TEAM123456")
        #expect(claims["iat"]?.int == Int(PushSamples.now.seconds))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64.decodeEitherAlphabet(parts[2])))
        let bytes = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(signing.publicKey.isValidSignature(signature, for: bytes))
        transport.verify()
    }

    @Test("a silent push has the lower priority; the sandbox has a host of its own")
    func variants() async throws {
        transport.stub(.post, target)
        _ = try await send(provider(usesSandbox: true), isSilent: true)
        let request = try #require(transport.requests.first)
        #expect(request.value("apns-priority") == "5")
        #expect(request.origin.host == "api.sandbox.push.apple.com")
        let sandbox = try provider().prepare(
            PushSamples.event(), for: PushSamples.apns(.sandbox), isSilent: false)
        #expect(sandbox.origin.host == "api.sandbox.push.apple.com")
        transport.verify()
    }

    @Test("a token without a bundle id uses that of the settings; without both nothing is sent")
    func bundle() throws {
        let token = try PushSamples.apns(bundleID: nil)
        let push = try provider(bundleID: "com.example.other").prepare(
            PushSamples.event(), for: token, isSilent: false)
        #expect(push.headers.first { $0.name == "apns-topic" }?.shown == "com.example.other")
        let error = #expect(throws: DeliveryError.self) {
            try provider().prepare(PushSamples.event(), for: token, isSilent: false)
        }
        #expect(error?.kind == .settings)
    }

    @Test("one token serves all processes for 50 minutes; it lies sealed on disk")
    func reuse() async throws {
        for _ in 0..<4 { transport.stub(.post, target) }
        _ = try await send(provider())
        _ = try await send(provider())
        clock.pass(.seconds(49 * 60))
        _ = try await send(provider())
        #expect(Set(tokens).count == 1)
        clock.pass(.seconds(60))
        _ = try await send(provider())
        #expect(Set(tokens).count == 2)
        let secret = try #require(tokens.first)
        let files = try folder.names(in: "credentials")
        #expect(!files.isEmpty)
        for file in files {
            #expect(try !folder.text("credentials/" + file).contains(secret), "\(file)")
        }
        transport.verify()
    }

    @Test("another key, and a token from the future of a wrong clock, are not used")
    func signer() async throws {
        for _ in 0..<3 { transport.stub(.post, target) }
        _ = try await send(provider())
        _ = try await send(provider(signing: P256.Signing.PrivateKey()))
        #expect(Set(tokens).count == 2)
        clock.pass(.seconds(-7200))
        _ = try await send(provider(signing: P256.Signing.PrivateKey()))
        #expect(Set(tokens).count == 3)
        transport.verify()
    }

    @Test("a token that Apple takes for expired is replaced once, and not again for 20 minutes")
    func expired() async throws {
        let body = #"{"reason":"ExpiredProviderToken"}"#
        transport.stub(.post, target, status: 403, body: body)
        transport.stub(.post, target)
        #expect(try await send(provider()).attempts == 2)
        #expect(Set(tokens).count == 2)
        transport.stub(.post, target, status: 403, body: body)
        let answer = try await send(provider())
        #expect(answer.verdict == .providerFailure(.credentials) && answer.attempts == 1)
        #expect(answer.reason?.contains("clock") == true)
        transport.verify()
    }

    @Test("too many new tokens stop APNs for 20 minutes, and the old token stays")
    func pause() async throws {
        let body = #"{"reason":"TooManyProviderTokenUpdates"}"#
        transport.stub(.post, target, status: 429, body: body)
        let answer = try await send(provider())
        #expect(answer.verdict == .providerFailure(.rateLimited) && answer.attempts == 1)
        clock.pass(.seconds(19 * 60))
        let paused = try await send(provider())
        #expect(paused.verdict == .providerFailure(.service))
        #expect(paused.reason?.contains("accepts no new token for 1 min") == true)
        clock.pass(.seconds(60))
        transport.stub(.post, target)
        #expect(try await send(provider()).verdict == .accepted)
        #expect(Set(tokens).count == 1)
        transport.verify()
    }

    @Test("many sends at once need one token")
    func parallel() async throws {
        for _ in 0..<32 { transport.stub(.post, target) }
        let provider = try provider()
        let token = try PushSamples.apns()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask { _ = await provider.send(push, to: token) } }
        }
        #expect(Set(tokens).count == 1)
        transport.verify()
    }

    @Test("no push shows its token or the key")
    func secrets() throws {
        let push = try provider().prepare(
            PushSamples.event(), for: PushSamples.apns(), isSilent: false)
        #expect(!"\(push)".contains(PushSamples.apnsText))
        #expect(!String(decoding: push.document, as: UTF8.self).contains(PushSamples.apnsText))
    }

    @Test(
        "a key that is none is refused with a clear sentence",
        arguments: [
            "", "not PEM", P256.Signing.PrivateKey().publicKey.pemRepresentation,
            P384.Signing.PrivateKey().pemRepresentation,
        ])
    func keys(text: String) {
        let error = #expect(throws: DeliveryError.self) {
            try APNsKey(Redacted(text, masking: []), keyID: "ABCDE12345", teamID: "TEAM123456")
        }
        #expect(error?.kind == .credentials)
        #expect(error?.description.contains("private key of P-256") == true)
    }

    @Test("the names of key and team have ten letters and digits")
    func names() {
        let pem = Redacted(signing.pemRepresentation)
        for (key, team) in [("ABC", "TEAM123456"), ("ABCDE12345", "TEAM 23456")] {
            let error = #expect(throws: DeliveryError.self) {
                try APNsKey(pem, keyID: key, teamID: team)
            }
            #expect(error?.kind == .settings)
        }
    }
}
