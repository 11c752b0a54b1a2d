import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

/// How a session is ended at today's server, as observed.
@Suite("logout at today's server")
struct RealLogoutTests {
    private let fake = FakeTransport()

    @Test("a refresh token goes alone, because beside an access token it is not looked at")
    func refreshToken() async throws {
        fake.stub(.post, "/api/v1/auth/logout", body: #"{"message":"Logged out successfully"}"#)
        try await Session.test(fake).call(AccountRoutes.logout, Redacted("refresh"))
        let request = try #require(fake.requests.first)
        #expect(request.body?.bytes == Array(#"{"refresh_token":"refresh"}"#.utf8))
        #expect(!request.headers.contains { $0.name == "Authorization" })
        fake.verify()
    }

    @Test("an access token that is good ends its own session")
    func accessToken() async throws {
        fake.stub(.post, "/api/v1/auth/logout", body: #"{"message":"Logged out successfully"}"#)
        try await Session.test(fake).call(AccountRoutes.logout, nil)
        let request = try #require(fake.requests.first)
        #expect(request.body?.bytes == Array("{}".utf8))
        #expect(request.headers.contains { $0.name == "Authorization" })
        fake.verify()
    }
}
