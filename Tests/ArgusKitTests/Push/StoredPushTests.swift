import ArgusAccount
import ArgusCore
import ArgusPush
import ArgusTestSupport
import Testing

@Suite("StoredPush")
struct KeptPushTests {
    private static let point =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    private let folder: TemporaryFolder
    private let store: SealedFileStore

    init() throws {
        folder = try TemporaryFolder()
        store = SealedFileStore(.folder(folder.path), machine: Redacted("machine-7d1f")) { _ in }
    }

    private func device(_ service: PushService = .apns) throws -> PushDevice {
        let token = String(repeating: "0a", count: 32)
        var device = try PushDevice(
            id: "550e8400-e29b-41d4-a716-446655440000", platform: .tvos, service: service,
            token: token, tokenType: .sandbox)
        device.name = "attic"
        device.bundleID = "com.argusai.app"
        return device
    }

    private func subscription(_ endpoint: String) throws -> StoredSubscription {
        StoredSubscription(
            endpoint: try PushEndpoint(endpoint),
            keys: try PushKeys(p256dh: Self.point, auth: "XRpmO3zxJ/wnG30AaMvyeg=="),
            userAgent: "test", subscriptionID: "s1")
    }

    @Test("what was registered is read back whole, and nothing of it lies open")
    func roundTrip() async throws {
        let server = ServerID.random()
        var kept = StoredPush()
        kept.keep(StoredRegistration(try device(), id: "r1"))
        kept.keep(StoredRegistration(try device(.fcm), id: nil))
        kept.keep(try subscription("https://push.example/send/secret"))
        try await store.keep(kept, of: server)
        #expect(try await store.storedPush(of: server) == kept)
        #expect(!"\(kept)".contains("0a0a0a") && !"\(kept)".contains("secret"))
        try await store.keep(StoredPush(), of: server)
        #expect(try await store.read(CredentialKey(server, .push)) == nil)
        #expect(try await store.storedPush(of: server).isEmpty)
    }

    @Test(
        "one registration is kept for each device and service, one subscription for each endpoint")
    func inPlace() throws {
        var kept = StoredPush()
        for _ in 0..<2 {
            kept.keep(StoredRegistration(try device(), id: nil))
            kept.keep(StoredRegistration(try device(.fcm), id: nil))
            kept.keep(try subscription("https://push.example/a"))
            kept.keep(try subscription("https://push.example/b"))
        }
        #expect(kept.registrations.count == 2)
        #expect(kept.subscriptions.count == 2)
        kept.remove("550E8400-E29B-41D4-A716-446655440000", .fcm)
        #expect(kept.registrations.map(\.device.service) == [.apns])
    }

    @Test("a value that makes no sense counts as nothing")
    func nonsense() async throws {
        let server = ServerID.random()
        for text in ["", "7", "{", #"{"registrations":[{"token":1}]}"#, #"{"subscriptions":7}"#] {
            try await store.write(Redacted(Array(text.utf8)), for: CredentialKey(server, .push))
            #expect(try await store.storedPush(of: server).isEmpty, "\(text)")
        }
    }

    @Test(
        "an endpoint is shown without its secret, and hidden in what servers say",
        arguments: [
            ("https://push.example/send/abcdefgh1234", "https://push.example/…1234"),
            ("https://push.example:8443/x", "https://push.example:8443/…"),
            ("https://push.example?token=abcdefgh1234", "https://push.example/…1234"),
            ("apns://" + String(repeating: "ab", count: 32), "apns://…abab"),
        ])
    func shown(endpoint: String, shown: String) throws {
        let endpoint = try PushEndpoint(endpoint)
        #expect(endpoint.shown == shown)
        #expect(!"\(endpoint)".contains("abcd"))
    }

    @Test("a long endpoint is known by what a server leaves of it")
    func shortened() throws {
        let text = "https://push.example/send/" + String(repeating: "abcdefgh", count: 6)
        let endpoint = try PushEndpoint(text)
        let left = "\(text.prefix(30))...\(text.suffix(20))"
        #expect(endpoint.matches(listed: left) && endpoint.matches(listed: text))
        for other in [nil, "", "https://push.example/send/abcd...abcdefgh", left + "x"] {
            #expect(!endpoint.matches(listed: other))
        }
        // A short one is never shortened, so that what looks so is another one.
        let short = try PushEndpoint("https://push.example/send/abcdefgh1234")
        #expect(!short.matches(listed: "https://push.example/send/abcd...abcdefgh1234"))
    }
}
