import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Glibc
import Testing

@testable import argus

@Suite("argus notify send")
struct NotifySendTests {
    private let test: TestSystem
    private static let apns = String(repeating: "ab", count: 32)
    private static let endpoint = "https://push.example/send/planted"
    private static let p256dh =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"
    private static let auth = "cGxhbnRlZC1zZWNyZXQtMQ"
    private static let receiver = ["--endpoint", endpoint, "--p256dh", p256dh, "--auth", auth]

    init() throws {
        test = try TestSystem()
        try configure("mailto:ann@example.org")
    }

    private func configure(_ subject: String) throws {
        try test.folder.plant(
            "[push]\nvapid_subject = \"\(subject)\"\n", "config.toml", mode: 0o644)
    }

    private func run(_ words: String...) async -> ExitKind {
        let kind = await test.run(["notify", "send"] + words)
        for secret in [Self.apns, "/send/planted", Self.auth] {
            #expect(!(test.stdout + test.stderr).contains(secret), "\(words)")
        }
        return kind
    }

    private func send(_ words: String...) async -> ExitKind {
        let kind = await test.run(["notify", "send"] + Self.receiver + words)
        for secret in ["/send/planted", Self.auth] {
            #expect(!(test.stdout + test.stderr).contains(secret), "\(words)")
        }
        return kind
    }

    @Test("a push is sent and reported, for people and for programs")
    func sent() async throws {
        test.fake.stub(.post, "/send/planted", status: 201)
        #expect(await send("--title", "Hello") == .done)
        test.fake.stub(.post, "/send/planted", status: 201)
        #expect(test.stderr.contains("Web Push accepted the push to https://push.example/…nted"))
        #expect(
            await send("--silent", "--format", "ndjson", "--fields", "outcome,http_status")
                == .done)
        #expect(test.stdout == "{\"outcome\":\"silent\",\"http_status\":201}\n")
    }

    @Test(
        "the status says what to do",
        arguments: [
            (410, ExitKind.notFound), (404, .notFound), (403, .notSignedIn), (400, .serverError),
            (307, .rejected),
        ])
    func statuses(status: Int, kind: ExitKind) async throws {
        test.fake.stub(.post, "/send/planted", status: status)
        #expect(await send() == kind)
        #expect(test.stderr.contains("cannot push to https://push.example/…nted: push.example"))
    }

    @Test("--retries and --timeout bound the tries of a push")
    func bounds() async throws {
        test.fake.stub(.post, "/send/planted", status: 503)
        #expect(await send("--retries", "0", "--timeout", "90s") == .serverError)
        let deadlines = try #require(test.fake.requests.last).deadlines
        #expect(deadlines.firstByte == .seconds(90) && deadlines.total == .seconds(90))
        #expect(test.fake.requests.count == 1)
    }

    @Test("a push that was delivered is no failure, even if that cannot be recorded")
    func notRecorded() async throws {
        #expect(await test.run(["notify", "key", "show"]) == .done)
        let add = ["notify", "receivers", "add", "--device-name", "tablet"]
        #expect(await test.run(add + Self.receiver) == .done)
        test.fake.stub(.post, "/send/planted", status: 201)
        // A folder in place of the lock.
        let lock = test.folder.file("state/push-tokens.lock")
        try #require(unlink(lock) == 0 && mkdir(lock, 0o700) == 0)
        #expect(await run("--device", "tablet", "--json") == .done)
        #expect(test.stderr.contains("the result cannot be recorded for the receiver"))
    }

    @Test("a dry run prints the request without its secrets, and sends nothing")
    func dryRun() async throws {
        #expect(
            await send(
                "--dry-run", "--title", "Hi", "--data", "camera_id=c1", "--data", "x=1", "--format",
                "ndjson") == .done)
        let row = try JSONView.parse(Array(test.stdout.utf8))
        #expect(row["outcome"]?.isNull == true)
        #expect(row["url"]?.string == "https://push.example/<redacted>")
        #expect(row["headers"]?["ttl"]?.string == "86400")
        #expect(row["headers"]?["authorization"]?.string == "<redacted>")
        #expect(row["payload"]?["title"]?.string == "Hi")
        #expect(row["payload"]?["data"]?["camera_id"]?.string == "c1")
        #expect(row["payload"]?["data"]?["x"]?.string == "1")
        #expect(row["limit"]?.int == 3993)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a token of the registry is sent to by its device's name, and removed once it is dead")
    func registry() async throws {
        let added = await test.run(
            ["notify", "key", "show"])
        #expect(added == .done)
        #expect(
            await test.run(
                ["notify", "receivers", "add", "--device-name", "tablet"] + Self.receiver) == .done)
        test.fake.stub(.post, "/send/planted", status: 201)
        #expect(await run("--device", "tablet") == .done)
        test.fake.stub(.post, "/send/planted", status: 410)
        #expect(test.stderr.contains("the push to 'tablet'"))
        #expect(await run("--receiver", "tablet") == .notFound)
        #expect(await run("--receiver", "tablet") == .notFound)
        #expect(test.stderr.contains("there is no receiver 'tablet'"))
    }

    @Test("receivers are named one at a time, with all that they need")
    func usage() async throws {
        #expect(await run() == .usage)
        #expect(await run("--receiver", "a", "--device", "b") == .usage)
        #expect(await run("--endpoint", Self.endpoint) == .usage)
        #expect(await run("--device", "b", "--bundle-id", "x") == .usage)
        #expect(await run("--fcm-token", String(repeating: "f", count: 40), "--sandbox") == .usage)
        #expect(await send("--data", "x") == .usage)
        #expect(await send("--data", "timestamp=1") == .rejected)
    }

    @Test("a missing key names the setting, and a subject that is refused itself")
    func missing() async throws {
        #expect(
            await run("--apns-token", Self.apns, "--bundle-id", "com.example.app") == .notSignedIn)
        #expect(test.stderr.contains("push.apns_key_file is not set"))
        try configure("mailto:ann@localhost")
        #expect(await send() == .usage)
        #expect(test.stderr.contains("must not name localhost"))
        test.environment["ARGUS_FCM_URL"] = "https://fcm.example"
        #expect(await send() == .usage)
        #expect(test.stderr.contains("ARGUS_FCM_URL must be an address of this machine"))
    }

    @Test("a key that others may read, and a certificate in place of one, are refused")
    func keyFiles() async throws {
        let key = try test.folder.plant("x", "AuthKey.p8", mode: 0o644)
        test.environment["APNS_KEY_FILE"] = key
        test.environment["APNS_KEY_ID"] = "ABCDE12345"
        test.environment["APNS_TEAM_ID"] = "TEAM123456"
        let words = ["notify", "send", "--apns-token", Self.apns, "--bundle-id", "com.example.app"]
        #expect(await test.run(words) == .notSignedIn)
        #expect(test.stderr.contains("other users may read it"))
        _ = try test.folder.plant("x", "AuthKey.p8")
        #expect(await test.run(words) == .notSignedIn)
        #expect(
            test.stderr.contains("cannot use '\(key)': the APNs key is not a private key of P-256"))
        test.environment["APNS_KEY_FILE"] = key + ".p12"
        #expect(await test.run(words) == .notSignedIn)
        #expect(test.stderr.contains("is a certificate"))
        // A pipe would block the command until somebody writes to it.
        let pipe = test.folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        test.environment["APNS_KEY_FILE"] = pipe
        #expect(await test.run(words) == .notSignedIn)
        #expect(test.stderr.contains("cannot read '\(pipe)': it is not a regular file"))
    }
}
