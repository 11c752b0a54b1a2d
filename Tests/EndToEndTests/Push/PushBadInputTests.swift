import ArgusTestSupport
import Testing

@testable import argus_demo

/// Keys, settings, endpoints and payloads that cannot work: the right status, one clear sentence, and
/// nothing sent.
@Suite("bad input of notify send", .waitsForPrograms)
struct PushBadInputTests {
    private let fixture: NotifySendFixture

    init() throws { fixture = try NotifySendFixture() }

    private func check(
        _ ran: ProgramResult, _ status: Int32, _ words: String..., sends: Int = 0,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(ran.status == status, "\(ran.complaint)", sourceLocation: place)
        let message = ran.error?["message"]?.string ?? ""
        #expect(!message.isEmpty && !message.contains("\n"), sourceLocation: place)
        for word in words { #expect(ran.complaint.contains(word), sourceLocation: place) }
        #expect(fixture.services.received.count == sends, sourceLocation: place)
    }

    @Test("a .p8 that is none")
    func noKey() throws {
        let home = fixture.home
        let pkcs12 = try home.write("0\u{82}", to: "key.p12")
        for (text, name) in [
            ("", "empty.p8"), ("hello\n", "text.p8"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "broken.p8"),
            (fixture.services.text(of: "certificate.pem"), "certificate.p8"),
            (fixture.services.text(of: "service-account.json"), "json.p8"),
        ] {
            let path = try home.write(text, to: name)
            check(try fixture.send("apns", variables: ["APNS_KEY_FILE": path]), 4)
        }
        check(
            try fixture.send("apns", variables: ["APNS_KEY_FILE": "/nowhere/key.p8"]), 4, "key.p8")
        check(try fixture.send("apns", variables: ["APNS_KEY_FILE": pkcs12]), 4, "key.p12")
    }

    @Test("a key that others may read is not used")
    func openKey() throws {
        let text = fixture.services.text(of: "AuthKey_DEMOKEY001.p8")
        let path = try fixture.home.write(text, to: "open.p8", mode: 0o644)
        check(try fixture.send("apns", variables: ["APNS_KEY_FILE": path]), 4, "chmod 600")
    }

    @Test("a key of another team, or under another id")
    func foreignKey() throws {
        let foreign = "\(fixture.services.folder)/AuthKey_FOREIGNKEY.p8"
        check(
            try fixture.send("apns", variables: ["APNS_KEY_FILE": foreign]), 4,
            "InvalidProviderToken", sends: 1)
        check(
            try fixture.send("apns", variables: ["APNS_KEY_ID": "OTHERKEY01"]), 4,
            "InvalidProviderToken", sends: 2)
        check(
            try fixture.send(
                "apns",
                variables: [
                    "APNS_KEY_FILE": foreign, "APNS_KEY_ID": "FOREIGNKEY",
                    "APNS_TEAM_ID": "FOREIGNTEA",
                ]), 7, "TopicDisallowed", sends: 3)
    }

    @Test("a token of the other environment: the environment is named")
    func environment() throws {
        let sandbox = try NotifySendFixture(["--environment", "sandbox"])
        let token = sandbox.receiver("apns")
        check(try fixture.send(to: token), 10, "BadDeviceToken", "production", sends: 1)
    }

    @Test("a service account that is none, or of another project")
    func serviceAccounts() throws {
        let home = fixture.home
        let account = fixture.services.text(of: "service-account.json")
        for (text, name) in [
            ("", "empty.json"), ("{}", "nothing.json"), ("[1]", "list.json"),
            (account.replacing("PRIVATE KEY", with: "PUBLIC KEY"), "public.json"),
            (account.replacing("service_account", with: "authorized_user"), "user.json"),
        ] {
            let path = try home.write(text, to: name)
            check(
                try fixture.send("fcm", variables: ["GOOGLE_APPLICATION_CREDENTIALS": path]), 4)
        }
        let other = "\(fixture.services.folder)/another-project.json"
        let ran = try fixture.send("fcm", variables: ["GOOGLE_APPLICATION_CREDENTIALS": other])
        check(ran, 4, "argus-demo", sends: 2)
        #expect(ran.complaint.contains("PERMISSION_DENIED"))
    }

    @Test("a service account that names another token service gets nothing")
    func strangerTokenService() throws {
        let uri = "https:[^\"]*/token"
        let stranger = try fixture.home.bash(
            "sed -E 's#\(uri)#https://tokens.example.com/token#' \"$1\"",
            arguments: ["\(fixture.services.folder)/service-account.json"])
        #expect(stranger.text.contains("\"https://tokens.example.com/token\""))
        let path = try fixture.home.write(stranger.text, to: "stranger.json")
        check(try fixture.send("fcm", variables: ["GOOGLE_APPLICATION_CREDENTIALS": path]), 4)
    }

    @Test("the replacements of Apple and Google are of this machine")
    func farSimulators() throws {
        for (service, variable) in [("apns", "ARGUS_APNS_URL"), ("fcm", "ARGUS_FCM_URL")] {
            let ran = try fixture.send(service, variables: [variable: "https://example.com"])
            check(ran, 2, variable)
        }
    }

    @Test(
        "endpoints that argus must not reach",
        arguments: [
            "http://push.example.com/x", "http://localhost.example.com/x", "ftp://127.0.0.1/x",
            "file:///etc/passwd", "https://user:pass@push.example.com/x", "javascript:alert(1)", "",
        ])
    func endpoints(endpoint: String) throws {
        var receiver = fixture.receiver("webpush")
        receiver[1] = endpoint
        let ran = try fixture.send(to: receiver)
        #expect([2, 9, 10].contains(ran.status), "\(ran.complaint)")
        #expect(fixture.services.received.isEmpty && !ran.complaint.contains("pass@"))
    }

    @Test("keys of a receiver that are no keys")
    func receiverKeys() throws {
        let good = fixture.receiver("webpush")
        for (place, text) in [
            (3, "AAAA"), (5, "AAAA"), (3, good[5]), (5, good[3]), (3, "C" + good[3].dropFirst()),
        ] {
            var receiver = good
            receiver[place] = text
            let ran = try fixture.send(to: receiver)
            #expect([2, 10].contains(ran.status), "\(place) \(ran.complaint)")
        }
        #expect(fixture.services.received.isEmpty)
    }

    @Test(
        "a payload that is too long is shortened, at a whole letter",
        arguments: ["apns", "fcm", "webpush"])
    func longBody(service: String) throws {
        let body = String(repeating: "👩‍👩‍👧‍👧é", count: 2000)
        let ran = try fixture.send(service, "--title", "t", "--body", body)
        #expect(ran.status == 0, "\(ran.complaint)")
        let payload = try #require(fixture.services.received.last?["payload"])
        let text =
            [
                payload["aps"]?["alert"]?["body"], payload["message"]?["data"]?["body"],
                payload["body"],
            ].compactMap { $0?.string }.first ?? ""
        #expect(text.count > 50)
        // What remains are whole letters, and a sign that something is missing.
        let rest = text.filter { !["👩‍👩‍👧‍👧", "é"].contains($0) }
        #expect(rest.count <= 3 && text.hasPrefix("👩‍👩‍👧‍👧é"))
    }

    @Test("what cannot be shortened is refused", arguments: ["apns", "fcm", "webpush"])
    func tooLong(service: String) throws {
        let value = String(repeating: "x", count: 5000)
        check(try fixture.send(service, "--data", "big=\(value)"), 10)
    }

    @Test("members that the services reserve are refused", arguments: ["apns", "fcm"])
    func reservedMembers(service: String) throws {
        check(try fixture.send(service, "--data", service == "apns" ? "aps=x" : "from=x"), 10)
    }

    @Test(
        "hostile text arrives as it is, and is not printed", arguments: ["apns", "fcm", "webpush"])
    func hostileText(service: String) throws {
        let text = "\u{1B}[2J\"}],\\u0000{\u{202E}\u{FEFF}\n<script>"
        let ran = try fixture.send(service, "--title", text, "--body", text)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(!(ran.errors + ran.output).contains(0x1B))
        let record = try #require(fixture.received(service).last)
        #expect(record["complaint"] == .null)
        let payload = record["payload"]
        let parts =
            switch service {
            case "apns": payload?["aps"]?["alert"]
            case "fcm": payload?["message"]?["data"]
            default: payload
            }
        #expect(parts?["title"]?.string == text && parts?["body"]?.string == text)
    }
}
