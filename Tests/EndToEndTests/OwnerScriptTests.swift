import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// What an owner manages, against every generation of the API: one script passes unchanged, and
/// where a server cannot do a thing the status is 14 with a sentence.
@Suite(.waitsForPrograms)
struct OwnerScriptTests {
    static let generations = GenerationScriptTests.generations

    private static let device = [
        "id", "hardware_id", "name", "platform", "model", "last_seen_at", "paired", "inactive",
        "this_device", "created_at", "quiet_hours_enabled", "quiet_hours_start",
        "quiet_hours_end", "quiet_hours_timezone", "quiet_hours_override_critical", "gets_pushes",
    ]
    private static let registration = [
        "id", "device_id", "platform", "service", "token_type", "model", "os_version",
        "app_version", "bundle_id", "created_at", "updated_at", "last_used_at", "active",
        "failure_count", "last_failure_at", "last_failure_reason", "preferences_created", "result",
    ]
    private static let preferences = [
        "id", "device_id", "endpoint", "token_id", "cameras", "camera_names", "types",
        "quiet_hours_enabled",
        "quiet_hours_start", "quiet_hours_end", "quiet_hours_timezone",
        "quiet_hours_override_critical", "sound", "updated_at", "quiet_now", "changes_at",
        "summary",
    ]
    /// A change may wait in a queue.
    private static let queue = ["queued", "queue_id"]
    private static let subscription = [
        "id", "mine", "endpoint", "user_agent", "created_at", "last_used_at",
    ]
    private static let test = [
        "id", "delivered", "error", "endpoint", "subscriptions", "failures",
    ]
    private static let session = [
        "id", "current", "device", "ip_address", "created_at", "last_active_at",
    ]
    private static let account = GenerationScriptTests.account
    private static let key = [
        "id", "name", "prefix", "scopes", "active", "expires_at", "last_used_at", "usage_count",
        "rate_limit_per_minute", "created_at", "revoked_at",
    ]

    static let id = "550e8400-e29b-41d4-a716-446655440000"
    static let token = String(repeating: "0a", count: 32)
    static let endpoint = "http://127.0.0.1:9/push/secret-part-of-it"
    static let receiver = ["--endpoint", endpoint] + keys
    private static let keys = [
        "--p256dh",
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do",
        "--auth", "XRpmO3zxJ/wnG30AaMvyeg==",
    ]

    /// Stands for a device of the list: the one that was registered, where that makes one.
    private static let chosen = "DEVICE"
    /// Stands for the URL of a receiver that answers.
    private static let answering = "ENDPOINT"

    /// The verbs in the order of a life, and the fields that each prints.
    private static let script: [(words: [String], fields: [String])] = [
        (["push", "key"], ["public_key"]),
        (
            ["push", "register", "--push-token", token, "--platform", "ios", "--device-id", id],
            registration
        ),
        (["push", "update", "--push-token", token + "ff"], registration),
        (["push", "prefs"], preferences),
        (["push", "prefs", "set", "--quiet-hours", "22:00-07:00"], preferences + queue),
        (
            ["push", "prefs", "set", "--cameras", "Front Door", "--types", "person"],
            preferences + queue
        ),
        (["push", "subscribe", "--endpoint", answering] + keys, subscription + ["result"]),
        (["push", "subscriptions"], subscription),
        (["push", "test"], test),
        (
            ["push", "prefs", "set", "--endpoint", answering, "--yes", "--sound", "off"],
            preferences + queue
        ),
        (["push", "unsubscribe", "--endpoint", answering, "--yes"], subscription),
        (["devices", "list"], device),
        (["devices", "show", chosen], device),
        (["devices", "rename", chosen, "attic"], device + queue),
        (["devices", "preferences", "attic", "--quiet-hours", "22:00-07:00"], device),
        (["sessions", "list"], session),
        (["sessions", "revoke", "--others", "--yes"], session),
        (["keys", "create", "cron", "--output-file", "cron.key"], key + ["key", "path"]),
        (["keys", "list"], key),
        (["keys", "revoke", "cron"], key),
        (["push", "unregister"], registration),
        (["passwd", "--password-file", "old", "--new-password-file", "new"], account),
        (["passwd", "--password-file", "new", "--new-password-file", "old"], account),
        (["devices", "revoke", "attic", "--yes"], device),
    ]

    /// What the documents leave out; today's server lacks nothing but a device's other preferences.
    private static let lacks: [String: Set<String>] = [
        "current": ["push prefs set --cameras"],
        "documented": [
            "push subscriptions", "push test", "push unsubscribe", "devices preferences",
            "sessions list", "sessions revoke", "keys create", "keys list", "keys revoke",
        ],
        "mobile": [
            "push key", "push prefs", "push prefs set --quiet-hours", "push prefs set --cameras",
            "push subscribe", "push subscriptions", "push test", "push prefs set --endpoint",
            "push unsubscribe", "devices list", "devices show", "devices rename",
            "devices preferences", "devices revoke", "sessions list", "sessions revoke",
            "keys create", "keys list", "keys revoke", "passwd",
        ],
    ]

    /// The demos, and a server that the tester names.
    static let servers = generations + (real["URL"].map { _ in ["real"] } ?? [])

    private static let real = Dictionary(
        uniqueKeysWithValues: ["URL", "USER", "PASSWORD"].compactMap { name in
            ProcessInfo.processInfo.environment["ARGUS_REAL_" + name].map { (name, $0) }
        })

    /// Signs in, and leaves the password and another one in files.
    private func begin(on api: String, in home: TemporaryHome) throws {
        var password = DemoServer.password
        if api == "real" {
            password = Self.real["PASSWORD"] ?? ""
            let login = ["login", Self.real["URL"] ?? "", "-u", Self.real["USER"] ?? ""]
            let ran = try home.argus(login + ["--password-stdin"], input: .text(password))
            guard ran.status == 0 else { throw NotReady(reason: ran.complaint) }
        } else {
            let server = try DemoServer("--events", "5", api: api)
            try home.signIn(to: server)
            // The documents have no other way to a device.
            if api == "documented" {
                try TemporaryHome().argus("pair", server.url, "--code=\(server.pairingCode)")
            }
        }
        try home.write(password, to: "old")
        try home.write("Another-Passw0rd!", to: "new")
    }

    @Test("every verb prints its fields or says what the server lacks", arguments: servers)
    func everyVerb(api: String) async throws {
        try await LoopbackServer.serving { _ in
            [.answer("201 Created")]
        } _: { receiver in
            try everyVerb(api: api, "\(receiver.origin)/push/secret-part-of-it")
        }
    }

    private func everyVerb(api: String, _ endpoint: String) throws {
        let home = try TemporaryHome()
        try begin(on: api, in: home)
        let lacking = Self.lacks[api == "real" ? "current" : api] ?? []
        var device = Self.id
        for (words, fields) in Self.script {
            let words = words.map {
                $0 == Self.chosen ? device : $0 == Self.answering ? endpoint : $0
            }
            let ran = try home.argus(words + ["--json"])
            let line = words.joined(separator: " ")
            let isLacking = lacking.contains {
                line == $0 || line.hasPrefix($0 + " ") && $0 != "push prefs"
            }
            guard !isLacking else {
                #expect(ran.status == 14, "\(api) \(line): \(ran.complaint)")
                #expect(ran.error?["message"]?.string?.contains("does not offer") == true)
                continue
            }
            #expect(ran.status == 0, "\(api) \(line): \(ran.complaint)")
            let records = ran.json.elements ?? [ran.json]
            for record in records { #expect(record.names == fields) }
            if words == ["devices", "list"] {
                let own = records.first { $0["hardware_id"]?.string == Self.id } ?? records.first
                device = try #require(own?["id"]?.string)
            }
            for secret in [Self.token, "secret-part", "XRpmO3zx", "Another-Passw0rd"] {
                #expect(!ran.text.contains(secret) && !ran.complaint.contains(secret), "\(line)")
            }
        }
    }

    @Test("a device is renamed, silenced and revoked by its name, on both that know devices")
    func devices() throws {
        let server = try DemoServer("--events", "1")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        try home.argus(
            "push", "register", "--push-token", Self.token, "--platform", "ios",
            "--device-id", Self.id, "--device-name", "phone")
        let renamed = try home.argus("devices", "rename", "phone", "attic", "--json")
        #expect(renamed.json["name"] == "attic")
        // Registered once more without a name: it stays.
        try home.argus(
            "push", "register", "--push-token", Self.token, "--platform", "ios",
            "--device-id", Self.id)
        let quiet = try home.argus(
            "devices", "preferences", "attic", "--quiet-hours", "22:00-7:00", "--timezone",
            "Europe/Paris", "--json")
        #expect(quiet.json.names == Self.device)
        #expect(quiet.json["quiet_hours_end"] == "07:00")
        #expect(try home.argus("devices", "revoke", "attic").status == 0)
        #expect(try home.argus("devices", "show", "attic").status == 3)
    }

    @Test("a device with both services keeps both, and each is taken back by its name")
    func bothServices() throws {
        let server = try DemoServer("--events", "1", api: "documented")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        let fcm = "dGVzdC10b2tlbg:APA91bH_-" + String(repeating: "x", count: 40)
        for (service, token) in [("apns", Self.token), ("fcm", fcm)] {
            let made = try home.argus(
                "push", "register", "--push-token", "-", "--platform", "ios", "--service", service,
                "--device-id", Self.id, "--json", input: .text(token + "\n"))
            #expect(made.json["result"] == "created", "\(made.complaint)")
        }
        #expect(try home.argus("push", "unregister").status == 2)
        for service in ["fcm", "apns"] {
            #expect(try home.argus("push", "unregister", "--service", service).status == 0)
        }
        let again = try home.argus("push", "update", "--push-token", Self.token, "--yes")
        #expect(again.status == 3)
        #expect(again.complaint.contains("push register"))
    }

    @Test("signing out takes back what was registered here, and --keep-push does not")
    func logout() throws {
        for (words, count) in [(["logout", "--keep-push"], 1), (["logout"], 0)] {
            let server = try DemoServer("--events", "1")
            let home = try TemporaryHome()
            try home.signIn(to: server)
            let make = ["push", "subscribe", "--endpoint", Self.endpoint] + Self.keys
            #expect(try home.argus(make).status == 0)
            #expect(try home.argus(words).status == 0)
            try home.signIn(to: server)
            let left = try home.argus("push", "subscriptions", "--json").json.list
            #expect(left.count == count)
            #expect(left.allSatisfy { $0["mine"] == true })
        }
    }

    @Test("a machine that revokes its own pairing is signed out here too")
    func revokeThis() throws {
        let server = try DemoServer("--events", "1", api: "documented")
        let home = try TemporaryHome()
        let paired = try home.argus("pair", server.url, "--code=\(server.pairingCode)")
        #expect(paired.status == 0, "\(paired.complaint)")
        let own = try home.argus("devices", "--json").json.list.first { $0["this_device"] == true }
        let id = try #require(own?["id"]?.string)
        #expect(try home.argus("devices", "rename", id, "box", "--json").json["name"] == "box")
        #expect(try home.argus("devices", "revoke", "box").status == 2)
        #expect(try home.argus("devices", "revoke", "box", "--yes").status == 0)
        #expect(try home.argus("whoami").status == 4)
    }

    @Test(
        "two argus change different preferences at the same moment, and no change is lost silently")
    func twoAtOnce() throws {
        let wanted = ProcessInfo.processInfo.environment["ARGUS_TEST_PUSH_ROUNDS"].flatMap(Int.init)
        let server = try DemoServer("--events", "1")
        let homes = [try TemporaryHome(), try TemporaryHome()]
        for home in homes { try home.signIn(to: server) }
        let make = ["push", "subscribe", "--endpoint", Self.endpoint] + Self.keys
        for home in homes { #expect(try home.argus(make).status == 0) }
        var reported = 0
        for round in 0..<(wanted ?? 6) {
            // Half of the rounds from one home, which waits for itself, half from two that cannot.
            let pair = round % 2 == 0 ? [homes[0], homes[0]] : homes
            let sound = round % 4 < 2 ? "off" : "on"
            let type = ["person", "vehicle", "package", "animal"][round / 2 % 4]
            let set = ["push", "prefs", "set"]
            let running = [
                try pair[0].launch(set + ["--sound", sound]).start(),
                try pair[1].launch(set + ["--types", type]).start(),
            ]
            let ran = try running.map { try $0.finish() }
            let now = try homes[0].argus("push", "prefs", "--json").json
            let holds = [now["sound"] == .bool(sound == "on"), now["types"] == [.text(type)]]
            // A change that is not there was told by its own run, or as a doubt of the other one.
            let isDoubted = ran.contains { $0.complaint.contains("may be overwritten") }
            for (ran, holds) in zip(ran, holds) {
                #expect(ran.status == 0 || ran.status == 10, "\(ran.complaint)")
                #expect(holds || ran.status == 10 || isDoubted, "round \(round)")
                if ran.status == 10 { reported += 1 }
            }
            if round % 2 == 0 { #expect(ran.allSatisfy { $0.status == 0 }) }
        }
        #expect(reported <= (wanted ?? 6))
    }
}
