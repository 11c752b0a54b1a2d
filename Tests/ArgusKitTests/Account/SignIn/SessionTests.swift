import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("Session")
struct SessionTests {
    private let fake = FakeTransport()
    private static let probe = "/api/v1/events?limit=1"
    private static let me = "/api/v1/auth/me"
    private let refusal = #"{"detail":"Not authenticated"}"#

    private func callMe(_ session: Session) async -> APIError? {
        await failure { () async throws(APIError) in
            try await session.call(AccountRoutes.me, ())
        }
    }

    @Test("a key that is good elsewhere is forbidden here, not unknown")
    func keyIsNotEnough() async {
        fake.stub(.get, Self.me, status: 401, body: refusal)
        fake.stub(.get, Self.probe, body: #"{"events":[]}"#)
        let error = await callMe(.testWithKey(fake))
        #expect(error?.kind == .forbidden)
        #expect(error?.status == 401)
        #expect(error?.detail == "an API key is not enough; this needs a user's sign-in")
        fake.verify()
    }

    @Test("a key that is refused everywhere is refused, and so is one that cannot be proved now")
    func keyIsRefused() async {
        fake.stub(.get, Self.me, status: 401, body: refusal)
        fake.stub(.get, Self.probe, status: 401, body: refusal)
        #expect(await callMe(.testWithKey(fake))?.kind == .unauthorized)
        fake.stub(.get, Self.me, status: 401, body: refusal)
        fake.stub(.get, Self.probe, error: TransportError(.notConnected, "refused"))
        #expect(await callMe(.testWithKey(fake))?.kind == .unauthorized)
        fake.verify()
    }

    @Test("a token that is refused is not proved elsewhere")
    func tokenIsRefused() async {
        fake.stub(.get, Self.me, status: 401, body: refusal)
        #expect(await callMe(.test(fake))?.kind == .unauthorized)
        fake.verify()
    }

    @Test("the account is asked for, with the server's own words")
    func whoAmI() async throws {
        fake.stub(.get, Self.me, body: try Samples.text("auth-me"))
        let answer = try await Session.test(fake).whoAmI()
        #expect(answer.user?.id == "47ed2a12-780a-41f8-baf2-370b12b69a47")
        #expect(answer.user?.lastLogin?.utcText == "2026-11-20T23:45:56.239526Z")
        #expect(answer.view?["email"]?.isNull == true)
        fake.verify()
    }

    @Test("a key works, but has no known owner")
    func whoseKey() async throws {
        fake.stub(.get, Self.probe, body: #"{"events":[]}"#)
        let answer = try await Session.testWithKey(fake).whoAmI()
        #expect(answer.user == nil)
        #expect(answer.view == nil)
        fake.verify()
    }

    @Test("without an account route a list proves the token and its claims name the user")
    func claims() async throws {
        // {"sub":"u-1","username":"ann"}
        let token = "e30.eyJzdWIiOiJ1LTEiLCJ1c2VybmFtZSI6ImFubiJ9.c2ln"
        fake.stub(.get, Self.me, status: 404, body: #"{"detail":"Not Found"}"#)
        fake.stub(.get, Self.probe, status: 404, body: #"{"detail":"Not Found"}"#)
        fake.stub(.get, "/api/v1/mobile/events?limit=1", body: "[]")
        let session = Session(client: .test(fake), authorization: .bearer(Redacted(token)))
        let answer = try await session.whoAmI()
        #expect(answer.user == User(id: "u-1", username: "ann"))
        fake.verify()
    }
}
