import Testing

@testable import argus_demo

/// How each recorded answer is got from the demo.
enum DemoRecorded {
    typealias Ask = @Sendable (DemoFixture, String) throws -> DemoFixture.Reply

    /// Recorded answers of routes that the demo does not have.
    static let notServed: Set<String> = [
        // What a rule sends has a test of its own.
        "alert-rule-webhook-payload",
        "notifications", "summaries", "voice-query", "voice-help", "events-stats",
        "packages-today", "push-requirements", "tunnel-status", "error-403-role",
        "error-409-camera-name", "error-416-video",
    ]

    private static func get(_ target: String) -> Ask {
        { fixture, token in fixture.ask(.GET, target, token: token) }
    }

    private static func post(_ target: String, _ body: JSON = [:]) -> Ask {
        { fixture, token in fixture.ask(.POST, target, body, token: token) }
    }

    /// A request about an event for which a condition holds.
    private static func event(
        _ method: Method = .GET, _ rest: String = "", _ body: JSON? = nil,
        where condition: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) -> Ask {
        { fixture, token in
            let id = try #require(fixture.event(where: condition)).id.text
            return fixture.ask(method, "/api/v1/events/\(id)\(rest)", body, token: token)
        }
    }

    private static func camera(
        _ name: String, _ rest: String = "", _ method: Method = .GET
    ) -> Ask {
        { fixture, token in
            fixture.ask(
                method, "/api/v1/cameras/\(fixture.camera(name))\(rest)",
                method == .POST ? [:] : nil,
                token: token)
        }
    }

    private static let device: JSON = [
        "device_id": "cli-hw-0001", "platform": "web", "name": "kitchen box",
        "device_model": "Linux x86_64",
    ]

    private static let subscription: JSON = [
        "endpoint": "http://127.0.0.1:9777/push/argus-cli-1",
        "keys": ["p256dh": "BNcRd", "auth": "tBHI"],
    ]

    /// Asks for a code and returns it.
    private static func code(_ fixture: DemoFixture) throws -> String {
        let reply = try post(
            "/api/v1/mobile/auth/pair",
            [
                "device_id": "hw-1", "platform": "ios", "device_name": "argus CLI",
                "device_model": "linux-x86_64",
            ])(fixture, "")
        return try #require(reply.json["code"]?.string)
    }

    private static func status(confirming: Bool) -> Ask {
        { fixture, token in
            let code = try code(fixture)
            if confirming { _ = try post(confirm, ["code": .text(code)])(fixture, token) }
            return fixture.ask(.GET, "/api/v1/mobile/auth/status/\(code)")
        }
    }

    private static let confirm = "/api/v1/mobile/auth/confirm"
    private static let exchange = "/api/v1/mobile/auth/exchange"

    private static func exchanged(_ fixture: DemoFixture, _ token: String) throws
        -> DemoFixture.Reply
    {
        let code = try code(fixture)
        _ = try post(confirm, ["code": .text(code)])(fixture, token)
        return fixture.ask(.POST, exchange, ["code": .text(code)])
    }

    /// Sends a request to the device that is registered first.
    private static func registered(
        _ ask: @escaping @Sendable (DemoFixture, String, String) -> DemoFixture.Reply
    ) -> Ask {
        { fixture, token in
            let made = try post("/api/v1/devices", device)(fixture, token)
            return ask(fixture, token, try #require(made.json["id"]?.string))
        }
    }

    private static func subscribed(_ ask: @escaping Ask) -> Ask {
        { fixture, token in
            _ = try post("/api/v1/push/subscribe", subscription)(fixture, token)
            return try ask(fixture, token)
        }
    }

    private static func repeated(_ count: Int, _ ask: @escaping Ask) -> Ask {
        { fixture, token in
            for _ in 0..<count { _ = try ask(fixture, token) }
            return try ask(fixture, token)
        }
    }

    /// The request for each name; it gets a house and an access token.
    static let requests: [String: Ask] = authRequests.merging(mobileRequests) { $1 }
        .merging(eventRequests) { $1 }.merging(cameraRequests) { $1 }
        .merging(ruleRequests) { $1 }.merging(otherRequests) { $1 }

    private static let authRequests: [String: Ask] = [
        "login-response": { fixture, _ in fixture.login() },
        "login-response-must-change-password": { fixture, _ in fixture.login("newcomer") },
        "refresh-response": { fixture, _ in
            let token = try #require(fixture.login().json["refresh_token"])
            return fixture.ask(.POST, "/api/v1/auth/refresh", ["refresh_token": token])
        },
        "auth-sessions": { fixture, _ in
            let token = try #require(fixture.login().json["access_token"]?.string)
            return fixture.ask(.GET, "/api/v1/auth/sessions", token: token)
        },
        "error-401-invalid-credentials": { fixture, _ in fixture.login(password: "wrong") },
        "error-429-login": repeated(5) { fixture, _ in fixture.login() },
        "logout-response": post("/api/v1/auth/logout"),
        "auth-me": get("/api/v1/auth/me"),
        "setup-status": { fixture, _ in fixture.ask(.GET, "/api/v1/auth/setup-status") },
        "health": { fixture, _ in fixture.ask(.GET, "/health") },
        "health-root": { fixture, _ in fixture.ask(.GET, "/health") },
        "metrics": { fixture, _ in fixture.ask(.GET, "/metrics") },
        "system-storage": get("/api/v1/system/storage"),
        "system-retention": get("/api/v1/system/retention"),
        "ai-cost-status": get("/api/v1/system/ai-cost-status"),
        "ai-resilience": get("/api/v1/system/ai-resilience"),
        "root": { fixture, _ in fixture.ask(.GET, "/") },
        "error-401-not-authenticated": { fixture, _ in fixture.ask(.GET, "/api/v1/events") },
        "error-401-invalid-token": { fixture, _ in
            fixture.ask(.GET, "/api/v1/events", token: "nonsense")
        },
    ]

    private static let mobileRequests: [String: Ask] = [
        "mobile-pair": post(
            "/api/v1/mobile/auth/pair", ["device_id": "hw-1", "platform": "ios"]),
        "mobile-status-waiting": status(confirming: false),
        "mobile-status-confirmed": status(confirming: true),
        "mobile-status-expired-or-unknown": get("/api/v1/mobile/auth/status/000000"),
        "mobile-pending": { fixture, token in
            _ = try code(fixture)
            return fixture.ask(.GET, "/api/v1/mobile/auth/pending", token: token)
        },
        "mobile-confirm": { fixture, token in
            try post(confirm, ["code": .text(try code(fixture))])(fixture, token)
        },
        "error-404-pairing-confirm": post(confirm, ["code": "000000"]),
        "error-401-exchange-unconfirmed": { fixture, token in
            try post(exchange, ["code": .text(try code(fixture))])(fixture, token)
        },
        "mobile-exchange": exchanged,
        "error-500-mobile-refresh-sqlite": { fixture, token in
            let pair = try exchanged(fixture, token).json
            return fixture.ask(
                .POST, "/api/v1/mobile/auth/refresh",
                [
                    "refresh_token": pair["refresh_token"] ?? .null,
                    "device_id": pair["device_id"] ?? .null,
                ])
        },
        "mobile-revoke": { fixture, token in
            _ = try exchanged(fixture, token)
            return try post("/api/v1/mobile/auth/revoke", ["revoke_all": true])(fixture, token)
        },
        "error-429-pair": repeated(
            5, post("/api/v1/mobile/auth/pair", ["device_id": "hw-1", "platform": "ios"])),
    ]

    private static let eventRequests: [String: Ask] = [
        "events-page": get("/api/v1/events?limit=4"),
        "events-page-last": get("/api/v1/events?limit=4&offset=236"),
        "events-empty": get("/api/v1/events?camera_id=zzz"),
        "event-detail": event { $0.isDoorbellRing },
        "event-detail-correlated": event { $0.marks.contains(.correlated) },
        "event-detail-unknown-type": event { $0.kind == .licensePlate },
        "event-detail-with-feedback": { fixture, token in
            let feedback = event(.POST, "/feedback", ["rating": "helpful"])
            _ = try feedback(fixture, token)
            return try event()(fixture, token)
        },
        "event-frames": event(.GET, "/frames") { $0.marks.contains(.thumbnail) },
        "events-export-ndjson": get("/api/v1/events/export?format=json"),
        "events-export-csv": get("/api/v1/events/export?format=csv"),
        "error-404-event": get("/api/v1/events/00000000-0000-0000-0000-000000000000"),
        "error-404-route": get("/api/v1/mobile/events"),
        "error-405": { fixture, token in fixture.ask(.PUT, "/api/v1/events", [:], token: token) },
        "error-422-event-create": post(
            "/api/v1/events",
            [
                "camera_id": "x", "timestamp": "yesterday", "confidence": 101,
                "objects_detected": ["cat"],
            ]),
        "error-422-limit": get("/api/v1/events?limit=501"),
        "error-500-search": get("/api/v1/events?search_query=front-door"),
        "error-422-thumbnail-unsigned": event(.GET, "/thumbnail"),
        "error-403-thumbnail-signature": event(
            .GET, "/thumbnail?signature=abc&expires=9999999999"),
        "error-400-reanalyze": event(
            .POST, "/reanalyze", ["analysis_mode": "multi_frame"]
        ) { $0.source == .rtsp },
        "error-429-reanalyze": repeated(
            3,
            event(.POST, "/reanalyze", ["analysis_mode": "single_frame"]) {
                $0.marks.contains(.thumbnail)
            }),
        "error-409-feedback": repeated(1, event(.POST, "/feedback", ["rating": "helpful"])),
        "feedback": { fixture, token in
            _ = try event(.POST, "/feedback", ["rating": "helpful"])(fixture, token)
            return try event(.GET, "/feedback")(fixture, token)
        },
        "event-created": post(
            "/api/v1/events",
            [
                "camera_id": "nope", "timestamp": "2026-11-20T23:40:00.5Z", "confidence": 66,
                "description": "Sample of a created event.", "objects_detected": ["animal"],
            ]),
        "event-deleted-204": event(.DELETE),
    ]

    private static let cameraRequests: [String: Ask] = [
        "cameras-list": get("/api/v1/cameras"),
        "camera-detail-connected": camera("Garage"),
        "cameras-health": get("/api/v1/cameras/health"),
        "camera-preview": camera("Garage", "/preview"),
        "camera-stream-snapshot": camera("Driveway", "/stream/snapshot?quality=low"),
        "camera-stream-snapshot-failed": camera("Garage", "/stream/snapshot"),
        "camera-stream-info": camera("Driveway", "/stream/info"),
        "error-400-preview-disabled": camera("Back Garden", "/preview"),
        "error-422-camera-id": get("/api/v1/cameras/abc"),
        "camera-disable-capture": camera("Driveway", "/disable-capture", .POST),
        "error-400-reconnect-disabled": camera("Back Garden", "/reconnect", .POST),
    ]

    private static let rule: JSON = [
        "name": "fact check",
        "conditions": ["object_types": ["animal"], "min_confidence": 97],
        "actions": [
            "dashboard_notification": false,
            "webhook": [
                "url": "http://192.168.1.20:8765/x",
                "headers": ["Authorization": "Bearer hook-secret"],
            ],
        ],
        "cooldown_minutes": 0,
    ]

    /// A request about a rule that is made first.
    private static func ruled(
        _ method: Method, _ rest: String, _ body: JSON? = nil
    ) -> Ask {
        { fixture, token in
            let made = try post("/api/v1/alert-rules", rule)(fixture, token)
            let id = try #require(made.json["id"]?.string)
            return fixture.ask(method, "/api/v1/alert-rules/\(id)\(rest)", body, token: token)
        }
    }

    /// A request about an entity that is made first and linked with the newest event.
    private static func known(
        _ method: Method, _ rest: String = "", _ body: JSON? = nil
    ) -> Ask {
        { fixture, token in
            let made = try post("/api/v1/context/entities", mailCarrier)(fixture, token)
            let id = try #require(made.json["id"]?.string)
            let linked = event { _ in true }
            let event = try #require(linked(fixture, token).json["id"]?.string)
            let assigned = fixture.ask(
                .POST, "/api/v1/context/events/\(event)/entity", ["entity_id": .text(id)],
                token: token)
            if rest == "assigned" { return assigned }
            return fixture.ask(
                method, "/api/v1/context/entities/\(id)\(rest)", body, token: token)
        }
    }

    private static let mailCarrier: JSON = [
        "entity_type": "person", "name": "Mail Carrier", "notes": "weekdays",
    ]

    private static let ruleRequests: [String: Ask] = [
        "alert-rule-created": post("/api/v1/alert-rules", rule),
        "alert-rules": { fixture, token in
            _ = try post("/api/v1/alert-rules", ["name": "Person anywhere"])(fixture, token)
            return try get("/api/v1/alert-rules")(fixture, token)
        },
        "alert-rules-list-webhook": { fixture, token in
            _ = try post("/api/v1/alert-rules", rule)(fixture, token)
            return try get("/api/v1/alert-rules")(fixture, token)
        },
        "alert-rule-updated": ruled(.PUT, "", ["is_enabled": false]),
        "alert-rule-test": ruled(.POST, "/test", ["limit": 50]),
        "error-404-alert-rule": get("/api/v1/alert-rules/nope"),
        "error-422-alert-rule": post(
            "/api/v1/alert-rules", ["name": "x", "conditions": ["object_types": ["dragon"]]]),
        "entity-created": post("/api/v1/context/entities", mailCarrier),
        "entity-assigned": known(.GET, "assigned"),
        "entity-detail": known(.GET),
        "entity-updated": known(.PUT, "", ["is_vip": true]),
        "entity-events": known(.GET, "/events"),
        "entities-list": get("/api/v1/context/entities?limit=50"),
    ]

    private static let otherRequests: [String: Ask] = [
        "device-registered": post("/api/v1/devices", device),
        "devices-list": registered { fixture, token, _ in
            fixture.ask(.GET, "/api/v1/devices", token: token)
        },
        "device-renamed": registered { fixture, token, row in
            fixture.ask(.PUT, "/api/v1/devices/\(row)", ["name": "attic"], token: token)
        },
        "device-token-updated": registered { fixture, token, _ in
            fixture.ask(
                .PUT, "/api/v1/devices/cli-hw-0001/token", ["push_token": "x"], token: token)
        },
        "error-404-device": { fixture, token in
            fixture.ask(.DELETE, "/api/v1/devices/nope", token: token)
        },
        "push-vapid-public-key": get("/api/v1/push/vapid-public-key"),
        "push-subscribe": post("/api/v1/push/subscribe", subscription),
        "push-test-result": subscribed(post("/api/v1/push/test")),
        "push-subscriptions": subscribed(get("/api/v1/push/subscriptions")),
        "push-preferences": subscribed(post("/api/v1/push/preferences", subscription)),
        "error-400-push-endpoint": post(
            "/api/v1/push/subscribe", subscription.setting("endpoint", "apns://abc")),
        "api-key-created": post("/api/v1/api-keys", ["name": "sample"]),
        "api-keys-list": { fixture, token in
            _ = try post("/api/v1/api-keys", ["name": "sample"])(fixture, token)
            return fixture.ask(.GET, "/api/v1/api-keys", token: token)
        },
        "api-key-revoked": { fixture, token in
            let key = try post("/api/v1/api-keys", ["name": "sample"])(fixture, token).json
            let id = try #require(key["id"]?.string)
            return fixture.ask(.DELETE, "/api/v1/api-keys/\(id)", token: token)
        },
    ]
}
