import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush

@Suite("ReceiverRegistry")
struct ReceiverRegistryTests {
    private let now = Deliveries.now

    @Test("a device has one token of each service; a new one ends the failures of the old one")
    func unique() throws {
        var registry = ReceiverRegistry()
        let first = try Deliveries.apns("1", device: "d1", name: "phone")
        #expect(registry.put(first, at: now).result == .created)
        #expect(registry.put(try Deliveries.fcm("2", device: "d1"), at: now).result == .created)
        #expect(registry.put(first, at: now + .seconds(1)).result == .unchanged)
        #expect(registry["1"]?.updatedAt == now + .seconds(1))
        for _ in 1...5 {
            registry.record(
                DeliveryAnswer(verdict: .tokenFailure, reason: "bad"), of: first, at: now)
        }
        #expect(registry["1"]?.isActive == false && registry["1"]?.failureCount == 5)
        #expect(registry["1"]?.inactiveSince == now && registry["1"]?.lastFailureReason == "bad")
        let (stored, result) = registry.put(
            try Deliveries.apns("3", letter: "b", device: "d1"), at: now + .seconds(9))
        #expect(result == .updated && stored.id == "1" && stored.isActive)
        #expect(stored.failureCount == 0 && stored.inactiveSince == nil)
        #expect(stored.device.name == "phone" && stored.updatedAt == now + .seconds(9))
        #expect(stored.createdAt == now && registry.tokens.map(\.id) == ["1", "2"])
    }

    @Test("a token that moved to another device is in one record, whatever its letters' case")
    func moved() throws {
        var registry = ReceiverRegistry()
        _ = registry.put(try Deliveries.apns("1", device: "d1"), at: now)
        _ = registry.put(try Deliveries.apns("2", letter: "b", device: "d2"), at: now)
        let (stored, result) = registry.put(
            try Deliveries.apns("3", letter: "A", device: "d2"), at: now)
        #expect(result == .updated)
        #expect(registry.tokens.map(\.id) == [stored.id] && stored.device.id == "d2")
    }

    @Test("a subscription is known by its endpoint, and is bound to the key")
    func subscriptions() throws {
        var registry = ReceiverRegistry()
        _ = registry.put(try Deliveries.web("1"), at: now)
        #expect(registry.put(try Deliveries.web("2"), at: now).result == .unchanged)
        #expect(registry.put(try Deliveries.web("3", path: "b"), at: now).result == .created)
        _ = registry.put(try Deliveries.apns("4"), at: now)
        #expect(registry.loseKey(at: now) == 2 && registry.loseKey(at: now) == 0)
        #expect(registry.tokens.filter(\.isActive).map(\.id) == ["4"])
    }

    @Test("an answer changes the token that it is about, and no other")
    func answers() throws {
        var registry = ReceiverRegistry()
        let token = try Deliveries.apns("1", device: "d1")
        _ = registry.put(token, at: now)
        registry.record(DeliveryAnswer(verdict: .providerFailure(.credentials)), of: token, at: now)
        #expect(registry["1"] == token)
        registry.record(DeliveryAnswer(verdict: .tokenFailure, reason: "r"), of: token, at: now)
        #expect(registry["1"]?.failureCount == 1)
        registry.record(DeliveryAnswer(verdict: .accepted), of: token, at: now + .seconds(5))
        #expect(registry["1"]?.failureCount == 0 && registry["1"]?.lastUsedAt == now + .seconds(5))
        // The answer is about a token that was replaced meanwhile.
        _ = registry.put(try Deliveries.apns("2", letter: "b", device: "d1"), at: now)
        registry.record(DeliveryAnswer(verdict: .gone), of: token, at: now)
        #expect(registry.tokens.count == 1)
        registry.record(DeliveryAnswer(verdict: .gone), of: try #require(registry["1"]), at: now)
        #expect(registry.tokens.isEmpty)
    }

    @Test("a token that was registered again while a push was under way is not removed")
    func registeredAgain() throws {
        var registry = ReceiverRegistry()
        let token = try Deliveries.apns("1", device: "d1")
        _ = registry.put(token, at: now)
        _ = registry.put(token, at: now + .seconds(1))
        registry.record(DeliveryAnswer(verdict: .gone), of: token, at: now + .seconds(2))
        #expect(registry.tokens.count == 1)
    }

    @Test("an import changes only the preferences that it names")
    func preferences() throws {
        var registry = ReceiverRegistry()
        func put(_ more: String) throws -> PushPreferences {
            let record =
                #"{"service":"fcm","device_id":"d1","token":"\#(PushSamples.fcmText)"\#(more)}"#
            let entry = try #require(
                DeliveryImport.read(Array(record.utf8), publicKey: nil, at: now).first)
            let receiver = try entry.get()
            return registry.put(receiver.token, receiver.preferences, at: now).token.preferences
        }
        let first = try put(
            #","types":["person"],"quiet_hours_start":"22:00","quiet_hours_end":"07:00","#
                + #""timezone":"Europe/Paris""#)
        var expected = first
        expected.hasSound = false
        #expect(first.objects == ["person"] && first.isQuietEnabled)
        #expect(try put(#","sound":false"#) == expected)
        #expect(try put("") == expected)
        expected.hasSound = true
        (expected.objects, expected.isQuietEnabled) = (nil, false)
        #expect(
            try put(#","sound":true,"types":null,"quiet_hours_enabled":false"#) == expected)
    }

    @Test("a cleanup removes what is inactive, failing or unused for long enough")
    func cleanup() throws {
        func token(_ id: String, _ change: (inout DeliveryToken) -> Void) throws -> DeliveryToken {
            var token = try Deliveries.apns(id, device: id)
            token.lastUsedAt = now
            change(&token)
            return token
        }
        func ago(_ days: Int, _ seconds: Int = 0) -> Timestamp {
            now - .days(days) - .seconds(seconds)
        }
        let all = [
            try token("inactive 30 d") { ($0.isActive, $0.inactiveSince) = (false, ago(30)) },
            try token("inactive") { ($0.isActive, $0.inactiveSince) = (false, ago(30, 1)) },
            try token("failing 7 d") { ($0.failureCount, $0.lastUsedAt) = (5, ago(7)) },
            try token("failing") { ($0.failureCount, $0.lastUsedAt) = (5, ago(7, 1)) },
            try token("4 failures") { ($0.failureCount, $0.lastUsedAt) = (4, ago(8)) },
            try token("new, failing") { ($0.failureCount, $0.lastUsedAt) = (9, nil) },
            try token("unused 90 d") { $0.lastUsedAt = ago(90) },
            try token("unused") { $0.lastUsedAt = ago(90, 1) },
            try token("never used") { ($0.lastUsedAt, $0.updatedAt) = (nil, ago(91)) },
        ]
        let registry = ReceiverRegistry(all)
        func found(_ includesUnused: Bool) -> [String] {
            registry.stale(at: now, includesUnused: includesUnused).map {
                "\($0.token.id): \($0.reason.rawValue)"
            }
        }
        #expect(found(false) == ["inactive: inactive", "failing: failing"])
        #expect(found(true) == found(false) + ["unused: unused", "never used: unused"])
    }

    @Test("the registry comes back from the store whole, and no other document counts as empty")
    func store() async throws {
        let (folder, memory) = (try TemporaryFolder(), MemoryStore())
        let store = ReceiverStore(in: memory, .folder(folder.path))
        #expect(try await store.load().tokens.isEmpty)
        var token = try Deliveries.apns("1", device: "d1", name: "Ann's phone")
        token.preferences.cameras = ["c1"]
        token.preferences.isQuietEnabled = true
        (token.preferences.quietStart, token.preferences.quietEnd) = ("22:00", "07:00")
        (token.device.platform, token.device.user) = (.ios, "Ann")
        (token.isActive, token.inactiveSince, token.failureCount) = (false, now, 7)
        (token.lastFailureAt, token.lastFailureReason, token.lastUsedAt) = (now, "r", now)
        let all = [token, try Deliveries.fcm("2"), try Deliveries.web("3")]
        for token in all { _ = try await store.change { $0.put(token, at: now) } }
        #expect(try await store.load().tokens == all)
        let writes = memory.writes
        _ = try await store.change { $0.remove("nobody") }
        #expect(memory.writes == writes)
        for (document, expected) in [
            (#"{"version":2,"tokens":[]}"#, AccountError.newerValue(store: "memory")),
            (#"{"version":1}"#, .senseless(store: "memory")),
            (#"{"tokens":[]}"#, .senseless(store: "memory")), ("[", .senseless(store: "memory")),
        ] {
            try await memory.write(
                Redacted(Array(document.utf8)), for: CredentialKey(.none, .receivers))
            #expect(
                await failure { () async throws(AccountError) in try await store.load() }
                    == expected)
        }
    }

    @Test("the VAPID key is made once, and a new one ends the subscriptions")
    func key() async throws {
        let folder = try TemporaryFolder()
        let store = ReceiverStore(in: MemoryStore(), .folder(folder.path))
        #expect(try await store.knownVAPIDKey() == nil)
        let first = try await store.vapidKey(at: now)
        #expect(try await store.vapidKey(at: now + .seconds(9)) == first)
        #expect(first.key.publicKey.count == 87 && first.createdAt == now)
        let web = try Deliveries.web("1")
        _ = try await store.change { $0.put(web, at: now) }
        let (second, lost) = try await store.rotateVAPIDKey(at: now)
        #expect(second.key != first.key && lost == 1)
        #expect(try await store.knownVAPIDKey() == second)
        #expect(try await store.load()["1"]?.isActive == false)
    }
}
