import ArgusPush
import ArgusTestSupport
import ArgusTransport
import FoundationEssentials
import Glibc
import Testing

@testable import argus
@testable import ArgusCore

@Suite("argus push")
struct PushTests {
    private let test: TestSystem
    private static let absent = #"{"detail":"Not Found"}"#
    static let devices = "/api/v1/devices"
    static let documented = "/api/v1/push/mobile/register"
    private static let mobile = "/api/v1/mobile/push/register"
    static let device = "550e8400-e29b-41d4-a716-446655440000"
    static let apns = String(repeating: "0a", count: 32)
    static let fcm = "dGVzdC10b2tlbg:APA91bH_-" + String(repeating: "x", count: 40)
    static let point =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    static let auth = "XRpmO3zxJ_wnG30AaMvyeg"
    static let endpoint = "https://push.example/send/secret-endpoint-1234"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func body(_ index: Int = -1) -> String? {
        let requests = test.fake.requests
        let request = index < 0 ? requests.last : requests[index]
        return request?.body.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func register(_ more: String..., token: String = apns) async -> ExitKind {
        await test.run(
            ["push", "register", "--push-token", token, "--device-id", Self.device, "--json"] + more
        )
    }

    @Test("what could not be stored is not registered, nor a place left of what was not used")
    func nowhere() async throws {
        let test = try TestSystem()
        let record = try await test.know(signedInWith: nil)
        test.environment["ARGUS_TOKEN"] = "token-1"
        test.environment["ARGUS_SERVER"] = "home"
        // A key file that others may read is refused, and no secret is sealed with it.
        let files = test.folder.file("state/credentials")
        try PrivateFolder.prepare(files)
        let key = String(repeating: "k", count: 32)
        try test.folder.plant(key, "state/credentials/key", mode: 0o644)
        let words = [
            "push", "register", "--push-token", Self.apns, "--device-id", Self.device,
            "--platform", "ios",
        ]
        test.fake.stub(.get, Self.devices, body: "[]")
        #expect(await test.run(words) == .failed)
        #expect(test.stderr.contains("'\(files)/key'"), "\(test.stderr)")
        #expect(chmod(files + "/key", 0o600) == 0)
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, Self.documented, status: 403, body: #"{"detail":"no"}"#)
        #expect(await test.run(words) == .forbidden)
        #expect(FolderNames.all(in: files).sorted() == ["key"])
        #expect(try await test.storedPush(of: record).isEmpty)
    }

    @Test("the documents' route gets every field; created, then unchanged, then updated")
    func documented() async throws {
        let answer = """
            {"id":"r1","device_id":"\(Self.device)","platform":"ipados","push_service":"apns",\
            "created_at":"2026-11-21T10:00:00Z","preferences_created":
            """
        let words = [
            "--platform", "iPadOS", "--sandbox", "--model", "iPad14,1", "--os-version", "18.0",
            "--app-version", "1.0", "--bundle-id", "com.argusai.app",
        ]
        for (isNew, token, result) in [
            ("true", Self.apns, "created"), ("false", Self.apns, "unchanged"),
            ("false", String(repeating: "ff", count: 32), "updated"),
        ] {
            test.fake.stub(.get, Self.devices, body: #"{"devices":[]}"#)
            test.fake.stub(.post, Self.documented, status: 201, body: answer + isNew + "}")
            let kind = await test.run(
                [
                    "push", "register", "--push-token", token, "--device-id", Self.device,
                    "--format", "ndjson", "--fields", "result",
                ] + words)
            #expect(kind == .done)
            #expect(test.stdout.hasSuffix("{\"result\":\"\(result)\"}\n"))
        }
        // What is not said again is not changed.
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, Self.documented, status: 201, body: answer + "false}")
        #expect(
            await register(
                "--platform", "ipados", "--sandbox", token: String(repeating: "ff", count: 32))
                == .done)
        #expect(test.stdout.contains(#""result": "unchanged""#))
        #expect(
            body(1) == """
                {"device_token":"\(Self.apns)","platform":"ipados","push_service":"apns",\
                "token_type":"sandbox","device_id":"\(Self.device)","device_model":"iPad14,1",\
                "os_version":"18.0","app_version":"1.0","app_bundle_id":"com.argusai.app"}
                """)
        #expect(test.stderr.isEmpty)
    }

    @Test(
        "today's server gets the name that it has, the platform it knows, and the loss is reported")
    func current() async throws {
        test.fake.stub(
            .get, Self.devices,
            body: """
                {"devices":[{"id":"row","device_id":"\(Self.device.uppercased())","name":"Ann's",
                "device_model":"iPad"}]}
                """)
        test.fake.stub(.post, Self.documented, status: 404, body: Self.absent)
        test.fake.stub(.post, Self.mobile, status: 404, body: Self.absent)
        test.fake.stub(
            .post, Self.devices, status: 201,
            body: #"{"id":"row","device_id":"x","platform":"ios","is_new":false}"#)
        #expect(await register("--platform", "tvos", "--sandbox", "--yes") == .done)
        #expect(
            body() == """
                {"device_id":"\(Self.device.uppercased())","platform":"ios","name":"Ann's",\
                "device_model":"iPad","push_token":"\(Self.apns)"}
                """)
        #expect(
            test.stderr == """
                'home' does not know 'tvos': it is registered as 'ios'
                'home' does not keep the token type

                """)
        #expect(try test.printed()["result"]?.string == "updated")
    }

    @Test("the mobile API gets token and id: 201 created, 200 updated; FCM it cannot")
    func mobile() async throws {
        for (status, result) in [(201, "created"), (200, "unchanged")] {
            let other = try TestSystem()
            try await other.know()
            for status in [201, status] where status == 201 || result != "created" {
                other.fake.stub(.get, Self.devices, status: 404, body: Self.absent)
                if other.fake.requests.isEmpty {
                    other.fake.stub(.post, Self.documented, status: 404, body: Self.absent)
                }
                other.fake.stub(
                    .post, Self.mobile, status: status,
                    body: #"{"id":"r","registered_at":"2026-11-21T10:00:00Z"}"#)
                #expect(
                    await other.run(
                        "push", "register", "--push-token", Self.apns, "--platform", "ios",
                        "--device-id", Self.device, "--format", "ndjson", "--fields", "result")
                        == .done)
            }
            #expect(other.stdout.hasSuffix("{\"result\":\"\(result)\"}\n"))
        }
        test.fake.stub(.get, Self.devices, status: 404, body: Self.absent)
        test.fake.stub(.post, Self.documented, status: 404, body: Self.absent)
        test.fake.stub(.post, Self.devices, status: 404, body: Self.absent)
        #expect(await register("--platform", "android", token: Self.fcm) == .unsupported)
        #expect(test.stderr.contains("'home' does not offer push tokens of FCM"))
    }

    @Test("this machine's own id and foreign devices are asked about")
    func asked() async throws {
        #expect(
            await test.run(
                "push", "register", "--push-token", Self.apns, "--platform", "ios") == .usage)
        #expect(test.stderr.contains("--yes"))
        #expect(test.fake.requests.isEmpty)
        let row = #"{"devices":[{"id":"row","device_id":"\#(Self.device)"}]}"#
        test.fake.stub(.get, Self.devices, body: row)
        #expect(await register("--platform", "ios") == .usage)
        #expect(await test.run("push", "unregister", "--device-id", Self.device) == .usage)
        #expect(
            await test.run(
                "push", "update", "--device-id", Self.device, "--push-token", Self.apns) == .usage)
        #expect(test.fake.requests.count == 1)
    }

    @Test("too many registrations are status 8")
    func rateLimited() async throws {
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, Self.documented, status: 429, body: #"{"error":"slow down"}"#)
        #expect(await register("--platform", "ios") == .rateLimited)
    }

    @Test("a token is no part of any output, trace or error")
    func secret() async throws {
        test.environment["ARGUS_TRACE"] = test.folder.file("trace")
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(
            .post, Self.documented, status: 422,
            body: #"{"detail":[{"loc":["body"],"msg":"bad","input":"\#(Self.apns)"}]}"#)
        #expect(await register("--platform", "ios", "-vv") == .rejected)
        #expect(!test.stderr.contains(Self.apns) && !test.stdout.contains(Self.apns))
    }

    @Test("a device with both services needs --service, and then it is said to the server")
    func bothServices() async throws {
        for (service, token) in [("apns", Self.apns), ("fcm", Self.fcm)] {
            test.fake.stub(.get, Self.devices, body: "[]")
            test.fake.stub(.post, Self.documented, status: 201, body: "{}")
            #expect(
                await register("--platform", "ios", "--service", service, token: token) == .done)
        }
        #expect(await test.run("push", "unregister") == .usage)
        #expect(test.stderr.contains("--service"))
        let tokens = "/api/v1/push/mobile/tokens/\(Self.device)"
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.put, tokens, body: #"{"device_token_updated":true}"#)
        #expect(
            await test.run("push", "update", "--service", "fcm", "--push-token", Self.fcm + "y")
                == .done)
        #expect(body() == #"{"device_token":"\#(Self.fcm)y","push_service":"fcm"}"#)
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.delete, tokens + "?push_service=apns", status: 204)
        #expect(await test.run("push", "unregister", "--service", "apns") == .done)
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.delete, tokens, status: 404, body: #"{"detail":"Token not found"}"#)
        #expect(await test.run("push", "unregister") == .done)
        #expect(test.stderr.hasSuffix("'home' has no push token of the device \(Self.device)\n"))
    }

    @Test("on today's server a token is replaced by the hardware id and cleared by the row id")
    func currentUpdate() async throws {
        let row = #"{"devices":[{"id":"row","device_id":"\#(Self.device)"}]}"#
        let tokens = "/api/v1/push/mobile/tokens/\(Self.device)"
        test.fake.stub(.get, Self.devices, body: row)
        test.fake.stub(.put, tokens, status: 404, body: Self.absent)
        test.fake.stub(.post, Self.mobile, status: 404, body: Self.absent)
        test.fake.stub(
            .put, Self.devices + "/\(Self.device)/token", body: #"{"success":true}"#)
        #expect(
            await test.run(
                "push", "update", "--device-id", Self.device, "--push-token", Self.apns, "--yes")
                == .done)
        #expect(body() == #"{"push_token":"\#(Self.apns)"}"#)
        test.fake.stub(.get, Self.devices, body: row)
        test.fake.stub(.delete, tokens, status: 404, body: Self.absent)
        test.fake.stub(.delete, "/api/v1/mobile/push/unregister", status: 404, body: Self.absent)
        test.fake.stub(.put, Self.devices + "/row", body: "{}")
        #expect(
            await test.run("push", "unregister", "--device-id", Self.device, "--yes") == .done)
        #expect(body() == #"{"push_token":""}"#)
        // A device that is revoked has no token that could be taken back.
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.delete, tokens, status: 404, body: Self.absent)
        test.fake.stub(.delete, "/api/v1/mobile/push/unregister", status: 404, body: Self.absent)
        #expect(
            await test.run("push", "unregister", "--device-id", Self.device, "--yes") == .done)
        #expect(test.stderr.hasSuffix("'home' has no push token of the device \(Self.device)\n"))
    }
}
