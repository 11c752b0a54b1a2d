import ArgusTestSupport
import ArgusTransport
import FoundationEssentials
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore

@Suite("argus sessions, keys and passwd")
struct SessionsAndKeysTests {
    private let test: TestSystem
    private static let sessions = "/api/v1/auth/sessions"
    private static let keys = "/api/v1/api-keys"
    private static let change = "/api/v1/auth/change-password"
    private static let rows = """
        [{"id":"s1aa","device_info":"Firefox","is_current":false},
         {"id":"s2bb","device_info":"argus","is_current":true},
         {"id":"s3cc","device_info":"Chrome","is_current":false}]
        """
    private static let unmarked = #"[{"id":"s1aa","is_current":false},{"id":"s2bb"}]"#
    private static let made = """
        {"id":"k1aa","name":"cron","key":"argus_0123456789abcdef0123456789abcdef",
         "prefix":"argus_01234567...","scopes":["read:events"],"expires_at":null,
         "rate_limit_per_minute":100,"created_at":"2026-11-21T12:00:00Z"}
        """

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stub(_ rows: String) { test.fake.stub(.get, Self.sessions, body: rows) }

    private func body() -> String? {
        test.fake.requests.last?.body.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("the sessions of a real server")
    func list() async throws {
        stub(try Samples.text("auth-sessions"))
        #expect(await test.run("sessions", "--format", "ndjson") == .done)
        #expect(
            test.stdout.split(separator: "\n").first == """
                {"id":"741663ae-ebe5-4b77-8db7-96ac022eca31","current":false,\
                "device":"Unknown Browser on Unknown OS","ip_address":"127.0.0.4",\
                "created_at":"2026-11-20T23:28:21.368304Z",\
                "last_active_at":"2026-11-20T23:28:22.623596Z"}
                """)
    }

    @Test("the current session is never ended, not even by its name")
    func current() async throws {
        stub(Self.rows)
        #expect(await test.run("sessions", "revoke", "s2bb", "--yes") == .usage)
        #expect(test.stderr.contains("argus logout"))
        stub(Self.rows)
        test.fake.stub(.delete, Self.sessions + "/s1aa", status: 204)
        test.fake.stub(.delete, Self.sessions + "/s3cc", status: 404)
        #expect(await test.run("sessions", "revoke", "--others", "--json") == .done)
        #expect(try test.printed().elements.compactMap { $0["id"]?.string } == ["s1aa", "s3cc"])
    }

    @Test("where no session is marked, nothing is ended unasked")
    func unmarked() async throws {
        for words in [["--others"], ["s1aa"]] {
            stub(Self.unmarked)
            #expect(await test.run(["sessions", "revoke"] + words) == .usage)
            #expect(test.stderr.contains("--yes"))
        }
        stub(Self.unmarked)
        test.fake.stub(.delete, Self.sessions + "/s1aa", status: 204)
        #expect(await test.run("sessions", "revoke", "s1aa", "--yes", "--json") == .done)
        // One operand is one object.
        #expect(try test.printed()["id"]?.string == "s1aa")
    }

    @Test("a pairing is no web session, so ending them all asks nothing")
    func paired() async throws {
        let other = try TestSystem()
        let session = StoredSession(kind: .mobile, accessToken: Redacted("t"), username: "ann")
        try await other.know(signedInWith: .session(session)) {
            $0.account = ServerAccount(kind: .pairing, username: "ann")
        }
        other.fake.stub(.get, Self.sessions, body: Self.unmarked)
        other.fake.stub(.delete, Self.sessions + "/s1aa", status: 204)
        other.fake.stub(.delete, Self.sessions + "/s2bb", status: 204)
        #expect(await other.run("sessions", "revoke", "--others") == .done)
    }

    @Test("of several sessions the failures are reported, the others are ended")
    func partial() async throws {
        stub(Self.rows)
        test.fake.stub(.delete, Self.sessions + "/s1aa", status: 204)
        #expect(await test.run("sessions", "revoke", "s1aa", "nope", "--json") == .partial)
        #expect(
            try test.errorObject()["items"]?.elements.first { _ in true }?["id"]?.string == "nope")
    }

    @Test("the keys of a real server, without any secret")
    func keyList() async throws {
        test.fake.stub(.get, Self.keys, body: try Samples.text("api-keys-list"))
        #expect(await test.run("keys", "--format", "ndjson") == .done)
        #expect(test.stdout.contains(#""prefix":"argus_"#))
        test.fake.stub(.get, Self.keys + "?include_revoked=true", body: "[]")
        #expect(await test.run("keys", "list", "--revoked") == .done)
    }

    @Test("a key is shown once: alone for a person, as a field for programs")
    func keyCreate() async throws {
        test.fake.stub(.post, Self.keys, status: 201, body: Self.made)
        #expect(await test.run("keys", "create", "cron", "--expires", "2d") == .done)
        #expect(test.stdout == "argus_0123456789abcdef0123456789abcdef\n")
        #expect(
            body() == """
                {"name":"cron","scopes":["read:events"],"expires_at":"2026-11-23T12:00:00.000000Z"}
                """)
        let other = try TestSystem()
        try await other.know()
        other.fake.stub(.post, Self.keys, status: 201, body: Self.made)
        #expect(await other.run("keys", "create", "cron", "--json") == .done)
        #expect(try other.printed()["key"]?.string?.hasPrefix("argus_0123") == true)
    }

    @Test(
        "a key that no request could carry is neither printed nor kept, and is revoked again",
        arguments: [#"\u001b]0;x\u0007"#, #"argus_\u202ex"#, "a b", #"a\nb"#, "clé", ""])
    func senselessKey(key: String) async throws {
        let made = #"{"id":"k1","name":"cron","key":"\#(key)"}"#
        for more in [[], ["--json"], ["--output-file", test.folder.file("key")]] {
            test.fake.stub(.post, Self.keys, status: 201, body: made)
            test.fake.stub(.delete, Self.keys + "/k1", body: #"{"message":"revoked"}"#)
            #expect(await test.run(["keys", "create", "cron"] + more) == .serverError)
        }
        #expect(test.stdout == "")
        #expect(test.stderr.contains("the key was revoked again"))
        #expect(test.stderr.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        #expect(try test.folder.names().allSatisfy { $0 != "key" })
    }

    @Test("a key goes to a new file that only its owner can read, and then to nothing else")
    func keyFile() async throws {
        test.fake.stub(.post, Self.keys, status: 201, body: Self.made)
        let path = test.folder.file("key")
        #expect(
            await test.run("keys", "create", "cron", "--output-file", path, "--json") == .done)
        #expect(!test.stdout.contains("argus_0123456789abcdef"))
        #expect(try test.printed()["path"]?.string == path)
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text == "argus_0123456789abcdef0123456789abcdef\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("fields without the key are refused, unless the key goes to a file")
    func keyFields() async throws {
        let words = ["keys", "create", "cron", "--json", "--fields", "id"]
        #expect(await test.run(words) == .usage)
        #expect(test.stderr.contains("--output-file"))
        #expect(test.fake.requests.isEmpty)
        test.fake.stub(.post, Self.keys, status: 201, body: Self.made)
        let path = test.folder.file("key")
        #expect(await test.run(words + ["--output-file", path]) == .done)
        test.fake.stub(.post, Self.keys, status: 201, body: Self.made)
        #expect(await test.run("keys", "create", "cron", "--json", "--fields", "id,key") == .done)
    }

    @Test("a file that exists, or a folder that does not, keeps a key from being made")
    func keyFileTaken() async throws {
        try Data("mine".utf8).write(to: URL(filePath: test.folder.file("key")))
        for name in ["key", "nowhere/key"] {
            let path = test.folder.file(name)
            #expect(await test.run("keys", "create", "cron", "--output-file", path) == .failed)
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a key is revoked by id, name or the prefix that is shown; again is no failure")
    func keyRevoke() async throws {
        let rows = """
            [{"id":"k1aa","name":"cron","prefix":"argus_01234567...","is_active":true},
             {"id":"k2bb","name":"cron","is_active":false,"revoked_at":"2026-11-20T00:00:00Z"}]
            """
        for word in ["k1aa", "CRON", "argus_01234567..."] {
            test.fake.stub(.get, Self.keys + "?include_revoked=true", body: rows)
            test.fake.stub(.delete, Self.keys + "/k1aa", body: "{}")
            #expect(await test.run("keys", "revoke", word) == .done)
        }
        test.fake.stub(.get, Self.keys + "?include_revoked=true", body: rows)
        test.fake.stub(.delete, Self.keys + "/k2bb", body: "{}")
        #expect(await test.run("keys", "revoke", "k2bb", "--json") == .done)
        #expect(try test.printed()["id"]?.string == "k2bb")
    }

    @Test(
        "bad words are refused before anything is sent",
        arguments: [
            ["keys", "create"], ["keys", "create", ""],
            ["keys", "create", String(repeating: "k", count: 256)],
            ["keys", "create", "a", "--scopes", "read:everything"],
            ["keys", "create", "a", "--scopes", "admin,,"],
            ["keys", "create", "a", "--expires", "soon"],
            ["keys", "create", "a", "--expires", "2020-01-01"],
            ["keys", "create", "a", "--rate-limit", "0"],
            ["keys", "create", "a", "--rate-limit", "10001"], ["keys", "revoke"],
            ["sessions", "revoke"], ["sessions", "revoke", "a", "--others"],
            ["passwd", "--no-input"], ["passwd", "extra"],
        ])
    func bad(words: [String]) async throws {
        #expect(await test.run(words) == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    private func password(_ text: String, _ name: String) throws -> String {
        let path = test.folder.file(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("the password is changed, the fate of other sessions reported, a kept one replaced")
    func passwd() async throws {
        let (old, new) = (try password("old-one-1\n", "old"), try password("new-one-2\n", "new"))
        test.fake.stub(.post, Self.change, body: #"{"message":"ok"}"#)
        #expect(
            await test.run("passwd", "--password-file", old, "--new-password-file", new) == .done)
        #expect(body() == #"{"current_password":"old-one-1","new_password":"new-one-2"}"#)
        #expect(test.stderr.contains("sessions in browsers end within a day"))
        #expect(test.stderr.contains("changed the password of 'ann' on 'home'"))
    }

    @Test("the server's judgement of a weak password is reported, and never the password")
    func weak() async throws {
        let (old, new) = (try password("old-one-1", "old"), try password("weakweak", "new"))
        test.fake.stub(
            .post, Self.change, status: 400,
            body: #"{"detail":"Password must contain an upper-case letter"}"#)
        #expect(
            await test.run("passwd", "--password-file", old, "--new-password-file", new)
                == .rejected)
        #expect(test.stderr.contains("Password must contain an upper-case letter"))
        #expect(!test.stderr.contains("weakweak"))
    }

    @Test("a new password that is short or the old one is refused here")
    func refusedHere() async throws {
        let old = try password("old-one-1", "old")
        for text in ["short-7", "old-one-1"] {
            let new = try password(text, "new")
            #expect(
                await test.run("passwd", "--password-file", old, "--new-password-file", new)
                    == .usage)
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a server without these routes is status 14, which names what it lacks")
    func unsupported() async throws {
        let absent = #"{"detail":"Not Found"}"#
        test.fake.stub(.get, Self.sessions, status: 404, body: absent)
        #expect(await test.run("sessions") == .unsupported)
        #expect(test.stderr.hasSuffix("'home' does not offer a list of web sessions\n"))
        test.fake.stub(.post, Self.keys, status: 404, body: absent)
        #expect(await test.run("keys", "create", "a") == .unsupported)
        #expect(test.stderr.hasSuffix("'home' does not offer making API keys\n"))
    }
}
