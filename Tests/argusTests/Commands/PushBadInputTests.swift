import ArgusCore
import ArgusTestSupport
import Testing

@testable import argus

/// What cannot be right is refused here: nothing is sent, and no secret is repeated.
@Suite("bad input of push commands")
struct PushBadInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var words: [String]
        var says: String
        var testDescription: String { "\(words.joined(separator: " ").prefix(90)): \(says)" }

        init(_ words: [String], _ says: String) {
            self.words = words
            self.says = says
        }
    }

    private static func register(
        token: String = PushTests.apns, _ more: String..., platform: String? = "ios",
        id: String = PushTests.device, says: String
    ) -> Case {
        Case(
            ["push", "register", "--push-token", token, "--device-id", id]
                + (platform.map { ["--platform", $0] } ?? []) + more, says)
    }

    private static func subscribe(
        endpoint: String = PushTests.endpoint, p256dh: String = PushTests.point,
        auth: String = PushTests.auth, says: String
    ) -> Case {
        Case(
            [
                "push", "subscribe", "--endpoint", endpoint, "--p256dh", p256dh, "--auth", auth,
            ], says)
    }

    private static let hex63 = String(repeating: "a", count: 63)
    private static let hex201 = String(repeating: "a", count: 201)
    private static let long101 = String(repeating: "m", count: 101)
    private static let long21 = String(repeating: "1", count: 21)

    static let ids = [
        "", "550e8400", "550e8400e29b41d4a716446655440000", "550e8400-e29b-41d4-a716-44665544000",
        "550e8400-e29b-41d4-a716-4466554400000", "550e8400-e29b-41d4-a716-44665544000g",
        "{550e8400-e29b-41d4-a716-446655440000}", "../../etc/passwd-0000-0000-0000",
        "５50e8400-e29b-41d4-a716-446655440000",
    ].map { register(id: $0, says: "is not a UUID") }

    static let platforms = ["", "windows", "web", "ios ", "iPhone", "mac"].map {
        register(platform: $0, says: "is not ios, ipados, watchos, tvos or android")
    }

    static let tokens = [
        register(token: hex63, says: "64 to 200 hex digits"),
        register(token: hex201, says: "64 to 200 hex digits"),
        register(token: String(repeating: "g", count: 64), says: "other than the hex digits"),
        register(token: PushTests.apns + " ", says: "other than the hex digits"),
        register(token: PushTests.fcm, says: "other than the hex digits"),
        register(token: "", says: "is empty"),
        register(token: "@", says: "is empty"),
        register(token: "@/nonexistent/token", says: "/nonexistent/token"),
        register(token: "short", platform: "android", says: "32 to 4096"),
        register(token: String(repeating: "a", count: 31), platform: "android", says: "32 to 4096"),
        register(
            token: String(repeating: "a", count: 4097), platform: "android", says: "32 to 4096"),
        register(token: PushTests.fcm + "/", platform: "android", says: "no FCM token has"),
        register(token: PushTests.fcm + "é", platform: "android", says: "no FCM token has"),
        register(token: PushTests.fcm + "\u{1b}", platform: "android", says: "no FCM token has"),
        register(
            token: PushTests.apns, "--service", "apns", platform: "android",
            says: "cannot be apns on android"),
        register("--service", "webpush", says: "is not apns or fcm"),
        register("--service", "APNS", says: "is not apns or fcm"),
        register(
            token: PushTests.fcm, "--service", "fcm", "--sandbox", says: "--sandbox is for APNs"),
        register(
            token: PushTests.fcm, "--sandbox", platform: "android", says: "--sandbox is for APNs"),
    ]

    static let texts = [
        register("--model", long101, says: "1 to 100 characters"),
        register("--model", "", says: "1 to 100 characters"),
        register("--model", "i\u{7}Phone", says: "control character"),
        register("--bundle-id", long101, says: "1 to 100 characters"),
        register("--bundle-id", "", says: "1 to 100 characters"),
        register("--device-name", long101, says: "1 to 100 characters"),
        register("--os-version", long21, says: "1 to 20 characters"),
        register("--os-version", "", says: "1 to 20 characters"),
        register("--app-version", long21, says: "1 to 20 characters"),
        register("--app-version", "1\n2", says: "control character"),
    ]

    static let missing = [
        register(platform: nil, says: "--platform is missing"),
        Case(["push", "register", "--platform", "ios"], "--push-token is missing"),
        Case(["push", "update"], "--push-token is missing"),
        Case(["push", "update", "--push-token", hex63, "--service", "apns"], "64 to 200"),
        Case(["push", "update", "--push-token", "a", "--service", "fcm"], "32 to 4096"),
        Case(["push", "update", "--push-token", "a", "--device-id", "x"], "is not a UUID"),
        Case(["push", "unregister", "--service", "gcm"], "is not apns or fcm"),
        Case(["push", "unregister", "--device-id", "x"], "is not a UUID"),
        Case(["push", "subscribe"], "--endpoint is missing"),
        Case(["push", "subscribe", "--endpoint", PushTests.endpoint], "--p256dh is missing"),
        Case(
            [
                "push", "subscribe", "--endpoint", PushTests.endpoint, "--p256dh", PushTests.point,
            ], "--auth is missing"),
        Case(
            [
                "push", "subscribe", "--endpoint", PushTests.endpoint, "--p256dh", PushTests.point,
                "--auth", PushTests.auth, "--auth-file", "f",
            ], "not both"),
    ]

    static let endpoints = [
        ("", "is empty"), ("push.example/x", "is not an https URL"),
        ("ftp://a/b", "is not an https URL"),
        ("https://", "no host"), ("https:///x", "no host"),
        ("https://ann:pw@push.example/x", "user name"),
        ("https://push.example/a b", "a space"), ("https://push.example/é", "non-ASCII"),
        ("https://push.example/x#y", "fragment"), ("http://push.example/x", "plain http"),
        ("http://8.8.8.8/x", "plain http"), ("apns://xyz", "hex digits"),
        ("apns://" + hex63, "64 to 200"), ("APNS://" + hex201, "64 to 200"),
        ("https://push.example/" + String(repeating: "x", count: 2048), "longer than 2048"),
    ].map { subscribe(endpoint: $0.0, says: $0.1) }

    static let keys = [
        subscribe(p256dh: "", says: "is not base64"),
        subscribe(p256dh: "!!!!", says: "is not base64"),
        subscribe(p256dh: PushTests.point + "==", says: "is not base64"),
        subscribe(p256dh: PushTests.point + "====", says: "is not base64"),
        subscribe(p256dh: String(PushTests.point.dropLast(4)), says: "65 bytes"),
        subscribe(p256dh: "A" + PushTests.point.dropFirst(), says: "65 bytes"),
        subscribe(
            p256dh: String(PushTests.point.dropLast()) + "k", says: "not a point on the curve"),
        subscribe(auth: "", says: "is not base64"),
        subscribe(auth: "AAAA AAAA", says: "is not base64"),
        subscribe(auth: "AAAAAAAAAAAAAAAAAAAA", says: "16 bytes"),
        subscribe(auth: PushTests.auth + "AA", says: "16 bytes"),
    ]

    static let all = ids + platforms + tokens + texts + missing + endpoints + keys

    @Test("there are enough of them")
    func count() { #expect(Self.all.count >= 60) }

    @Test("refused with its reason, nothing sent, no secret repeated", arguments: all)
    func refused(_ bad: Case) async throws {
        let test = try TestSystem()
        try await test.know()
        #expect(await test.run(bad.words + ["--json"]) == .usage)
        let message = try #require(try test.errorObject()["message"]?.string)
        #expect(message.contains(bad.says), "\(message)")
        #expect(test.fake.requests.isEmpty)
        for secret in [PushTests.apns, PushTests.fcm, PushTests.auth, "secret-endpoint"] {
            #expect(!test.stderr.contains(secret))
        }
    }
}
