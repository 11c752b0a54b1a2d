import Testing

@testable import argus_demo

/// Pairing, devices and push of today's server, with its two ids.
@Suite(.waitsForPrograms)
struct DemoPairingTests {
    private let fixture: DemoFixture
    private let token: String

    init() throws {
        fixture = try DemoFixture()
        token = fixture.token()
    }

    private func post(_ path: String, _ body: JSON) -> DemoFixture.Reply {
        fixture.ask(.POST, "/api/v1\(path)", body, token: token)
    }

    private func pair() throws -> (code: JSON, tokens: JSON) {
        let code = try #require(
            post("/mobile/auth/pair", ["device_id": "hw-1", "platform": "ios"]).json["code"])
        #expect(post("/mobile/auth/confirm", ["code": code]).status == 200)
        return (code, post("/mobile/auth/exchange", ["code": code, "device_id": "other"]).json)
    }

    @Test("a code is exchanged once, within five minutes")
    func exchangesOnce() throws {
        let (code, tokens) = try pair()
        #expect(tokens["expires_in"] == 900)
        #expect(post("/mobile/auth/exchange", ["code": code]).status == 401)
        let slow = try #require(
            post("/mobile/auth/pair", ["device_id": "hw-2", "platform": "ios"]).json["code"])
        fixture.now = fixture.now + 300
        #expect(post("/mobile/auth/confirm", ["code": slow]).status == 404)
        #expect(post("/mobile/auth/pair", ["device_id": "hw-1"]).status == 422)
        #expect(post("/mobile/auth/pair", ["device_id": "a", "platform": "cli"]).status == 422)
    }

    @Test("a rejected code is gone")
    func rejects() throws {
        let code = try #require(
            post("/mobile/auth/pair", ["device_id": "hw-1", "platform": "ios"]).json["code"]?
                .string)
        let path = "/api/v1/mobile/auth/pending/\(code)"
        #expect(fixture.ask(.DELETE, path, token: token).status == 200)
        #expect(fixture.ask(.DELETE, path, token: token).status == 404)
        let status = fixture.ask(.GET, "/api/v1/mobile/auth/status/\(code)").json
        #expect(status == ["confirmed": false, "expired": true])
    }

    @Test("the default database fails on refresh tokens that it knows")
    func refreshFails() throws {
        let tokens = try pair().tokens
        func refresh(_ token: JSON, _ device: JSON) -> Int {
            post("/mobile/auth/refresh", ["refresh_token": token, "device_id": device]).status
        }
        let token = try #require(tokens["refresh_token"])
        let row = try #require(tokens["device_id"])
        #expect(refresh(token, row) == 500)
        #expect(refresh(token, "hw-1") == 401)
        #expect(refresh("unknown", row) == 401)
        #expect(post("/mobile/auth/revoke", ["device_id": "hw-1"]).json["revoked_count"] == 0)
        #expect(post("/mobile/auth/revoke", ["device_id": row]).json["revoked_count"] == 1)
        #expect(refresh(token, row) == 500)
    }

    @Test("renaming takes the row id, deleting the hardware id")
    func twoIds() throws {
        let row = try #require(try pair().tokens["device_id"]?.string)
        func put(_ path: String, _ body: JSON) -> Int {
            fixture.ask(.PUT, "/api/v1/devices/\(path)", body, token: token).status
        }
        #expect(put(row, ["name": "attic"]) == 200)
        #expect(put("hw-1", ["name": "attic"]) == 404)
        #expect(put("hw-1/token", ["push_token": "x"]) == 200)
        #expect(put("\(row)/token", ["push_token": "x"]) == 404)
        #expect(put("hw-1/preferences", ["quiet_hours_start": "7:00"]) == 422)
        #expect(put("hw-1/preferences", ["quiet_hours_start": "07:00"]) == 200)
        func delete(_ id: String) -> Int {
            fixture.ask(.DELETE, "/api/v1/devices/\(id)", token: token).status
        }
        #expect(delete(row) == 404)
        #expect(delete("hw-1") == 204)
        #expect(fixture.ask(.GET, "/api/v1/devices/\(row)", token: token).status == 405)
    }

    @Test("registering again without a name wipes it")
    func registeringWipesName() {
        let device: JSON = ["device_id": "hw", "platform": "web", "name": "kitchen"]
        #expect(post("/devices", device).json["is_new"] == true)
        #expect(post("/devices", ["device_id": "hw", "platform": "web"]).json["is_new"] == false)
        let list = fixture.ask(.GET, "/api/v1/devices", token: token).json
        #expect(list["devices"]?.elements?.first?["name"] == .null)
    }

    @Test("push preferences are replaced whole, and checked")
    func pushPreferences() {
        let endpoint = "https://push.example/" + String(repeating: "x", count: 80)
        let keys: JSON = ["p256dh": "a", "auth": "b"]
        #expect(post("/push/subscribe", ["endpoint": .text(endpoint)]).status == 422)
        let body: JSON = ["endpoint": .text(endpoint), "keys": keys]
        let shown = post("/push/subscribe", body).json["endpoint"]?.string ?? ""
        #expect(shown.count == 53 && shown.contains("..."))
        #expect(post("/push/subscribe", body).status == 201)
        func put(_ name: String, _ value: JSON) -> DemoFixture.Reply {
            let body: JSON = ["endpoint": .text(endpoint)]
            return fixture.ask(
                .PUT, "/api/v1/push/preferences", body.setting(name, value), token: token)
        }
        #expect(put("sound_enabled", false).json["sound_enabled"] == false)
        #expect(put("timezone", "Europe/Paris").json["sound_enabled"] == true)
        #expect(put("timezone", "Mars/Base").status == 400)
        #expect(put("enabled_object_types", ["cat"]).status == 400)
        #expect(put("quiet_hours_enabled", true).status == 400)
        #expect(put("quiet_hours_start", "99:99").status == 200)
        #expect(post("/push/unsubscribe", ["endpoint": .text(endpoint)]).status == 204)
        #expect(post("/push/unsubscribe", ["endpoint": .text(endpoint)]).status == 404)
    }
}
