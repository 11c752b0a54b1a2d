import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// `--dry-run` of every verb that deletes: what would go is printed, and only reading is sent.
@Suite("--dry-run")
struct DryRunTests {
    private let test: TestSystem
    private static let list = "/api/v1/events?limit=500&per_page=100"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func expectOnlyReading(_ note: String = "") {
        #expect(test.fake.requests.allSatisfy { $0.method == .get }, "\(note)")
        #expect(test.stderr.hasSuffix("dry run: nothing was changed\n"), "\(note)")
    }

    /// Checks that the end of one dry run was reported, and none of a later one that failed.
    private func expectOneEnd() {
        let ends = test.stderr.split(separator: "\n").filter { $0.hasPrefix("dry run: ") }
        #expect(ends.count == 1, "\(test.stderr)")
    }

    @Test("events that match are printed as a list, without a question")
    func events() async throws {
        test.fake.stub(
            .get, Self.list,
            body: #"{"events":[{"id":"e2","smart_detection_type":"person"},{"id":"e1"}]}"#)
        let words = ["--dry-run", "--format", "csv", "--fields", "id,type", "--no-header"]
        #expect(await test.run(["events", "delete", "--type", "person"] + words) == .done)
        #expect(test.stdout == "e2,person\n")
        expectOnlyReading()
        test.fake.stub(.get, "/api/v1/events/e1", body: #"{"id":"e1"}"#)
        #expect(await test.run(["events", "delete", "e1"] + words) == .done)
        #expect(test.stdout == "e2,person\ne1,motion\n")
        expectOnlyReading()
    }

    @Test("devices are printed, this one without a question; an unknown one is status 3")
    func devices() async throws {
        let own = test.system.device().id
        let body = """
            {"devices":[{"id":"r1","device_id":"\(own)","name":"This"},{"id":"r2","name":"That"}]}
            """
        test.fake.stub(.get, "/api/v1/devices", body: body)
        let words = ["devices", "revoke", "this", "that", "--dry-run", "--format", "ndjson"]
        #expect(await test.run(words + ["--fields", "name"]) == .done)
        #expect(test.stdout == "{\"name\":\"This\"}\n{\"name\":\"That\"}\n")
        expectOnlyReading()
        test.fake.stub(.get, "/api/v1/devices", body: body)
        #expect(await test.run("devices", "revoke", "nope", "--dry-run") == .notFound)
        expectOneEnd()
    }

    @Test("the session that argus uses would not end")
    func sessions() async throws {
        let body = #"{"sessions":[{"id":"s1","is_current":true},{"id":"s2"}]}"#
        test.fake.stub(.get, "/api/v1/auth/sessions", body: body)
        let words = ["--dry-run", "--format", "csv", "--fields", "id", "--no-header"]
        #expect(await test.run(["sessions", "revoke", "--others"] + words) == .done)
        #expect(test.stdout == "s2\n")
        expectOnlyReading()
        test.fake.stub(.get, "/api/v1/auth/sessions", body: body)
        #expect(await test.run(["sessions", "revoke", "s1"] + words) == .usage)
        expectOneEnd()
    }

    @Test("a key stays active, a server known")
    func keysAndServers() async throws {
        test.fake.stub(
            .get, "/api/v1/api-keys?include_revoked=true",
            body: #"[{"id":"k1","name":"cron","is_active":true}]"#)
        let fields = ["--dry-run", "--format", "ndjson", "--fields"]
        #expect(await test.run(["keys", "revoke", "cron"] + fields + ["name,active"]) == .done)
        #expect(test.stdout == "{\"name\":\"cron\",\"active\":true}\n")
        expectOnlyReading()
        let before = try test.folder.text("state/servers.json")
        #expect(await test.run(["server", "remove", "home"] + fields + ["name"]) == .done)
        #expect(try test.folder.text("state/servers.json") == before)
        expectOnlyReading()
    }

    @Test("a registration and a subscription stay")
    func pushes() async throws {
        let words = ["--dry-run", "--format", "ndjson", "--fields"]
        let device = ["--device-id", PushTests.device]
        #expect(await test.run(["push", "unregister"] + device + words + ["device_id"]) == .done)
        #expect(test.stdout == "{\"device_id\":\"\(PushTests.device)\"}\n")
        let endpoint = ["--endpoint", PushTests.endpoint]
        #expect(await test.run(["push", "unsubscribe"] + endpoint + words + ["mine"]) == .done)
        #expect(test.stdout.hasSuffix("{\"mine\":false}\n"))
        expectOnlyReading()
        #expect(test.fake.requests.isEmpty)
    }
}
