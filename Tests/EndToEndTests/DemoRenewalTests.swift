import Testing

@testable import argus_demo

/// How the demo treats a refresh token that was used: rotation, reuse detection and grace.
@Suite(.waitsForPrograms)
struct DemoRenewalTests {
    private func text(_ reply: DemoHouse.Reply, _ name: String) throws -> String {
        try #require(reply.json[name]?.string)
    }

    private func refresh(_ house: DemoHouse, _ token: String) -> DemoHouse.Reply {
        house.ask(.POST, "/api/v1/auth/refresh", ["refresh_token": .text(token)])
    }

    /// A paired device: its row and its refresh token.
    private func pair(_ house: DemoHouse) throws -> (row: String, token: String) {
        let path = "/api/v1/mobile/auth"
        let access = house.token()
        let code = house.ask(.POST, "\(path)/pair", ["device_id": "hw", "platform": "ios"])
        let body: JSON = ["code": .text(try text(code, "code"))]
        #expect(house.ask(.POST, "\(path)/confirm", body, token: access).status == 200)
        let tokens = house.ask(.POST, "\(path)/exchange", body)
        return (try text(tokens, "device_id"), try text(tokens, "refresh_token"))
    }

    private func refresh(_ house: DemoHouse, _ row: String, _ token: String) -> DemoHouse.Reply {
        house.ask(
            .POST, "/api/v1/mobile/auth/refresh",
            ["refresh_token": .text(token), "device_id": .text(row)])
    }

    @Test("with reuse detection a web token that is used twice ends its sign-in")
    func webReuse() throws {
        let house = try DemoHouse { $0.detectsReuse = true }
        let first = try text(house.login(), "refresh_token")
        let second = try text(refresh(house, first), "refresh_token")
        #expect(refresh(house, first).detail?.contains("suspicious") == true)
        #expect(refresh(house, second).detail == "Invalid or expired refresh token")
    }

    @Test("on PostgreSQL a device's token rotates, and the old one is echoed for 30 s")
    func grace() throws {
        let house = try DemoHouse { $0.database = .postgres }
        let (row, first) = try pair(house)
        let second = try text(refresh(house, row, first), "refresh_token")
        #expect(second != first)
        #expect(try text(refresh(house, row, first), "refresh_token") == first)
        #expect(try text(refresh(house, row, second), "refresh_token") != second)
        house.now = house.now + 30
        #expect(refresh(house, row, first).detail == "Invalid or revoked refresh token")
        #expect(refresh(house, "hw", second).status == 401)
    }

    @Test("with reuse detection a device's token that is used twice ends the pairing")
    func mobileReuse() throws {
        let house = try DemoHouse {
            $0.database = .postgres
            $0.detectsReuse = true
        }
        let (row, first) = try pair(house)
        let second = try text(refresh(house, row, first), "refresh_token")
        #expect(refresh(house, row, first).status == 401)
        #expect(refresh(house, row, second).status == 401)
    }

    @Test("the options are understood, and a wrong value is told")
    func options() throws {
        let options = try Options(["--database", "postgres", "--reuse-detection=on"])
        #expect(options.settings.database == .postgres)
        #expect(options.settings.detectsReuse)
        #expect(throws: argus_demo.UsageError("--database is sqlite or postgres, not oracle")) {
            try Options(["--database", "oracle"])
        }
    }
}
