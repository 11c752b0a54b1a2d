import ArgusKit
import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus

@Suite("argus push")
struct PushTests {
    private let test: TestWorld
    private static let absent = #"{"detail":"Not Found"}"#
    private static let devices = "/api/v1/devices"
    private static let documented = "/api/v1/push/mobile/register"
    private static let mobile = "/api/v1/mobile/push/register"
    static let device = "550e8400-e29b-41d4-a716-446655440000"
    static let apns = String(repeating: "0a", count: 32)
    static let fcm = "dGVzdC10b2tlbg:APA91bH_-" + String(repeating: "x", count: 40)
    static let point =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    static let auth = "XRpmO3zxJ_wnG30AaMvyeg"
    static let endpoint = "https://push.example/send/secret-endpoint-1234"

    init() async throws {
        test = try TestWorld()
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

    @Test("today's server gets the name that it has, the platform it knows, and the loss is told")
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
            let other = try TestWorld()
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
    }

    @Test("on today's server a token is replaced by the hardware id and cleared by the row id")
    func currentUpdate() async throws {
        let row = #"{"devices":[{"id":"row","device_id":"\#(Self.device)"}]}"#
        let tokens = "/api/v1/push/mobile/tokens/\(Self.device)"
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
    }

    private func subscribe(_ more: String...) async -> ExitKind {
        await test.run(
            [
                "push", "subscribe", "--endpoint", Self.endpoint, "--p256dh", Self.point, "--auth",
                Self.auth + "==", "--format", "ndjson",
            ] + more)
    }

    private static let list = "/api/v1/push/subscriptions"
    private static let made =
        #"{"id":"s1","endpoint":"x","created_at":"2026-11-21T10:00:00Z"}"#

    @Test("subscribing is created, then unchanged; keys go out unpadded; the endpoint stays hidden")
    func subscription() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await subscribe("--fields", "result") == .done)
        #expect(
            body() == """
                {"endpoint":"\(Self.endpoint)","keys":{"p256dh":"\(Self.point)",\
                "auth":"\(Self.auth)"}}
                """)
        let rows = #"{"subscriptions":[{"id":"s0"},{"id":"s1","endpoint":"\#(Self.endpoint)"}]}"#
        test.fake.stub(.get, Self.list, body: rows)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await subscribe("--fields", "result") == .done)
        test.fake.stub(.get, Self.list, body: rows)
        #expect(
            await test.run(
                "push", "subscriptions", "--format", "ndjson", "--fields", "mine,endpoint") == .done
        )
        #expect(
            test.stdout == """
                {"result":"created"}
                {"result":"unchanged"}
                {"mine":false,"endpoint":null}
                {"mine":true,"endpoint":"https://push.example/…1234"}

                """)
        test.fake.stub(.delete, "/api/v1/push/subscribe", status: 405)
        test.fake.stub(.post, "/api/v1/push/unsubscribe", status: 204)
        #expect(await test.run("push", "unsubscribe") == .done)
        #expect(await test.run("push", "unsubscribe") == .notFound)
    }

    @Test("apns:// is told as what the server lacks, where it takes URLs only")
    func apnsEndpoint() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(
            .post, "/api/v1/push/subscribe", status: 400,
            body: try Samples.text("error-400-push-endpoint"))
        #expect(
            await test.run(
                "push", "subscribe", "--endpoint", "apns://\(Self.apns)", "--p256dh", Self.point,
                "--auth", Self.auth) == .unsupported)
        #expect(test.stderr.contains("does not offer apns:// endpoints"))
    }

    @Test("a foreign subscription is ended only when somebody is sure")
    func foreign() async throws {
        #expect(await test.run("push", "unsubscribe", "--endpoint", Self.endpoint) == .usage)
        #expect(test.fake.requests.isEmpty)
        test.fake.stub(.delete, "/api/v1/push/subscribe", status: 204)
        #expect(
            await test.run("push", "unsubscribe", "--endpoint", Self.endpoint, "--yes") == .done)
    }

    @Test("the test push tells what came of this machine's receiver, whatever came of others")
    func testPush() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await subscribe() == .done)
        test.fake.stub(
            .post, "/api/v1/push/test",
            body: """
                {"success":true,"results":[{"subscription_id":"s0","success":true},
                {"subscription_id":"s1","success":false,
                "error":"no answer from /send/secret-endpoint-1234 (410 Gone)"}]}
                """)
        #expect(await test.run("push", "test", "--json") == .failed)
        #expect(try test.errorObject()["reason"]?.string == "not_delivered")
        #expect(test.stderr.contains("no answer from /… (410 Gone)"))
        #expect(!test.stdout.contains("secret-endpoint"))
        #expect(test.fake.requests.last?.deadlines.firstByte == .seconds(60))
        test.fake.stub(
            .post, "/api/v1/push/test",
            body: #"{"success":true,"results":[{"subscription_id":"s0","success":true}]}"#)
        #expect(await test.run("push", "test", "--json") == .notFound)
        test.fake.stub(
            .post, "/api/v1/push/test",
            body: #"{"success":true,"results":[{"subscription_id":"s1","success":true}]}"#)
        #expect(await test.run("push", "test") == .done)
    }

    @Test("signing out takes back what was registered here, unless it is to be kept")
    func logout() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await subscribe() == .done)
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, Self.documented, status: 201, body: "{}")
        #expect(await register("--platform", "ios") == .done)
        test.fake.stub(.delete, "/api/v1/push/subscribe", status: 500)
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.delete, "/api/v1/push/mobile/tokens/\(Self.device)", status: 204)
        test.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await test.run("logout") == .done)
        #expect(test.stderr.contains("warning: the push subscription was not taken back"))
        #expect(test.stderr.contains("the push registration on 'home' was taken back"))
    }

    @Test("--keep-push leaves the registrations, and they are known after the next sign-in")
    func keepPush() async throws {
        test.fake.stub(.get, Self.devices, body: "[]")
        test.fake.stub(.post, Self.documented, status: 201, body: "{}")
        #expect(await register("--platform", "ios") == .done)
        test.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        #expect(await test.run("logout", "--keep-push") == .done)
        let record = try #require(try test.known().servers.first)
        #expect(try await test.credential(of: record) == nil)
        #expect(try await test.keptPush(of: record).registrations.count == 1)
    }
}
