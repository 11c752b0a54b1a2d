import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("argus logout, whoami and token")
struct AccountTests {
    private let test: TestSystem
    private static let me = "/api/v1/auth/me"
    private static let logout = "/api/v1/auth/logout"

    init() throws {
        test = try TestSystem()
    }

    private static func session(expiring: Timestamp?) -> Credential {
        .session(
            StoredSession(kind: .web, accessToken: Redacted("token-1"), expiresAt: expiring))
    }

    @Test("whoami asks the server")
    func whoAmI() async throws {
        try await test.know(signedInWith: Self.session(expiring: TestSystem.now + .seconds(60)))
        test.fake.stub(.get, Self.me, body: try Samples.text("auth-me"))
        #expect(await test.run("whoami", "--json") == .done)
        let printed = try test.printed()
        #expect(printed["username"]?.string == "admin")
        #expect(printed["sign_in"]?.string == "password")
        #expect(printed["credentials"]?.string == "sealed file")
        #expect(printed["expires_at"]?.string == "2026-11-21T12:01:00.000000Z")
    }

    @Test("a token that the server refuses is status 4, though it is kept here")
    func expired() async throws {
        try await test.know()
        test.fake.stub(.get, Self.me, status: 401, body: #"{"detail":"Token has expired"}"#)
        #expect(await test.run("whoami", "--json") == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "session_expired")
        #expect(test.stdout == "")
    }

    @Test("a key has no known owner")
    func key() async throws {
        try await test.know(signedInWith: .apiKey(Redacted("key-1")))
        test.fake.stub(.get, "/api/v1/events?limit=1", body: #"{"events":[]}"#)
        #expect(await test.run("whoami", "--json") == .done)
        #expect(try test.printed()["username"]?.isNull == true)
        #expect(try test.printed()["sign_in"]?.string == "api_key")
    }

    @Test("a password that must be changed is reported")
    func temporaryPassword() async throws {
        try await test.know()
        test.fake.stub(.get, Self.me, body: #"{"username":"ann","must_change_password":true}"#)
        #expect(await test.run("whoami", "--json") == .done)
        #expect(
            test.stderr
                == "argus: warning: the password of 'ann' must be changed: run 'argus passwd'\n")
    }

    @Test("token prints the token and nothing else; an expired one, and a key, are none")
    func token() async throws {
        let record = try await test.know(signedInWith: Self.session(expiring: nil))
        #expect(await test.run("token") == .done)
        #expect(test.stdout == "token-1\n")
        #expect(test.fake.requests.isEmpty)
        #expect(await test.run("server", "remove", record.name) == .done)
        try await test.know(signedInWith: Self.session(expiring: TestSystem.now))
        #expect(await test.run("token", "--json") == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "renewal_broken")
        try await test.know("keyed", at: "https://k.example", signedInWith: .apiKey(Redacted("k")))
        #expect(await test.run("token", "-s", "keyed", "--json") == .forbidden)
        #expect(try test.errorObject()["reason"]?.string == "no_token")
        #expect(test.stdout == "token-1\n")
    }

    @Test("logout ends the session there and forgets it here")
    func logout() async throws {
        let record = try await test.know(
            signedInWith: Self.session(expiring: TestSystem.now + .seconds(3600)))
        test.fake.stub(.post, Self.logout, body: try Samples.text("logout-response"))
        #expect(await test.run("logout") == .done)
        #expect(test.fake.requests.first?.credentialText == "Authorization: Bearer token-1")
        #expect(
            test.stderr == """
                'home' may accept the access token until 2026-11-21 13:00:00
                signed out of 'home'

                """)
        #expect(try await test.credential(of: record) == nil)
        #expect(try test.known()[record.id]?.account == nil)
        #expect(await test.run("logout", "--json") == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "no_credentials")
    }

    @Test("an unreachable server does not prevent a local sign-out")
    func unreachable() async throws {
        let record = try await test.know()
        test.fake.stub(
            .post, Self.logout, error: TransportError(.connectionLost, "connection reset"))
        #expect(await test.run("logout", "--retries", "0") == .done)
        #expect(test.stderr.contains("warning: the session on the server 'home' was not ended"))
        #expect(try await test.credential(of: record) == nil)
    }

    @Test("plain http that is not allowed sends nothing, and does not prevent a local sign-out")
    func logoutElsewhere() async throws {
        let record = try await test.know(
            "home", at: "http://192.168.1.5:8000", proof: .plain)
        #expect(await test.run("logout") == .done)
        #expect(test.fake.requests.isEmpty)
        #expect(test.stderr.contains("warning: the session on the server 'home' was not ended"))
        #expect(test.stderr.hasSuffix("signed out of 'home'\n"))
        #expect(try await test.credential(of: record) == nil)
        try await test.know("boat", at: "http://192.168.1.6", proof: .plain)
        #expect(await test.run("logout", "-s", "boat", "--json") == .done)
        #expect(try test.printed()["server"]?.string == "boat")
    }

    @Test("a key stays valid until it is revoked, with a message; nothing is sent")
    func logoutWithKey() async throws {
        let record = try await test.know(signedInWith: .apiKey(Redacted("key-1")))
        #expect(await test.run("logout") == .done)
        #expect(test.stderr.contains("the API key of 'home' stays valid"))
        #expect(try await test.credential(of: record) == nil)
    }
}
