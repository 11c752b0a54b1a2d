import ArgusCore
import ArgusTestSupport
import Testing

@testable import argus

@Suite("argus notify receivers, key and prefs --token")
struct NotifyReceiversTests {
    private let test: TestSystem
    private static let apns = String(repeating: "ab", count: 32)
    private static let fcm = String(repeating: "f", count: 140)
    private static let endpoint = "https://push.example/send/planted"
    private static let p256dh =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    private static let auth = "cGxhbnRlZC1zZWNyZXQtMQ"

    init() throws { test = try TestSystem() }

    private func printed(_ words: String...) async throws -> (kind: ExitKind, text: String) {
        let other = try TestSystem(state: test.folder.file("state"))
        other.environment = test.environment
        let kind = await other.run(words)
        for secret in [Self.apns, Self.fcm, "/send/planted", Self.auth] {
            #expect(!(other.stdout + other.stderr).contains(secret), "\(words)")
        }
        return (kind, kind == .done ? other.stdout : other.stderr)
    }

    private func rows(_ fields: String) async throws -> [Substring] {
        let list = try await printed(
            "notify", "receivers", "list", "--format", "csv", "--no-header", "--fields", fields)
        #expect(list.kind == .done)
        return list.text.split(separator: "\n")
    }

    @Test("tokens of all services are added, listed without secrets, updated and removed")
    func life() async throws {
        #expect(
            try await printed(
                "notify", "receivers", "add", "--apns-token", Self.apns, "--device-id",
                "550e8400-e29b-41d4-a716-446655440000", "--device-name", "Ann's phone"
            ).kind == .done)
        #expect(
            try await printed("notify", "receivers", "add", "--fcm-token", Self.fcm, "--sandbox")
                .kind
                == .usage)
        #expect(
            try await printed(
                "notify", "receivers", "add", "--fcm-token", Self.fcm, "--device-name", "tablet"
            ).kind == .done)
        #expect(
            try await rows("device_name,service,platform,token_type,active,address")
                == ["Ann's phone,apns,ios,production,true,…abab", "tablet,fcm,android,,true,…ffff"])
        let updated = try await printed(
            "notify", "receivers", "add", "--apns-token", String(repeating: "cd", count: 32),
            "--device-id", "550e8400-e29b-41d4-a716-446655440000", "--sandbox", "--format",
            "ndjson",
            "--fields", "result,device_name,token_type")
        #expect(
            updated.text
                == "{\"result\":\"updated\",\"device_name\":\"Ann's phone\",\"token_type\":\"sandbox\"}\n"
        )
        #expect(try await printed("notify", "receivers", "remove", "tablet").kind == .usage)
        #expect(
            try await printed("notify", "receivers", "remove", "tablet", "--dry-run").kind == .done)
        #expect(
            try await printed("notify", "receivers", "remove", "tablet", "nobody", "--yes").kind
                == .partial)
        #expect(try await rows("device_name") == ["Ann's phone"])
        #expect(
            try await printed("notify", "receivers", "remove", "nobody", "--yes").kind == .notFound)
    }

    @Test("a subscription needs argus's own key, which is made once and can be replaced")
    func vapid() async throws {
        let add = [
            "notify", "receivers", "add", "--endpoint", Self.endpoint, "--p256dh", Self.p256dh,
            "--auth",
            Self.auth,
        ]
        let refused = try TestSystem(state: test.folder.file("state"))
        #expect(await refused.run(add) == .usage)
        #expect(refused.stderr.contains("argus notify key show"))
        let first = try await printed("notify", "key", "--format", "ndjson")
        #expect(first.kind == .done && first.text.hasPrefix(#"{"public_key":"B"#))
        #expect(try await printed("notify", "key", "show", "--format", "ndjson").text == first.text)
        let added = try TestSystem(state: test.folder.file("state"))
        #expect(await added.run(add) == .done)
        #expect(added.stderr.contains("only if it was made with the key"))
        #expect(
            try await rows("service,active,address") == ["webpush,true,https://push.example/…nted"])
        #expect(try await printed("notify", "key", "rotate").kind == .usage)
        let second = try await printed("notify", "key", "rotate", "--yes", "--format", "ndjson")
        #expect(second.kind == .done && second.text != first.text)
        #expect(
            try await rows("active,last_failure_reason") == ["false,the VAPID key was replaced"])
    }

    @Test("an import adds what it can and names the rest")
    func imports() async throws {
        let text = """
            {"service":"fcm","token":"\(Self.fcm)","device_name":"tablet","types":["person"]}
            {"service":"apns","token":"short"}
            """
        let path = try test.folder.plant(text, "tokens.ndjson")
        let result = try await printed("notify", "receivers", "import", path)
        #expect(result.kind == .partial)
        #expect(result.text.contains("record 2: the push token has characters"))
        #expect(try await rows("device_name,types") == ["tablet,person"])
        #expect(try await printed("notify", "receivers", "import", path).kind == .partial)
        #expect(try await rows("device_name").count == 1)
        let empty = try test.folder.plant("\n", "empty")
        #expect(try await printed("notify", "receivers", "import", empty).kind == .usage)
        #expect(try await printed("notify", "receivers", "import", "nowhere").kind == .failed)
    }

    @Test("the preferences of a receiver are set and shown without any server")
    func preferences() async throws {
        _ = try await printed(
            "notify", "receivers", "add", "--fcm-token", Self.fcm, "--device-name", "tablet")
        let set = try TestSystem(state: test.folder.file("state"))
        #expect(
            await set.run(
                "push", "prefs", "set", "--receiver", "tablet", "--types", "person,package",
                "--cameras", "none", "--quiet-hours", "22:00-07:00", "--sound", "off") == .done)
        #expect(
            set.stderr == """
                cameras: all -> none
                types: all -> person, package
                quiet hours: off -> 22:00-07:00 UTC
                sound: on -> off
                nothing comes through: no camera is chosen

                """)
        let shown = try await printed(
            "push", "prefs", "--receiver", "tablet", "--format", "ndjson", "--fields",
            "cameras,types,quiet_hours_start,sound,updated_at")
        #expect(
            shown.text == """
                {"cameras":[],"types":["person","package"],"quiet_hours_start":"22:00","sound":false,\
                "updated_at":"2026-11-21T12:00:00.000000Z"}

                """)
        #expect(
            try await printed("push", "prefs", "--receiver", "x", "--device", "y").kind == .usage)
        #expect(try await printed("push", "prefs", "--receiver", "nobody").kind == .notFound)
        #expect(
            try await printed(
                "push", "prefs", "set", "--receiver", "tablet", "--timezone", "No/Where"
            )
            .kind == .usage)
    }

    @Test("a cleanup asks nothing and removes nothing that is of use")
    func cleanup() async throws {
        _ = try await printed("notify", "receivers", "add", "--fcm-token", Self.fcm)
        #expect(try await printed("notify", "receivers", "cleanup", "--unused").kind == .done)
        #expect(try await rows("service") == ["fcm"])
    }

    @Test("a cleanup after a leap of the clock removes nothing, unless the clock is trusted")
    func cleanupAfterLeap() async throws {
        _ = try await printed("notify", "receivers", "add", "--fcm-token", Self.fcm)
        func cleanup(_ words: String...) async throws -> ExitKind {
            let other = try TestSystem(state: test.folder.file("state"))
            other.time = TestSystem.now + .seconds(365 * 86_400)
            let kind = await other.run(
                ["notify", "receivers", "cleanup", "--unused", "--json"] + words)
            if kind == .failed {
                let error = try other.errorObject()
                #expect(error["reason"]?.string == "clock")
                let message = error["message"]?.string ?? ""
                #expect(message.contains("2027-11-21 12:00:00 UTC"), "\(message)")
                #expect(message.contains("was at 2026-11-21 12:00:00 UTC"), "\(message)")
            }
            return kind
        }
        #expect(try await cleanup() == .failed)
        #expect(try await cleanup("--dry-run") == .done)
        #expect(try await rows("service") == ["fcm"])
        #expect(try await cleanup("--trust-clock") == .done)
        #expect(try await rows("service") == [])
        // Nothing to remove is nothing to doubt.
        #expect(try await cleanup() == .done)
    }
}
