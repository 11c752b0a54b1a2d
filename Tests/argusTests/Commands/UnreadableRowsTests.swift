import ArgusCore
import ArgusTestSupport
import ArgusTransport
import FoundationEssentials
import Testing

@testable import argus

/// Lists with rows that are not what the list is of.
@Suite("rows that cannot be read")
struct UnreadableRowsTests {
    private let test: TestSystem

    init() async throws {
        test = try TestSystem()
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
        let other = good.replacing(#""a""#, with: #""b""#).replacing("123456", with: "654321")
        test.fake.stub(.get, path, body: "[\(good),\((bad + [other]).joined(separator: ","))]")
        #expect(await test.run(words) == .gap)
        let printed = test.stdout.split(separator: "\n")
        #expect(printed.count == 2)
        #expect(printed.last?.contains(/"(b|654321)"/) == true)
        #expect(test.stderr.contains("'home' sent 5 rows that are not valid "))
        test.fake.stub(.get, path, body: "[\(good)]")
        #expect(await test.run(words) == .done)
        test.fake.stub(.get, path, body: "[null]")
        #expect(await test.run(words) == .gap)
        #expect(test.stderr.contains("'home' sent a row that is not a valid "))
    }

    @Test("unreadable sessions are reported after the others were ended")
    func others() async throws {
        let path = "/api/v1/auth/sessions"
        test.fake.stub(.get, path, body: #"[{"id":"a"},{},{"id":"b","is_current":true}]"#)
        test.fake.stub(.delete, path + "/a", status: 204)
        #expect(await test.run("sessions", "revoke", "--others") == .gap)
    }

    @Test("sessions that could not be read hide none that did not end")
    func othersFail() async throws {
        let path = "/api/v1/auth/sessions"
        let list = #"[{"id":"a"},{},{"id":"b","is_current":true},{"id":"c"}]"#
        let words = ["sessions", "revoke", "--others"]
        test.fake.stub(.get, path, body: list)
        test.fake.stub(.delete, path + "/a", status: 204)
        test.fake.stub(.delete, path + "/c", status: 403)
        #expect(await test.run(words) == .gap)
        #expect(
            test.stderr.contains("argus: 1 of 2 failed, and 'home' sent a row that is not a valid ")
        )
        let refused = "\n  c: 'home' does not allow this account to end the session"
        #expect(test.stderr.contains(refused))
        test.fake.stub(.get, path, body: list)
        test.fake.stub(.delete, path + "/a", status: 403)
        test.fake.stub(.delete, path + "/c", status: 403)
        #expect(await test.run(words) == .forbidden)
        #expect(
            test.stderr.contains("argus: 2 of 2 failed, and 'home' sent a row that is not a valid ")
        )
    }

    @Test("an unreadable camera is reported after the snapshots of the others")
    func snapshots() async throws {
        test.fake.stub(.get, "/api/v1/cameras", body: #"[{"name":"x"}]"#)
        #expect(await test.run("cameras", "snapshot", "--all") == .gap)
    }

    @Test("cameras that could not be read hide no snapshot that failed")
    func snapshotsFail() async throws {
        let (good, failing) = (#"{"id":"c1","name":"Door"}"#, #"{"id":"c2","name":"Attic"}"#)
        let picture = Data(try Samples.bytes("thumbnail.jpg")).base64EncodedString()
        let path = "/api/v1/cameras"
        func run() async -> ExitKind {
            test.fake.stub(
                .get, path + "/c2/stream/snapshot?quality=medium",
                body: #"{"success":true,"image_base64":null,"error":"offline"}"#)
            test.fake.stub(.get, path + "/c2/preview", status: 400)
            return await test.run(
                "cameras", "snapshot", "--all", "-o", test.folder.file("out/"), "--json")
        }
        test.fake.stub(.get, path, body: #"[{"name":"x"},\#(good),\#(failing)]"#)
        test.fake.stub(
            .get, path + "/c1/stream/snapshot?quality=medium",
            body: #"{"success":true,"image_base64":"\#(picture)"}"#)
        #expect(await run() == .gap)
        let items = try #require(try test.errorObject()["items"]).elements.map { $0["id"]?.string }
        #expect(items == ["Attic"])
        // All that was tried failed: its status stays, and both are told.
        test.fake.stub(.get, path, body: #"[{"name":"x"},\#(failing)]"#)
        #expect(await run() == .serverError)
        let message = try #require(try test.errorObject()["message"]?.string)
        #expect(message.contains("offline"))
        #expect(message.hasSuffix(", and 'home' sent a row that is not a valid camera"))
    }

    @Test("frames that could not be read hide none that could not be fetched")
    func framesFail() async throws {
        let path = "/api/v1/events/8f85eda1-3922-436c-9153-a4cd5b4836f2"
        test.fake.stub(.get, path, body: try Samples.text("event-detail"))
        test.fake.stub(.get, path + "/frames", body: #"{"frames":[{},{"frame_number":1}]}"#)
        test.fake.stub(.get, path + "/frames/1", status: 404)
        let words = ["events", "frames", String(path.suffix(36)), "-o", test.folder.file("out/")]
        #expect(await test.run(words) == .notFound)
        #expect(test.stderr.contains("cannot fetch frame 1"))
        #expect(test.stderr.contains(", and 'home' sent a row that is not a valid frame"))
    }
}
