import Testing

@testable import argus_demo

/// The two other generations of the API.
@Suite(.waitsForPrograms)
struct DemoGenerationTests {
    private let pairing: JSON = [
        "device_id": "550E8400-e29b-41d4-a716-446655440000", "device_name": "argus",
    ]

    @Test("mobile: pair, confirm, verify, and refresh with rotation")
    func mobilePairing() throws {
        let fixture = try DemoFixture(.mobile)
        let base = "/api/v1/mobile/auth"
        let made = fixture.ask(.POST, "\(base)/pair", pairing)
        #expect(made.status == 201)
        let code = try #require(made.json["pairing_code"])
        let verify = pairing.setting("pairing_code", code)
        #expect(fixture.ask(.POST, "\(base)/verify", verify).status == 401)
        let confirmed = fixture.ask(
            .POST, "\(base)/confirm", ["code": code], token: fixture.token())
        #expect(confirmed.status == 200)
        let tokens = fixture.ask(.POST, "\(base)/verify", verify).json
        #expect(tokens["token_type"] == "Bearer")
        #expect(tokens["expires_in"] == 3600)
        #expect(fixture.ask(.POST, "\(base)/verify", verify).status == 401)
        let old: JSON = ["refresh_token": try #require(tokens["refresh_token"])]
        let renewed = fixture.ask(.POST, "\(base)/refresh", old)
        #expect(renewed.status == 200)
        #expect(fixture.ask(.POST, "\(base)/refresh", old).status == 401)
        let access = try #require(renewed.json["access_token"]?.string)
        #expect(fixture.ask(.GET, "/api/v1/mobile/events", token: access).status == 200)
        fixture.now = fixture.now + 3600
        #expect(fixture.ask(.GET, "/api/v1/mobile/events", token: access).status == 401)
    }

    @Test("mobile: limits say when to come back, and bad input is a 400")
    func mobileLimits() throws {
        let fixture = try DemoFixture(.mobile)
        #expect(fixture.ask(.POST, "/api/v1/mobile/auth/pair", ["device_id": "x"]).status == 400)
        for _ in 0..<5 {
            #expect(fixture.ask(.POST, "/api/v1/mobile/auth/pair", pairing).status == 201)
        }
        let refused = fixture.ask(.POST, "/api/v1/mobile/auth/pair", pairing)
        #expect(refused.status == 429)
        #expect(refused.header("retry-after") == "60")
    }

    @Test("mobile: events, cameras and pictures as the file says")
    func mobileReading() throws {
        let fixture = try DemoFixture(.mobile)
        let token = fixture.token()
        func get(_ path: String) -> DemoFixture.Reply {
            fixture.ask(.GET, "/api/v1/mobile\(path)", token: token)
        }
        let page = get("/events").json
        #expect(page["events"]?.elements?.count == 20)
        #expect(page["total_count"] == 240)
        #expect(page["next_offset"] == 20)
        #expect(get("/events?offset=230").json["next_offset"] == nil)
        #expect(get("/events?limit=101").status == 400)
        #expect(get("/events?smart_detection_type=licensePlate").status == 400)
        let known: Set<String> = ["person", "vehicle", "package", "animal", "motion"]
        let kinds = get("/events?limit=100").json["events"]?.elements?.compactMap {
            $0["smart_detection_type"]?.string
        }
        #expect(Set(kinds ?? ["none"]).isSubset(of: known))
        let event = try #require(fixture.event { $0.marks.contains(.thumbnail) }).id.text
        #expect(get("/events/\(event)").json["id"]?.string == event)
        #expect(get("/events/\(event)/thumbnail").bytes.starts(with: [0xFF, 0xD8]))
        #expect(get("/events/nope").detail == "Event not found")
        let cameras = try #require(get("/cameras").json["cameras"]?.elements)
        #expect(cameras.map { $0["is_online"] } == [true, true, true, false, true, false])
        let picture = get("/cameras/\(fixture.camera("Garage"))/snapshot")
        #expect(picture.header("content-type") == "image/jpeg")
        #expect(get("/cameras/\(fixture.camera("Porch"))/snapshot").status == 503)
        #expect(get("/cameras/nope/snapshot").status == 404)
    }

    @Test("mobile: push tokens are registered, updated and removed")
    func mobilePush() throws {
        let fixture = try DemoFixture(.mobile)
        let token = fixture.token()
        let body = pairing.setting("device_token", .text(String(repeating: "ab", count: 32)))
        let path = "/api/v1/mobile/push"
        #expect(fixture.ask(.POST, "\(path)/register", body, token: token).status == 201)
        #expect(fixture.ask(.POST, "\(path)/register", body, token: token).status == 200)
        #expect(fixture.ask(.DELETE, "\(path)/unregister", token: token).status == 204)
        #expect(fixture.ask(.DELETE, "\(path)/unregister", token: token).status == 404)
    }

    @Test("no generation serves the routes of another")
    func routesAreApart() throws {
        for (api, path) in [
            (Generation.mobile, "/api/v1/events"), (.mobile, "/api/v1/cameras"),
            (.documented, "/api/v1/mobile/events"), (.documented, "/api/v1/cameras/health"),
            (.current, "/api/v1/mobile/cameras"), (.mobile, "/openapi.json"),
        ] {
            let fixture = try DemoFixture(api)
            let reply = fixture.ask(.GET, path, token: fixture.token())
            #expect(reply.status == 404, "\(path) of \(api)")
            #expect(reply.detail == "Not Found")
        }
    }

    @Test("documented: a login brings no refresh token, pages are numbered")
    func documentedReading() throws {
        let fixture = try DemoFixture(.documented)
        let login = fixture.login()
        #expect(login.status == 200)
        #expect(login.json["refresh_token"] == nil)
        #expect(login.header("set-cookie") == nil)
        let token = try #require(login.json["access_token"]?.string)
        func get(_ path: String) -> DemoFixture.Reply {
            fixture.ask(.GET, "/api/v1\(path)", token: token)
        }
        let user = get("/auth/me").json
        #expect(user["username"] == "demo" && user["role"] == nil)
        let page = get("/events?page=2&per_page=100").json
        #expect(page["events"]?.elements?.count == 100)
        #expect(
            page["pagination"] == ["page": 2, "per_page": 100, "total": 240, "has_next": true])
        #expect(get("/events?page=3&per_page=100").json["pagination"]?["has_next"] == false)
        let event = try #require(fixture.event { $0.marks.contains(.thumbnail) }).id.text
        #expect(get("/events/\(event)/thumbnail").bytes.starts(with: [0xFF, 0xD8]))
        #expect(fixture.ask(.GET, "/api/v1/events/\(event)/thumbnail").status == 401)
        let camera = fixture.camera("Driveway")
        #expect(get("/cameras/\(camera)/snapshot").bytes.starts(with: [0xFF, 0xD8]))
        #expect(get("/health").json["status"] == "healthy")
    }

    @Test("documented: a dashboard's code pairs a device, whose tokens renew by a header")
    func documentedPairing() throws {
        let fixture = try DemoFixture(.documented)
        let code = fixture.service.withState { $0.pairings.dashboardCode?.code }
        let body: JSON = ["code": JSON(code), "device_name": "argus"]
        let pair = fixture.ask(.POST, "/api/v1/devices/pair", body)
        #expect(pair.status == 200)
        #expect(fixture.ask(.POST, "/api/v1/devices/pair", body).status == 400)
        let access = try #require(pair.json["access_token"]?.string)
        let refresh = try #require(pair.json["refresh_token"]?.string)
        fixture.now = fixture.now + 90_000
        #expect(fixture.ask(.GET, "/api/v1/auth/me", token: access).status == 401)
        func renew() -> DemoFixture.Reply {
            fixture.ask(
                .POST, "/api/v1/auth/refresh", token: access,
                headers: [("x-refresh-token", refresh)])
        }
        let renewed = renew()
        #expect(renewed.json["expires_in"] == 86_400)
        #expect(renew().status == 401)
        let token = try #require(renewed.json["access_token"]?.string)
        let devices = fixture.ask(.GET, "/api/v1/devices", token: token).json
        let id = try #require(devices["devices"]?.elements?.first?["id"]?.string)
        let path = "/api/v1/devices/\(id)"
        let renamed = fixture.ask(.PUT, "\(path)/rename", ["name": "attic"], token: token)
        #expect(renamed.json["name"] == "attic")
        #expect(fixture.ask(.DELETE, path, token: token).status == 204)
        #expect(fixture.ask(.GET, path, token: token).status == 404)
    }

    @Test("documented: native push tokens have routes of their own")
    func documentedPush() throws {
        let fixture = try DemoFixture(.documented)
        let token = fixture.token()
        let device: JSON = [
            "device_token": "abc", "platform": "ios", "push_service": "apns", "device_id": "d-1",
        ]
        let path = "/api/v1/push/mobile"
        let made = fixture.ask(.POST, "\(path)/register", device, token: token)
        #expect(made.status == 201)
        #expect(made.json["preferences_created"] == true)
        let updated = fixture.ask(
            .PUT, "\(path)/tokens/d-1", ["device_token": "def"], token: token)
        #expect(updated.json["device_token_updated"] == true)
        let preferences: JSON = ["device_id": "d-1", "enabled_object_types": ["person"]]
        let set = fixture.ask(.PUT, "\(path)/preferences", preferences, token: token)
        #expect(set.json["enabled_object_types"] == ["person"])
        #expect(set.json["token_id"] == made.json["id"])
        #expect(fixture.ask(.DELETE, "\(path)/tokens/d-1", token: token).status == 204)
        #expect(fixture.ask(.DELETE, "\(path)/tokens/d-1", token: token).status == 404)
        let apns = fixture.ask(
            .POST, "/api/v1/push/subscribe",
            ["endpoint": "apns://abc", "keys": ["p256dh": "x", "auth": "y"]], token: token)
        #expect(apns.status == 201)
    }
}
