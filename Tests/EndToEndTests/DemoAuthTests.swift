import Testing

@testable import argus_demo

/// Signing in to today's server.
@Suite(.waitsForPrograms)
struct DemoAuthTests {
    private let fixture: DemoFixture

    init() throws {
        fixture = try DemoFixture()
    }

    private func me(_ token: String, _ headers: [(String, String)] = []) -> DemoFixture.Reply {
        fixture.ask(.GET, "/api/v1/auth/me", token: token, headers: headers)
    }

    private func text(_ reply: DemoFixture.Reply, _ name: String) throws -> String {
        try #require(reply.json[name]?.string)
    }

    private func refresh(_ token: String) -> DemoFixture.Reply {
        fixture.ask(.POST, "/api/v1/auth/refresh", ["refresh_token": .text(token)])
    }

    @Test("an access token is a signed JWT with the claims of the documents")
    func tokenIsJWT() throws {
        let token = try text(fixture.login(), "access_token")
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        let header = try JSONReader.read(Array(try #require(Base64URL.decode(parts[0]))))
        #expect(header == ["alg": "HS256", "typ": "JWT"])
        let claims = try JSONReader.read(Array(try #require(Base64URL.decode(parts[1]))))
        let issued = try #require(claims["iat"]?.int)
        #expect(claims["exp"]?.int == issued + 86_400)
        #expect(claims["username"] == "demo")
        #expect(claims["sub"]?.string == me(token).json["id"]?.string)
    }

    @Test("a forged or expired token is refused in words of its own")
    func refusesBadTokens() throws {
        let token = try text(fixture.login(), "access_token")
        #expect(me(token).status == 200)
        #expect(me(token + "A").detail == "Invalid token")
        #expect(me("x.y.z").detail == "Invalid token")
        let other = try DemoFixture()
        #expect(me(other.token()).detail == "Invalid token")
        fixture.now = fixture.now + 86_400
        #expect(me(token).detail == "Token has expired")
        #expect(me(token).header("www-authenticate") == nil)
    }

    @Test("a missing route is hidden from requests without credentials")
    func hidesMissingRoutes() throws {
        #expect(fixture.ask(.GET, "/api/v1/nothing").status == 401)
        let reply = fixture.ask(.GET, "/api/v1/nothing", token: fixture.token())
        #expect(reply.status == 404)
        #expect(reply.detail == "Not Found")
        #expect(fixture.ask(.GET, "/api/v1/events/", token: fixture.token()).status == 404)
        #expect(fixture.ask(.HEAD, "/api/v1/events", token: fixture.token()).status == 405)
    }

    @Test("a cookie beats the header, and only Bearer with a capital is understood")
    func cookieBeatsBearer() throws {
        let good = fixture.token()
        #expect(me(good, [("cookie", "access_token=stale")]).detail == "Invalid token")
        #expect(me("stale", [("cookie", "other=1; access_token=\(good)")]).status == 200)
        let lower = fixture.ask(
            .GET, "/api/v1/auth/me", headers: [("authorization", "bearer \(good)")])
        #expect(lower.detail == "Not authenticated")
        #expect(lower.header("www-authenticate") == "Bearer")
    }

    @Test("a refresh token works once, and the next one after it")
    func rotatesRefreshTokens() throws {
        let first = try text(fixture.login(), "refresh_token")
        #expect(first.count == 128)
        let second = try text(refresh(first), "refresh_token")
        #expect(second != first)
        #expect(refresh(first).detail == "Invalid or expired refresh token")
        #expect(refresh(second).status == 200)
    }

    @Test("a refresh cookie beats the body, and the planned header is not understood")
    func refreshCookieBeatsBody() throws {
        let token = try text(fixture.login(), "refresh_token")
        let stale = fixture.ask(
            .POST, "/api/v1/auth/refresh", ["refresh_token": .text(token)],
            headers: [("cookie", "refresh_token=stale")])
        #expect(stale.status == 401)
        let planned = fixture.ask(
            .POST, "/api/v1/auth/refresh", ["refresh_token": nil],
            headers: [("x-refresh-token", token)])
        #expect(planned.detail == "Refresh token is required")
        #expect(fixture.ask(.POST, "/api/v1/auth/refresh", [:]).status == 422)
        #expect(refresh(token).status == 200)
    }

    @Test("two logins within a second end in a plain text 500")
    func failsOnSameSecond() throws {
        #expect(fixture.login().status == 200)
        fixture.now = fixture.now + -1
        let second = fixture.login()
        #expect(second.status == 500)
        #expect(second.bytes == Array("Internal Server Error".utf8))
        #expect(second.header("content-type") == "text/plain; charset=utf-8")
        #expect(second.header("x-request-id") == nil)
    }

    @Test("the sixth login in 15 minutes is refused whatever the password, for each address")
    func limitsLogins() throws {
        for _ in 0..<3 { #expect(fixture.login(password: "wrong").status == 401) }
        for _ in 0..<2 { #expect(fixture.login().status == 200) }
        // Malformed attempts are not counted, in either direction.
        #expect(fixture.login("x").status == 422)
        let refused = fixture.login()
        #expect(refused.status == 429)
        #expect(refused.json == ["error": "Rate limit exceeded: 5 per 15 minute"])
        let elsewhere = fixture.ask(
            .POST, "/api/v1/auth/login", ["username": "demo", "password": "argus-demo-1"],
            headers: [("x-forwarded-for", "192.0.2.7")])
        #expect(elsewhere.status == 200)
        fixture.now = fixture.now + 900
        #expect(fixture.login().status == 200)
    }

    @Test("without limits logins are not counted")
    func limitsCanBeOff() throws {
        let fixture = try DemoFixture(limits: false)
        for _ in 0..<8 { #expect(fixture.login().status == 200) }
    }

    @Test("a sixth session ends the oldest, but not its access token")
    func sixthSessionEndsTheOldest() throws {
        let fixture = try DemoFixture(limits: false)
        let first = fixture.login()
        for _ in 0..<5 { _ = fixture.login() }
        let token = try #require(first.json["refresh_token"])
        let refreshed = fixture.ask(.POST, "/api/v1/auth/refresh", ["refresh_token": token])
        #expect(refreshed.status == 401)
        let access = try #require(first.json["access_token"]?.string)
        #expect(fixture.ask(.GET, "/api/v1/auth/me", token: access).status == 200)
    }

    @Test("a logout with an expired access token revokes nothing")
    func logoutLooksAtTheAccessTokenFirst() throws {
        let pair = fixture.login()
        let token = try text(pair, "refresh_token")
        let body: JSON = ["refresh_token": .text(token)]
        #expect(fixture.ask(.POST, "/api/v1/auth/logout", body, token: "stale").status == 200)
        let renewed = try text(refresh(token), "refresh_token")
        let second: JSON = ["refresh_token": .text(renewed)]
        #expect(fixture.ask(.POST, "/api/v1/auth/logout", second).status == 200)
        #expect(refresh(renewed).status == 401)
        #expect(me(try text(pair, "access_token")).status == 200)
    }

    @Test("an API key opens what needs no user, until it is revoked")
    func keysWork() throws {
        let token = fixture.token()
        let made = fixture.ask(.POST, "/api/v1/api-keys", ["name": "cron"], token: token)
        let key = [("x-api-key", try text(made, "key"))]
        #expect(key[0].1.hasPrefix("argus_") && key[0].1.count == 38)
        #expect(fixture.ask(.GET, "/api/v1/events?limit=1", headers: key).status == 200)
        #expect(fixture.ask(.GET, "/api/v1/auth/me", headers: key).detail == "Not authenticated")
        #expect(fixture.ask(.GET, "/api/v1/devices", headers: key).status == 401)
        let path = "/api/v1/api-keys/\(try text(made, "id"))"
        #expect(fixture.ask(.DELETE, path, token: token).status == 200)
        #expect(fixture.ask(.GET, "/api/v1/events?limit=1", headers: key).status == 401)
        #expect(fixture.ask(.DELETE, path, token: token).status == 200)
    }

    @Test("the other accounts show what else a login can say")
    func otherAccounts() throws {
        #expect(fixture.login("newcomer").json["must_change_password"] == true)
        #expect(fixture.login("former").detail == "Account disabled")
        let token = fixture.token("newcomer")
        let short = fixture.ask(
            .POST, "/api/v1/auth/change-password", ["new_password": "short"], token: token)
        #expect(short.status == 422)
        let changed = fixture.ask(
            .POST, "/api/v1/auth/change-password", ["new_password": "long enough"], token: token)
        #expect(changed.status == 200)
        #expect(fixture.login("newcomer").detail == "Invalid credentials")
        let again = fixture.login("newcomer", password: "long enough")
        #expect(again.json["must_change_password"] == false)
    }
}
