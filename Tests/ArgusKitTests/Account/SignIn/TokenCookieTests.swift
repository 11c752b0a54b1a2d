import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("tokens in cookies")
struct TokenCookieTests {
    private let fake = FakeTransport()
    private let login = PasswordLogin(username: "admin", password: Redacted("correct horse"))
    private static let loginPath = "/api/v1/auth/login"
    private static let mePath = "/api/v1/auth/me"

    private var signIn: SignIn { SignIn(client: .test(fake)) { _ in } }

    private func grant(
        _ cookies: String..., body: String = "{}", date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
    ) throws(APIError) -> TokenGrant {
        let fields = cookies.map { (name: "Set-Cookie", value: $0) }
        let answer = HTTPResponse(
            status: 200,
            headers: HTTPHeaders(fields + (date.map { [(name: "Date", value: $0)] } ?? [])),
            body: Array(body.utf8))
        return try TokenGrant(answer, try ResponseBody.parseIfAny(answer), of: "sign-in")
    }

    @Test("tokens are taken from cookies where the body has none, and only there")
    func reading() throws {
        let both = try grant(
            "access_token=a.b.c; HttpOnly; Max-Age=900; Path=/; SameSite=lax",
            "refresh_token=r; Path=/api/v1/auth", "theme=dark")
        #expect(both.accessToken == Redacted("a.b.c") && both.cookie == "access_token")
        #expect(both.refreshToken == Redacted("r") && both.expiresIn == 900)
        let other = try grant("auth-token=\"x\"", body: "")
        #expect(other.accessToken == Redacted("x") && other.cookie == "auth-token")
        #expect(other.refreshToken == nil && other.expiresIn == nil)
        let body = try grant(
            "access_token=stale", "refresh_token=stale",
            body: #"{"access_token":"fresh","expires_in":5}"#)
        #expect(body.accessToken == Redacted("fresh") && body.cookie == nil)
        #expect(body.refreshToken == nil && body.expiresIn == 5)
    }

    @Test(
        "a lifetime is Max-Age, else Expires less the server's clock",
        arguments: [
            ("Max-Age=60; Expires=Sun, 06 Nov 1994 09:49:37 GMT", 60),
            ("expires=Sun, 06 Nov 1994 09:49:37 GMT", 3600), ("MAX-AGE = 7", 7),
            ("Max-Age=soon; Expires=never", nil), ("Secure", nil),
        ] as [(String, Int?)])
    func lifetime(attributes: String, seconds: Int?) throws {
        #expect(try grant("access_token=t; \(attributes)").expiresIn == seconds)
    }

    @Test(
        "what is no token of use is no token",
        arguments: [
            "access_token=", "access_token=\"\"; Max-Age=0", "access_token=t; Max-Age=0",
            "access_token=t; Max-Age=-1", "access_token=t; Expires=Sat, 05 Nov 1994 08:49:37 GMT",
            "access_token=a b", "access_token=a\"b", "access_token=a,b", "access_token=ä",
            "access_token", "Access_Token=t", "=t", "", ";;;", "x=access_token=t",
        ])
    func useless(cookie: String) {
        #expect(throws: APIError.self) { try grant(cookie) }
    }

    @Test(
        "a token in the body that no request can carry is none, and no cookie stands in for it",
        arguments: ["a b", "a\\r\\nX-Evil: 1", "a\\u0000", "tok\\u00e9n", "a\\u001b[2J"])
    func uselessInBody(text: String) throws {
        for body in [
            #"{"access_token":"\#(text)","refresh_token":"r"}"#,
            #"{"access_token":"a","refresh_token":"\#(text)"}"#,
        ] {
            let error = #expect(throws: APIError.self) {
                try grant("access_token=cookie", body: body)
            }
            #expect(error?.kind == .malformedAnswer)
            #expect(error?.detail.contains("evil") == false)
        }
        let long = String(repeating: "a", count: SecretText.tokenLimit + 1)
        #expect(throws: APIError.self) { try grant(body: #"{"access_token":"\#(long)"}"#) }
        #expect(throws: APIError.self) { try grant("access_token=\(long)") }
        #expect(try grant("access_token=a", "refresh_token=\(long)").refreshToken == nil)
    }

    @Test("of two cookies of a name the last one holds")
    func lastOne() throws {
        #expect(try grant("access_token=a", "access_token=b").accessToken == Redacted("b"))
    }

    @Test("a token of a cookie is sent as Bearer where the server takes it so")
    func bearer() async throws {
        fake.stub(.post, Self.loginPath, headers: [("Set-Cookie", "access_token=t")], body: "{}")
        fake.stub(.get, Self.mePath, body: #"{"id":"1","username":"admin"}"#)
        #expect(try await signIn.signIn(login).tokens.cookie == nil)
        #expect(fake.requests.map(credentials) == [[], ["Authorization: Bearer t"]])
        fake.verify()
    }

    @Test("where it is refused so, it is sent as one cookie, never as both")
    func cookie() async throws {
        fake.stub(.post, Self.loginPath, headers: [("Set-Cookie", "auth-token=t")], body: "")
        fake.stub(.get, Self.mePath, status: 401, body: #"{"detail":"Not authenticated"}"#)
        fake.stub(.get, Self.mePath, body: #"{"id":"1","username":"admin"}"#)
        let answer = try await signIn.signIn(login)
        #expect(answer.tokens.cookie == "auth-token")
        #expect(
            fake.requests.map(credentials) == [
                [], ["Authorization: Bearer t"], ["Cookie: auth-token=t"],
            ])
        let session = StoredSession(kind: .web, grant: answer.tokens, at: .init(seconds: 0))
        let kept = try #require(try? Credential(state: Credential.session(session).state))
        #expect(kept == .session(session) && session.cookie == "auth-token")
        fake.verify()
    }

    @Test("a token that is refused in both forms is no sign-in")
    func neither() async {
        fake.stub(.post, Self.loginPath, headers: [("Set-Cookie", "access_token=t")], body: "{}")
        for _ in 0..<2 {
            fake.stub(.get, Self.mePath, status: 401, body: #"{"detail":"Invalid token"}"#)
        }
        let error = await failure { () async throws(APIError) in try await signIn.signIn(login) }
        #expect(error?.kind == .unauthorized)
        fake.verify()
    }

    private func credentials(_ request: HTTPRequest) -> [String] {
        request.headers.compactMap { header in
            guard case .secret(let value) = header.value else { return nil }
            return "\(header.name): \(value.reveal())"
        }
    }
}
