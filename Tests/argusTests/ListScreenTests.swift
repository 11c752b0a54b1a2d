import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("screens of lists")
struct ListScreenTests {
    private func expectScreen(
        _ name: String, width: Int, of words: [String], servers: [String] = ["home"],
        answers: [(target: String, body: String)]
    ) async throws {
        let test = try TestSystem.onScreen(width: width)
        for name in servers { try await test.know(name, at: "https://\(name).example") }
        for (target, body) in answers { test.fake.stub(.get, target, body: body) }
        #expect(await test.run(words) == .done, "\(test.stdout)")
        try test.expectScreen(name)
    }

    @Test("events list", arguments: Screen.widths)
    func events(width: Int) async throws {
        try await expectScreen(
            "events-list", width: width, of: ["events", "list"],
            answers: [("/api/v1/events?limit=20&per_page=20", Self.events)])
    }

    @Test("a terminal shows why an event of another type matches, a program its type")
    func otherTypes() async throws {
        let body = """
            {"events":[{"id":"8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001","camera_name":"Porch",
             "timestamp":"2026-11-21T10:07:41Z","smart_detection_type":"package",
             "objects_detected":["package","person"],"description":"A box."}]}
            """
        for (words, type) in [([], "package +person"), (["--format", "csv"], ",package,")] {
            let test = try TestSystem.onScreen(width: 80)
            try await test.know()
            test.fake.stub(.get, "/api/v1/events?limit=500&per_page=100", body: body)
            let kind = await test.run(["events", "list", "--type", "person,animal"] + words)
            #expect(kind == .done, "\(test.stderr)")
            #expect(test.stdout.contains(type), "\(test.stdout)")
        }
    }

    @Test("events list --wide", arguments: [80])
    func wideEvents(width: Int) async throws {
        try await expectScreen(
            "events-list-wide", width: width, of: ["events", "list", "--wide"],
            answers: [("/api/v1/events?limit=20&per_page=20", Self.events)])
    }

    @Test("events list of several servers", arguments: Screen.widths)
    func eventsOfSeveralServers(width: Int) async throws {
        let target = "/api/v1/events?limit=20&per_page=20"
        try await expectScreen(
            "events-list-servers", width: width, of: ["events", "list", "-s", "all"],
            servers: ["home", "cabin"], answers: [(target, Self.events), (target, Self.events)])
    }

    @Test("cameras list", arguments: Screen.widths)
    func cameras(width: Int) async throws {
        try await expectScreen(
            "cameras-list", width: width, of: ["cameras"],
            answers: [
                (
                    "/api/v1/cameras",
                    """
                    [{"id":"c1","name":"Front Door","is_enabled":true,"is_online":true,
                      "source_type":"protect"},
                     {"id":"c2","name":"前庭","is_enabled":true,"is_online":false,
                      "source_type":"rtsp"},
                     {"id":"c4","name":"Attic","is_enabled":false,"is_online":false,
                      "source_type":"usb"}]
                    """
                ), ("/api/v1/events?limit=100&per_page=100", Self.events),
            ])
    }

    @Test("devices", arguments: Screen.widths)
    func devices(width: Int) async throws {
        try await expectScreen(
            "devices-list", width: width, of: ["devices"],
            answers: [
                (
                    "/api/v1/devices",
                    """
                    {"devices":[
                    {"id":"11f0de9a-1","device_id":"0","name":"attic","platform":"android",
                     "device_model":"linux-x86_64","last_seen_at":"2026-11-21T10:40:00Z"},
                    {"id":"22f0de9a-2","device_id":"x","name":"Ann's phone","platform":"ios",
                     "device_model":"iPhone 17 Pro","last_seen_at":"2026-11-17T18:02:00Z"}]}
                    """
                )
            ])
    }

    @Test("sessions", arguments: Screen.widths)
    func sessions(width: Int) async throws {
        try await expectScreen(
            "sessions-list", width: width, of: ["sessions"],
            answers: [
                (
                    "/api/v1/auth/sessions",
                    """
                    [{"id":"11f0de9a-1","device_info":"Firefox on Linux","is_current":false,
                      "ip_address":"192.168.1.20","last_active_at":"2026-11-21T10:59:00Z"},
                     {"id":"22f0de9a-2","device_info":"Mobile Safari on iPhone",
                      "is_current":false,"ip_address":"192.168.100.100",
                      "last_active_at":"2026-11-20T06:12:00Z"}]
                    """
                )
            ])
    }

    @Test("keys", arguments: Screen.widths)
    func keys(width: Int) async throws {
        try await expectScreen(
            "keys-list", width: width, of: ["keys"],
            answers: [
                (
                    "/api/v1/api-keys",
                    """
                    [{"id":"11f0de9a-1","name":"nightly backup",
                      "scopes":["read:events","read:cameras"],"is_active":true,
                      "expires_at":"2027-11-21T10:59:00Z","last_used_at":"2026-11-21T02:30:00Z"},
                     {"id":"22f0de9a-2","name":"old","scopes":["read:events"],"is_active":false}]
                    """
                )
            ])
    }

    @Test("push subscriptions", arguments: Screen.widths)
    func subscriptions(width: Int) async throws {
        try await expectScreen(
            "push-subscriptions", width: width, of: ["push", "subscriptions"],
            answers: [
                (
                    "/api/v1/push/subscriptions",
                    """
                    [{"id":"11f0de9a-1","endpoint":"https://push.example/send/secret-1234",
                      "user_agent":"Firefox on Linux","created_at":"2026-11-02T10:00:00Z",
                      "last_used_at":"2026-11-21T10:07:00Z"}]
                    """
                )
            ])
    }

    @Test("pair pending", arguments: Screen.widths)
    func pending(width: Int) async throws {
        try await expectScreen(
            "pair-pending", width: width, of: ["pair", "pending"],
            answers: [
                (
                    "/api/v1/mobile/auth/pending",
                    """
                    {"pairings":[{"code":"376529","device_name":"argus on attic",
                      "device_model":"linux-x86_64","platform":"android",
                      "created_at":"2026-11-21T11:58:00Z","expires_at":"2026-11-21T12:03:00Z"}]}
                    """
                )
            ])
    }

    @Test("server list", arguments: Screen.widths)
    func servers(width: Int) async throws {
        try await expectScreen(
            "server-list", width: width, of: ["server", "list"], servers: ["home", "cabin"],
            answers: [])
    }

    static let events = """
        {"events":[
        {"id":"8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-21T10:07:41Z","smart_detection_type":"person","confidence":91,
         "description":"A person in a dark jacket looks towards the camera and leaves a letter.",
         "alert_triggered":true},
        {"id":"a03b12c4-0b4e-4f0c-9a57-6f1c0f6a0002","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-21T10:07:05Z","smart_detection_type":"ring","confidence":100,
         "description":"A visitor rang the doorbell.","is_doorbell_ring":true},
        {"id":"1c0f6a77-0b4e-4f0c-9a57-6f1c0f6a0003","camera_id":"c2","camera_name":"前庭",
         "timestamp":"2026-11-20T21:30:00Z","smart_detection_type":"animal","confidence":64,
         "description":"A cat crosses the lawn."},
        {"id":"2d0f6a77-0b4e-4f0c-9a57-6f1c0f6a0004","camera_id":"c3",
         "camera_name":"Driveway, north side","timestamp":"2026-11-18T17:30:12Z",
         "smart_detection_type":"vehicle","confidence":88,"alert_triggered":false,
         "description":"A white van stops; two people unload boxes and carry them to the garage."},
        {"id":"3e0f6a77-0b4e-4f0c-9a57-6f1c0f6a0005","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-12T07:15:00Z","smart_detection_type":"package","confidence":79,
         "description":"Two stacked boxes lie at the door."},
        {"id":"4f0f6a77-0b4e-4f0c-9a57-6f1c0f6a0006","camera_id":"c2",
         "timestamp":"2025-12-24T18:00:00Z"}],"total_count":238,"has_more":false}
        """
}
