import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// Receivers of Web Push: subscribing, ending it, trying it out.
@Suite("argus push subscriptions")
struct PushSubscriptionTests {
    private let test: TestSystem
    static let list = "/api/v1/push/subscriptions"
    static let made =
        #"{"id":"s1","endpoint":"x","created_at":"2026-11-21T10:00:00Z"}"#
    /// A command that subscribes.
    static let subscription = [
        "push", "subscribe", "--endpoint", PushTests.endpoint, "--p256dh", PushTests.point,
        "--auth", PushTests.auth + "==", "--format", "ndjson",
    ]

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func body() -> String? {
        test.fake.requests.last?.body.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func subscribe(_ more: String...) async -> ExitKind {
        await test.run(Self.subscription + more)
    }

    @Test("subscribing is created, then unchanged; keys go out unpadded; the endpoint stays hidden")
    func subscription() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await subscribe("--fields", "result") == .done)
        #expect(
            body() == """
                {"endpoint":"\(PushTests.endpoint)","keys":{"p256dh":"\(PushTests.point)",\
                "auth":"\(PushTests.auth)"}}
                """)
        let rows =
            #"{"subscriptions":[{"id":"s0"},{"id":"s1","endpoint":"\#(PushTests.endpoint)"}]}"#
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

    @Test("with a token and no record nothing is kept, which is told where something was to keep")
    func withoutRecord() async throws {
        test.environment["ARGUS_TOKEN"] = "token-2"
        let url = ["-s", "https://other.example"]
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: Self.made)
        #expect(await test.run(Self.subscription + url) == .done)
        #expect(test.stderr.contains("nothing of this is kept"), "\(test.stderr)")
        let other = try TestSystem()
        other.environment["ARGUS_TOKEN"] = "token-2"
        other.fake.stub(.delete, "/api/v1/push/subscribe", status: 204)
        let words = ["push", "unsubscribe", "--endpoint", PushTests.endpoint, "-y"]
        #expect(await other.run(words + url) == .done, "\(other.stderr)")
        #expect(!other.stderr.contains("nothing of this is kept"), "\(other.stderr)")
    }

    /// A list with the subscription of this machine and two others, whose endpoints are short and
    /// without their middle.
    private func stubThree() {
        test.fake.stub(
            .get, Self.list,
            body: """
                {"subscriptions":[{"id":"aaaa1111-1","endpoint":"\(PushTests.endpoint)"},
                {"id":"aaaa2222-2","endpoint":"https://push.example/short"},
                {"id":"bbbb3333-3","endpoint":"https://push.example/send/abcd...xxxxxxxxxxxxxxxxxxxx"}]}
                """)
    }

    @Test("the ids of the list name subscriptions, as wholes or by their start")
    func byID() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(
            .post, "/api/v1/push/subscribe", status: 201, body: #"{"id":"aaaa1111-1"}"#)
        #expect(await subscribe("-q") == .done)
        stubThree()
        let preview = ["push", "unsubscribe", "aaaa1", "--dry-run", "--format", "ndjson"]
        #expect(await test.run(preview + ["--fields", "id,mine,endpoint"]) == .done)
        let row = #"{"id":"aaaa1111-1","mine":true,"endpoint":"https://push.example/…1234"}"#
        #expect(test.stdout.hasSuffix(row + "\n"), "\(test.stdout)")
        for (word, endpoint) in [
            ("AAAA1", PushTests.endpoint), ("aaaa2222-2", "https://push.example/short"),
        ] {
            stubThree()
            test.fake.stub(.delete, "/api/v1/push/subscribe", status: 204)
            #expect(await test.run("push", "unsubscribe", word, "-y") == .done, "\(test.stderr)")
            #expect(body() == #"{"endpoint":"\#(endpoint)"}"#)
        }
        stubThree()
        test.fake.stub(
            .post, "/api/v1/push/preferences",
            body: #"{"timezone":"UTC","quiet_hours_enabled":false,"sound_enabled":true}"#)
        let words = ["push", "prefs", "show", "--subscription", "aaaa2", "--json", "--fields"]
        #expect(await test.run(words + ["endpoint"]) == .done, "\(test.stderr)")
        #expect(body() == #"{"endpoint":"https://push.example/short"}"#)
    }

    @Test("an id that names no endpoint is refused, with the reason")
    func unusableID() async throws {
        for (word, status, reason) in [
            ("aaaa", ExitKind.usage, "aaaa2222-2"),
            ("nope", .notFound, "'argus push subscriptions'"),
            ("bbbb", .unsupported, "only a part of the endpoint"),
        ] {
            stubThree()
            #expect(await test.run("push", "unsubscribe", word, "--yes") == status)
            #expect(test.stderr.contains(reason), "\(test.stderr)")
        }
        let both = ["push", "unsubscribe", "aaaa", "--endpoint", PushTests.endpoint]
        #expect(await test.run(both) == .usage)
        #expect(
            await test.run("push", "prefs", "--device", "x", "--subscription", "aaaa") == .usage)
    }

    @Test("apns:// is unsupported by a server that accepts URLs only")
    func apnsEndpoint() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        test.fake.stub(
            .post, "/api/v1/push/subscribe", status: 400,
            body: try Samples.text("error-400-push-endpoint"))
        #expect(
            await test.run(
                "push", "subscribe", "--endpoint", "apns://\(PushTests.apns)", "--p256dh",
                PushTests.point,
                "--auth", PushTests.auth) == .unsupported)
        #expect(test.stderr.contains("does not offer apns:// endpoints"))
    }

    @Test("a foreign subscription is ended only after a confirmation")
    func foreign() async throws {
        #expect(await test.run("push", "unsubscribe", "--endpoint", PushTests.endpoint) == .usage)
        #expect(test.fake.requests.isEmpty)
        test.fake.stub(.delete, "/api/v1/push/subscribe", status: 204)
        #expect(
            await test.run("push", "unsubscribe", "--endpoint", PushTests.endpoint, "--yes")
                == .done)
    }

    @Test("the test push reports the result for this machine's receiver, whatever that of others")
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

    @Test("without a subscription, the test names the one command that needs none")
    func testPushOfNone() async throws {
        test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
        #expect(await test.run("push", "test", "--json") == .notFound)
        #expect(
            try test.errorObject()["hint"]?.string?.contains("'argus push listen --test'") == true)
    }

    @Test("a test push of two own subscriptions names the one that was not reached")
    func testPushOfTwo() async throws {
        let other = "https://push.example/send/other-endpoint-5678"
        for (endpoint, made) in [
            (PushTests.endpoint, Self.made), (other, #"{"id":"s2","endpoint":"\#(other)"}"#),
        ] {
            test.fake.stub(.get, Self.list, body: #"{"subscriptions":[]}"#)
            test.fake.stub(.post, "/api/v1/push/subscribe", status: 201, body: made)
            #expect(
                await test.run(
                    "push", "subscribe", "--endpoint", endpoint, "--p256dh", PushTests.point,
                    "--auth", PushTests.auth) == .done)
        }
        test.fake.stub(
            .post, "/api/v1/push/test",
            body: """
                {"success":true,"results":[{"subscription_id":"s2","success":true},
                {"subscription_id":"s1","success":false,"error":"gone"}]}
                """)
        #expect(await test.run("push", "test", "--json", "--fields", "delivered") == .partial)
        #expect(try test.printed().elements.compactMap { $0["delivered"]?.bool } == [true, false])
        #expect(
            try test.errorObject()["message"]?.string
                == "the test push did not reach 1 of 2 subscriptions of this machine: "
                + "https://push.example/…1234: gone")
    }

    @Test("--raw shows no endpoint whole either, and what is said of others' receivers no path")
    func rawHidesEndpoints() async throws {
        let list = """
            {"subscriptions":[{"id":"s1","endpoint":"\(PushTests.endpoint)","n":1.50,"x":"a\\u0000"}]}
            """
        test.fake.stub(.get, "/api/v1/push/subscriptions", body: list)
        #expect(
            await test.run("push", "subscriptions", "--raw", "--format", "ndjson") == .done)
        #expect(
            test.stdout
                == #"{"id":"s1","endpoint":"https://push.example/…1234","n":1.50,"x":"a\u0000"}"#
                + "\n")
        let subscribe = [
            "push", "subscribe", "--endpoint", PushTests.endpoint, "--p256dh", PushTests.point,
            "--auth",
            PushTests.auth, "--raw", "--json",
        ]
        test.fake.stub(.get, "/api/v1/push/subscriptions", body: #"{"subscriptions":[]}"#)
        test.fake.stub(
            .post, "/api/v1/push/subscribe", status: 201,
            body: #"{"id":"s1","endpoint":"\#(PushTests.endpoint)"}"#)
        #expect(await test.run(subscribe) == .done)
        test.fake.stub(
            .post, "/api/v1/push/test",
            body: """
                {"success":true,"results":[\
                {"subscription_id":"s1","success":false,"error":"url: /send/secret-endpoint-1234"},\
                {"subscription_id":"s2","success":false,"error":"url: /send/of-somebody-else"}]}
                """)
        #expect(await test.run("push", "test", "--raw", "--json") == .failed)
        #expect(!test.stdout.contains("secret-endpoint") && !test.stdout.contains("somebody"))
        #expect(test.stdout.contains(#""error":"url: /…""#))
    }
}
