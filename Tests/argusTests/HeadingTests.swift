import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// The narrowest terminal on which a row is a line.
@Suite("Headings at 60 columns")
struct HeadingTests {
    private static let time = "2026-11-20T22:00:05Z"
    private static let uuid = "491718de-357e-4da8-8b43-5c8e74616796"

    /// Each list with the longest usual values of its columns.
    private static let lists: [(words: [String], target: String, body: String)] = [
        (
            ["sessions"], "/api/v1/auth/sessions",
            """
            [{"id":"\(uuid)","device_info":"Mobile Safari on iPhone","is_current":true,
              "ip_address":"192.168.100.100","created_at":"\(time)","last_active_at":"\(time)"}]
            """
        ),
        (
            ["keys"], "/api/v1/api-keys",
            """
            [{"id":"\(uuid)","name":"nightly backup","scopes":["read:events","read:cameras"],
              "is_active":true,"expires_at":"\(time)","last_used_at":"\(time)"}]
            """
        ),
        (
            ["devices"], "/api/v1/devices",
            """
            {"devices":[{"id":"\(uuid)","device_id":"0","name":"Ann's phone","platform":"android",
              "device_model":"Pixel 9 Pro XL","last_seen_at":"\(time)"}]}
            """
        ),
        (
            ["push", "subscriptions"], "/api/v1/push/subscriptions",
            """
            [{"id":"\(uuid)","endpoint":"https://push.example/send/secret-endpoint-1234",
              "user_agent":"Firefox on Linux","created_at":"\(time)","last_used_at":"\(time)"}]
            """
        ),
        (
            ["events", "-n1"], "/api/v1/events?limit=1&per_page=1",
            """
            {"events":[{"id":"\(uuid)","camera_id":"c","camera_name":"Front Door",
              "timestamp":"\(time)","smart_detection_type":"package",
              "description":"Two stacked boxes lie at the door."}],"has_more":false}
            """
        ),
        (
            ["pair", "pending"], "/api/v1/mobile/auth/pending",
            """
            {"pairings":[{"code":"376529","device_name":"argus on attic",
              "device_model":"linux-x86_64","platform":"android","created_at":"\(time)",
              "expires_at":"\(time)"}]}
            """
        ),
    ]

    @Test(
        "every heading is whole, of one server and of several", arguments: lists.indices,
        [["home"], ["home", "cabin"]])
    func headings(index: Int, servers: [String]) async throws {
        let test = try TestSystem()
        for name in servers { try await test.know(name, at: "https://\(name).example") }
        test.terminal = Terminal(isOutputTerminal: true, isErrorTerminal: true, width: 60)
        test.environment["NO_COLOR"] = "1"
        let (words, target, body) = Self.lists[index]
        for _ in servers { test.fake.stub(.get, target, body: body) }
        let choice = servers.count > 1 ? ["-s", "all"] : []
        #expect(await test.run(words + choice) == .done, "\(test.stderr)")
        let lines = test.stdout.split(separator: "\n")
        #expect(lines.count == servers.count + 1)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 60 }, "\(test.stdout)")
        #expect(lines.first?.contains("…") == false, "\(test.stdout)")
    }
}
