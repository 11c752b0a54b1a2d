import ArgusTestSupport
import Crypto
import CryptoExtras
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush
@testable import ArgusTransport

/// Receivers, keys and a clock for the tests of push delivery.
enum PushSamples {
    static let now = Timestamp(seconds: 1_795_212_000)
    static let apnsText = String(repeating: "0a", count: 32)
    static let fcmText = String(repeating: "fcm-Token_1:", count: 4)

    static func apns(
        _ type: PushTokenType = .production, bundleID: String? = "com.example.app"
    ) throws -> DeliveryToken {
        token(
            .apns(token: try PushToken(apnsText, for: .apns), type: type, bundleID: bundleID))
    }

    static func fcm() throws -> DeliveryToken {
        token(.fcm(token: try PushToken(fcmText, for: .fcm)))
    }

    static func webPush(
        _ endpoint: String = "https://push.example/send/secret-path-1",
        _ keys: PushKeys? = nil
    ) throws -> DeliveryToken {
        let keys = try keys ?? WebPushEncryptionTests.receiver().1
        return token(.webPush(endpoint: try PushEndpoint(endpoint), keys: keys))
    }

    private static func token(_ address: DeliveryToken.Address) -> DeliveryToken {
        DeliveryToken(
            id: "5a0d7d26-0d3b-4a54-b3a1-0c6d2f5b9e11", address: address,
            createdAt: now + .seconds(-86_400))
    }

    static func apnsKey(_ key: P256.Signing.PrivateKey = .init()) throws -> APNsKey {
        try APNsKey(
            Redacted(key.pemRepresentation), keyID: "ABCDE12345", teamID: "TEAM123456")
    }

    /// The key of `serviceAccount`; making one takes a tenth of a second.
    static let rsaKey = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

    static func serviceAccount(
        tokenURL: String = "https://oauth2.googleapis.com/token", simulator: Origin? = nil
    ) throws -> ServiceAccount {
        try ServiceAccount(Redacted(accountFile(tokenURL: tokenURL)), simulator: simulator)
    }

    static func accountFile(tokenURL: String = "https://oauth2.googleapis.com/token") -> String {
        let bytes = JSONWriter.object {
            $0.member("type", "service_account")
            $0.member("project_id", "argus-12345")
            $0.member("private_key_id", "0123456789abcdef")
            $0.member("private_key", rsaKey?.pkcs8PEMRepresentation)
            $0.member("client_email", "sender@argus-12345.iam.gserviceaccount.com")
            $0.member("token_uri", tokenURL)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func event() -> PushPayload {
        var event = Event(id: "8f85eda1-6326-4ccd-9cc8-c28eabd66677")
        event.cameraID = "ea8570fa-3ea5-4a9f-b498-1ed0e8c02986"
        event.cameraName = "Porch"
        event.smartDetectionType = "person"
        event.description = "A person walked up the path"
        event.timestamp = now
        return PushPayload(
            event: event, publicURL: try? ServerAddress(parsing: "https://argus.example"))
    }

    /// A transport of the test below a clock that each wait moves on.
    static func environment(_ transport: FakeTransport, _ clock: Clock = Clock())
        -> PushEnvironment
    {
        var environment = PushEnvironment(
            transport, userAgent: "argus/test", now: { clock.now }, sleep: { clock.wait($0) })
        environment.random = { 0.5 }
        return environment
    }

    /// A store of tokens in a folder of the test.
    static func store(_ folder: TemporaryFolder) -> ProviderTokenStore {
        ProviderTokenStore(
            in: SealedFileStore(.folder(folder.path), machine: Redacted("machine-7d1f")) { _ in },
            .folder(folder.path), report: { words in Issue.record("\(words)") })
    }

    /// A clock that only waits move.
    final class Clock: Sendable {
        private let state = Mutex((now: PushSamples.now, waits: [Duration]()))

        var now: Timestamp { state.withLock { $0.now } }
        var waits: [Duration] { state.withLock { $0.waits } }

        func wait(_ duration: Duration) {
            state.withLock { state in
                state.now = state.now + duration
                state.waits.append(duration)
            }
        }

        /// Moves the clock without a wait.
        func pass(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }
    }
}

extension HTTPRequest {
    /// The revealed value of a header field.
    func value(_ name: String) -> String? {
        headers.first { $0.name.equalsWithoutCase(name) }?.text
    }
}
