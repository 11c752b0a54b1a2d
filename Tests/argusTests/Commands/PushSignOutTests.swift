import ArgusAccount
import ArgusPush
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// What signing out does to registrations for pushes.
@Suite("pushes and argus logout")
struct PushSignOutTests {
    private let test: TestSystem

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func register() async -> ExitKind {
        await test.run(
            "push", "register", "--push-token", PushTests.apns, "--device-id", PushTests.device,
            "--platform", "ios", "--json")
    }

    @Test("signing out takes back what was registered here, unless it is to be kept")
    func logout() async throws {
        test.fake.stub(.get, PushSubscriptionTests.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(
            .post, "/api/v1/push/subscribe", status: 201, body: PushSubscriptionTests.made)
        #expect(await test.run(PushSubscriptionTests.subscription) == .done)
        test.fake.stub(.get, PushTests.devices, body: "[]")
        test.fake.stub(.post, PushTests.documented, status: 201, body: "{}")
        #expect(await register() == .done)
        test.fake.stub(.delete, "/api/v1/push/subscribe", status: 500)
        test.fake.stub(.get, PushTests.devices, body: "[]")
        test.fake.stub(.delete, "/api/v1/push/mobile/tokens/\(PushTests.device)", status: 204)
        test.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await test.run("logout") == .done)
        #expect(test.stderr.contains("warning: the push subscription was not removed"))
        #expect(test.stderr.contains("removed the push registration on 'home'"))
    }

    @Test("--keep-push leaves the registrations, and they are known after the next sign-in")
    func keepPush() async throws {
        test.fake.stub(.get, PushTests.devices, body: "[]")
        test.fake.stub(.post, PushTests.documented, status: 201, body: "{}")
        #expect(await register() == .done)
        test.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await test.run("logout", "--keep-push") == .done)
        let record = try #require(try test.known().servers.first)
        #expect(try await test.credential(of: record) == nil)
        #expect(try await test.storedPush(of: record).registrations.count == 1)
    }
}
