import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("SignIn")
struct SignInTests {
    private let fake = FakeTransport()
    private let waits = MessageLog()
    private let login = PasswordLogin(username: "admin", password: Redacted("correct horse"))
    private static let loginPath = "/api/v1/auth/login"

    private var signIn: SignIn {
        SignIn(client: .test(fake)) { [waits] duration in waits.add("\(duration)") }
    }

    @Test("a sign-in gives the tokens and the account")
    func success() async throws {
        fake.stub(.post, Self.loginPath, body: try Samples.text("login-response"))
        let answer = try await signIn.signIn(login)
        #expect(answer.tokens.accessToken == Redacted("FAKE.access.token"))
        #expect(
            answer.tokens.refreshToken == Redacted("fake-refresh-token-000000000000000000000000"))
        #expect(answer.tokens.expiresIn == nil)
        #expect(answer.user.username == "admin")
        #expect(answer.user.role == "admin")
        #expect(answer.user.isActive == true)
        #expect(answer.user.createdAt?.utcText == "2026-11-20T23:22:42.815494Z")
        #expect(!answer.mustChangePassword)
        fake.verify()
    }

    @Test("a temporary password is reported")
    func temporaryPassword() async throws {
        fake.stub(
            .post, Self.loginPath, body: try Samples.text("login-response-must-change-password"))
        #expect(try await signIn.signIn(login).mustChangePassword)
        fake.verify()
    }

    @Test("a 500 is met by one more sign-in, 1.1 s later")
    func sameSecond() async throws {
        fake.stub(.post, Self.loginPath, status: 500, body: "Internal Server Error")
        fake.stub(.post, Self.loginPath, body: try Samples.text("login-response"))
        #expect(try await signIn.signIn(login).user.username == "admin")
        #expect(waits.all == ["1.1 seconds"])
        fake.verify()
    }

    @Test("a second 500 is an error, a third sign-in is not tried")
    func twice500() async {
        for _ in 0..<2 {
            fake.stub(.post, Self.loginPath, status: 500, body: "Internal Server Error")
        }
        let error = await failure { () async throws(APIError) in try await signIn.signIn(login) }
        #expect(error?.kind == .serverError)
        #expect(waits.all.count == 1)
        fake.verify()
    }

    @Test(
        "a 500 that is not text fails at once",
        arguments: [#"{"detail":"database is locked"}"#, "<html>Internal Server Error</html>", ""])
    func other500(body: String) async {
        fake.stub(.post, Self.loginPath, status: 500, body: body)
        let error = await failure { () async throws(APIError) in try await signIn.signIn(login) }
        #expect(error?.kind == (body.hasPrefix("{") ? .serverError : .foreign(500)))
        #expect(waits.all == [])
        fake.verify()
    }

    @Test("too many sign-ins wait as long as the server says, else 15 minutes")
    func rateLimit() async throws {
        let body = try Samples.text("error-429-login")
        fake.stub(.post, Self.loginPath, status: 429, body: body)
        fake.stub(
            .post, Self.loginPath, status: 429, headers: [("Retry-After", "42")], body: body)
        for seconds in [900, 42] {
            let error = await failure { () async throws(APIError) in try await signIn.signIn(login)
            }
            #expect(error?.kind == .rateLimited)
            #expect(error?.retryAfterSeconds == seconds)
        }
        #expect(waits.all == [])
        fake.verify()
    }

    @Test("a refusal fails at once, and an answer without a token is invalid")
    func refusals() async throws {
        fake.stub(
            .post, Self.loginPath, status: 401,
            body: try Samples.text("error-401-invalid-credentials"))
        fake.stub(.post, Self.loginPath, body: #"{"access_token":""}"#)
        fake.stub(.post, Self.loginPath, status: 404, body: try Samples.text("error-404-route"))
        var kinds: [APIError.Kind?] = []
        for _ in 0..<3 {
            kinds.append(
                await failure { () async throws(APIError) in try await signIn.signIn(login) }?.kind)
        }
        #expect(
            kinds == [
                .unauthorized, .malformedAnswer, .unsupported("sign-in with a password"),
            ])
        fake.verify()
    }

    @Test("the state of the set-up is requested, and a server may lack it")
    func setUp() async throws {
        let path = "/api/v1/auth/setup-status"
        fake.stub(.get, path, body: try Samples.text("setup-status"))
        fake.stub(.get, path, body: #"{"setup_complete":false}"#)
        fake.stub(.get, path, status: 404, body: try Samples.text("error-404-route"))
        fake.stub(.get, path, status: 401, body: try Samples.text("error-401-not-authenticated"))
        var states: [Bool?] = []
        for _ in 0..<4 { states.append(try await signIn.serverHasAccount()) }
        #expect(states == [true, false, nil, nil])
        fake.stub(.get, path, status: 502)
        let error = await failure { () async throws(APIError) in try await signIn.serverHasAccount()
        }
        #expect(error?.kind == .serverError)
        fake.verify()
    }

    @Test("a token is proved by the account behind it")
    func token() async throws {
        fake.stub(.get, "/api/v1/auth/me", body: try Samples.text("auth-me"))
        #expect(try await signIn.owner(of: .bearer(Redacted("t"))).username == "admin")
        fake.stub(
            .get, "/api/v1/auth/me", status: 401,
            body: try Samples.text("error-401-invalid-token"))
        let error = await failure { () async throws(APIError) in
            try await signIn.owner(of: .bearer(Redacted("t")))
        }
        #expect(error?.kind == .unauthorized)
        fake.verify()
    }

    @Test("a key is proved by a list of one event, on whichever route")
    func key() async throws {
        fake.stub(
            .get, "/api/v1/events?limit=1", status: 404, body: try Samples.text("error-404-route"))
        fake.stub(.get, "/api/v1/mobile/events?limit=1", body: "[]")
        _ = try await signIn.owner(of: .apiKey(Redacted("k")))
        fake.stub(
            .get, "/api/v1/events?limit=1", status: 401,
            body: try Samples.text("error-401-not-authenticated"))
        let error = await failure { () async throws(APIError) in
            _ = try await SignIn(client: .test(fake)) { _ in }.owner(of: .apiKey(Redacted("k")))
        }
        #expect(error?.kind == .unauthorized)
        fake.verify()
    }
}
