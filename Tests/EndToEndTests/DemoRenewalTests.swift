import Testing

@testable import argus_demo

/// How the demo treats a refresh token that was used: rotation, reuse detection and grace.
@Suite(.waitsForPrograms)
struct DemoRenewalTests {
    private func text(_ reply: DemoFixture.Reply, _ name: String) throws -> String {
        try #require(reply.json[name]?.string)
    }

    private func refresh(_ fixture: DemoFixture, _ token: String) -> DemoFixture.Reply {
        fixture.ask(.POST, "/api/v1/auth/refresh", ["refresh_token": .text(token)])
    }

    /// A paired device: its row and its refresh token.
    private func pair(_ fixture: DemoFixture) throws -> (row: String, token: String) {
        let path = "/api/v1/mobile/auth"
        let access = fixture.token()
        let code = fixture.ask(.POST, "\(path)/pair", ["device_id": "hw", "platform": "ios"])
        let body: JSON = ["code": .text(try text(code, "code"))]
        #expect(fixture.ask(.POST, "\(path)/confirm", body, token: access).status == 200)
        let tokens = fixture.ask(.POST, "\(path)/exchange", body)
        return (try text(tokens, "device_id"), try text(tokens, "refresh_token"))
    }

    private func refresh(_ fixture: DemoFixture, _ row: String, _ token: String)
        -> DemoFixture.Reply
    {
        fixture.ask(
            .POST, "/api/v1/mobile/auth/refresh",
            ["refresh_token": .text(token), "device_id": .text(row)])
    }

    @Test("with reuse detection a web token that is used twice ends its sign-in")
    func webReuse() throws {
        let fixture = try DemoFixture { $0.detectsReuse = true }
        let first = try text(fixture.login(), "refresh_token")
        let second = try text(refresh(fixture, first), "refresh_token")
        #expect(refresh(fixture, first).detail?.contains("suspicious") == true)
        #expect(refresh(fixture, second).detail == "Invalid or expired refresh token")
    }

    @Test("on PostgreSQL a device's token rotates, and the old one is echoed for 30 s")
    func grace() throws {
        let fixture = try DemoFixture { $0.database = .postgres }
        let (row, first) = try pair(fixture)
        let second = try text(refresh(fixture, row, first), "refresh_token")
        #expect(second != first)
        #expect(try text(refresh(fixture, row, first), "refresh_token") == first)
        #expect(try text(refresh(fixture, row, second), "refresh_token") != second)
        fixture.now = fixture.now + 30
        #expect(refresh(fixture, row, first).detail == "Invalid or revoked refresh token")
        #expect(refresh(fixture, "hw", second).status == 401)
    }

    @Test("with reuse detection a device's token that is used twice ends the pairing")
    func mobileReuse() throws {
        let fixture = try DemoFixture {
            $0.database = .postgres
            $0.detectsReuse = true
        }
        let (row, first) = try pair(fixture)
        let second = try text(refresh(fixture, row, first), "refresh_token")
        #expect(refresh(fixture, row, first).status == 401)
        #expect(refresh(fixture, row, second).status == 401)
    }

    @Test("the options work, and a wrong value is reported")
    func options() throws {
        let options = try Options(["--database", "postgres", "--reuse-detection=on"])
        #expect(options.settings.database == .postgres)
        #expect(options.settings.detectsReuse)
        #expect(throws: argus_demo.UsageError("--database is sqlite or postgres, not oracle")) {
            try Options(["--database", "oracle"])
        }
    }
}
