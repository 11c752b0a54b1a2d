import ArgusKit
import ArgusTestSupport
import Testing

@testable import argus

/// Lists with rows that are not what the list is of.
@Suite("rows that cannot be read")
struct UnreadableRowsTests {
    private let test: TestWorld

    init() async throws {
        test = try TestWorld()
        try await test.know()
    }

    @Test(
        "the others are printed, and the status is 12",
        arguments: [
            ("cameras list", "/api/v1/cameras", #"{"id":"a","name":"x","is_online":true}"#),
            ("devices list", "/api/v1/devices", #"{"id":"a","name":"x"}"#),
            ("sessions list", "/api/v1/auth/sessions", #"{"id":"a"}"#),
            ("keys list", "/api/v1/api-keys", #"{"id":"a","name":"x"}"#),
            ("pair pending", "/api/v1/mobile/auth/pending", #"{"code":"123456"}"#),
            ("push subscriptions", "/api/v1/push/subscriptions", #"{"id":"a"}"#),
            ("events list", "/api/v1/events?limit=20&per_page=20", #"{"id":"a"}"#),
        ])
    func list(command: String, path: String, good: String) async throws {
        let words = command.split(separator: " ").map(String.init) + ["--format", "ndjson"]
        let bad = [#"{"name":"no id"}"#, "7", "null", #"{"id":7,"code":7}"#, "[]"]
        test.fake.stub(.get, path, body: "[\(good),\((bad + [good]).joined(separator: ","))]")
        #expect(await test.run(words) == .gap)
        #expect(test.stdout.split(separator: "\n").count >= 1)
        #expect(test.stderr.contains("'home' sent 5 rows that are no "))
        test.fake.stub(.get, path, body: "[\(good)]")
        #expect(await test.run(words) == .done)
        test.fake.stub(.get, path, body: "[null]")
        #expect(await test.run(words) == .gap)
        #expect(test.stderr.contains("'home' sent a row that is no "))
    }

    @Test("sessions that could not be read are told after the others were ended")
    func others() async throws {
        let path = "/api/v1/auth/sessions"
        test.fake.stub(.get, path, body: #"[{"id":"a"},{},{"id":"b","is_current":true}]"#)
        test.fake.stub(.delete, path + "/a", status: 204)
        #expect(await test.run("sessions", "revoke", "--others") == .gap)
    }

    @Test("a camera that could not be read is told after the snapshots of the others")
    func snapshots() async throws {
        test.fake.stub(.get, "/api/v1/cameras", body: #"[{"name":"x"}]"#)
        #expect(await test.run("cameras", "snapshot", "--all") == .gap)
    }
}
