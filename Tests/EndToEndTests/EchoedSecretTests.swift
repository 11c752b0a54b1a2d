import FoundationEssentials
import Testing

@testable import argus_demo

/// Servers that repeat every secret they know in all texts, header fields and errors: results carry
/// them, as they carry all data, and nothing that argus says does.
@Suite("secrets that servers send back", .waitsForPrograms)
struct EchoedSecretTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        try ToyHelper.install(in: home.path)
    }

    private var variables: [String: String] {
        [
            "PATH": "\(TemporaryHome.binaries):\(home.file("bin")):/usr/bin:/bin",
            "ARGUS_CREDENTIAL_STORE": "helper:toy",
        ]
    }

    /// The ways in which `argus-demo`'s fault writes a secret, each without what depends on its
    /// neighbours.
    static func forms(of secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        let base64 = (0..<3).map { count in
            let text = String(repeating: "x", count: count) + secret
            return String(Data(text.utf8).base64EncodedString().dropFirst(4).dropLast(4))
        }
        return [secret, bytes.map { "%" + hex($0) }.joined()] + base64
    }

    private func expectNothing(
        of secrets: [String], in bytes: [UInt8], _ what: String,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in secrets {
            for form in Self.forms(of: secret) where text.contains(form) {
                Issue.record(
                    "\(what): \(form.prefix(60)) in:\n\(text.prefix(3000))", sourceLocation: place)
                return
            }
        }
    }

    /// The tokens of the sign-in, out of the toy's vault.
    private func tokens() throws -> [String] {
        try home.files(in: "vault").flatMap { file in
            (home.text(of: "vault/\(file)") ?? "").matches(
                of: /(access_token|refresh_token|api_key)[\\": ]+([^"\\]{20,})/
            ).map { String($0.2) }
        }
    }

    private static let commands = [
        ["whoami"], ["events", "list", "-n", "3"], ["events", "list", "-n", "3", "--raw"],
        ["events", "show", "latest"], ["events", "stats"], ["events", "export", "--since", "1h"],
        ["events", "thumbnail", "latest", "--force"], ["cameras", "list"],
        ["cameras", "list", "--raw"],
        ["cameras", "snapshot", "--all", "-o", "pictures/", "--force"], ["devices", "list"],
        ["sessions", "list"], ["keys", "list"], ["push", "subscriptions"], ["push", "key"],
        ["push", "test"], ["push", "prefs"], ["pair", "pending"],
        ["api", "-i", "/nothing/here"],
    ]

    /// Runs the commands at several verbosities, and looks at all that came out.
    private func expectNothing(
        of secrets: [String], fromCommandsWith more: [String] = []
    ) throws {
        for words in Self.commands {
            let format = words.contains("--raw") ? ["--format", "ndjson"] : ["--json"]
            let styles =
                words[0] == "api"
                ? [[], ["-vvv", "--trace", "-"]]
                : [format, (words.contains("--raw") ? format : []) + ["-vvv", "--trace", "trace"]]
            for style in styles {
                let ran = try home.argus(
                    words + more + ["--retries", "0"] + style, variables: variables)
                expectNothing(of: secrets, in: ran.errors, "stderr of \(words) \(style)")
                #expect(ran.status != 2 && ran.status != nil, "\(words): \(ran.complaint)")
            }
        }
        let own = try home.files().filter {
            $0 == "trace" || $0.hasPrefix(".config/") || $0.hasSuffix("/servers.json")
        }
        #expect(own.count > 0)
        for file in own { expectNothing(of: secrets, in: home.bytes(of: file) ?? [], file) }
    }

    @Test(
        "none reaches stderr, a trace or the record of the server",
        arguments: ["current", "mobile", "documented"])
    func successes(api: String) throws {
        let server = try DemoServer(faults: ["route=/,echo"], api: api)
        let kind =
            server.token.isEmpty
            ? ["-u", "demo", "--password-stdin", "--remember"] : ["--token-stdin"]
        let secret = server.token.isEmpty ? DemoServer.password : server.token
        let login = try home.argus(
            ["login", server.url, "--name", "home", "-vvv", "--trace", "-"] + kind,
            variables: variables, input: .text(secret + "\n"))
        #expect(login.status == 0, "\(login.complaint)")
        let tokens = try tokens()
        #expect(!tokens.isEmpty)
        expectNothing(of: [secret] + tokens, in: login.errors, "login")
        #expect(login.complaint.contains("<redacted>"))
        // The password is remembered, but only a renewal gets it out of its store.
        try expectNothing(of: tokens)
        #expect(home.text(of: "trace")?.contains("x-secret: <redacted>") == true)
    }

    @Test(
        "none reaches them by an error",
        arguments: ["current", "mobile", "documented"], [400, 403, 404, 422, 429, 500])
    func errors(api: String, status: Int) throws {
        let server = try DemoServer(faults: ["route=/,echo,status=\(status)"], api: api)
        let password = "planted-Password-1"
        let login = try home.argus(
            ["login", server.url, "-u", "demo", "--password-stdin", "--trace", "-"],
            variables: variables, input: .text(password + "\n"))
        #expect(login.status != 0)
        expectNothing(of: [password], in: login.errors, "login")
        let token = "planted-token-abcdefghijklmnopqrstuvwxyz"
        let file = try home.write(token, to: "planted/token")
        try expectNothing(of: [token], fromCommandsWith: ["--token-file", file, "-s", server.url])
    }

    @Test("the reproduction of the report: a password inside an error's words")
    func report() throws {
        let fault =
            "route=/api/v1/auth/login,status=400,content-type=application/json,"
            + #"body={"detail":"bad password: hunter2-SECRET"}"#
        let server = try DemoServer(faults: [fault])
        for format in [[], ["--json"], ["-v"], ["--trace", "-"]] {
            let ran = try home.argus(
                ["login", server.url, "-u", "demo", "--password-stdin"] + format,
                input: .text("hunter2-SECRET\n"))
            #expect(ran.status == 10)
            #expect(!ran.complaint.contains("SECRET"))
            #expect(ran.complaint.contains("bad password: <redacted>"), "\(ran.complaint)")
        }
    }

    @Test("a word that is also a passphrase stays what it is in results, files and hooks")
    func words() throws {
        let server = try DemoServer()
        let file = try home.write("person\n", to: "passphrase")
        let sealed = ["--passphrase-file", file]
        let login = try home.argus(
            ["login", server.url, "-u", "demo", "--password-stdin"] + sealed,
            input: .text(DemoServer.password))
        #expect(login.status == 0, "\(login.complaint)")
        for words in [
            ["events", "list", "--all", "--format", "ndjson"],
            ["events", "list", "--all", "--format", "csv"], ["events", "export"],
            ["events", "list", "--all", "--raw", "--format", "ndjson"], ["api", "-i", "events"],
        ] {
            let ran = try home.argus(words + sealed)
            #expect(ran.status == 0 && ran.text.contains("person"), "\(words): \(ran.complaint)")
            #expect(!ran.text.contains("<redacted>"), "\(words)")
        }
        #expect(try home.argus(["events", "export", "-o", "out.csv"] + sealed).status == 0)
        #expect(home.text(of: "out.csv")?.contains("<redacted>") == false)
        #expect(try home.argus("archive", "init", home.file("archive")).status == 0)
        let archive = ["--archive", home.file("archive")]
        #expect(
            try home.argus(["archive", "sync", "--no-pictures"] + archive + sealed).status == 0)
        let list = try home.argus(["archive", "list", "--all", "--json"] + archive)
        #expect(list.text.contains("person") && !list.text.contains("<redacted>"))
        let refused = try home.argus(
            ["events", "show", "no-such-person-event", "--trace", "-"] + sealed)
        #expect(refused.complaint.contains("<redacted>"), "\(refused.complaint)")
        #expect(!refused.complaint.contains("person"), "\(refused.complaint)")
    }

    @Test("a new key is on stdout and nowhere else, whatever repeats it")
    func newKey() throws {
        let server = try DemoServer(faults: ["route=/api/v1/api-keys,echo"])
        try home.signIn(to: server)
        let made = try home.argus("keys", "create", "k", "-vvv", "--trace", "trace")
        let key = String(made.text.dropLast())
        #expect(key.hasPrefix("argus_") && made.status == 0)
        expectNothing(of: [key], in: made.errors, "stderr")
        expectNothing(of: [key], in: home.bytes(of: "trace") ?? [], "the trace")
    }

    @Test("a secret that is cut off in the middle leaves nothing of it")
    func cut() throws {
        for length in 288...301 {
            let detail = String(repeating: "x", count: length) + "hunter2-SECRET-and-more"
            let server = try DemoServer(faults: [
                #"route=/api/v1/auth/login,status=400,body={"detail":"\#(detail)"}"#
            ])
            let ran = try home.argus(
                ["login", server.url, "-u", "demo", "--password-stdin"],
                input: .text("hunter2-SECRET-and-more\n"))
            #expect(!ran.complaint.contains("hunter"), "\(ran.complaint)")
        }
    }

    @Test("what prints a secret on purpose goes on doing so")
    func onPurpose() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        let token = try home.argus("token").text.dropLast()
        #expect(token.utf8.count > 100 && !token.contains("redacted"))
        let key = try home.argus("keys", "create", "k", "--json").json["key"]?.string ?? ""
        #expect(key.hasPrefix("argus_"))
        let file = try home.write(key, to: "key")
        let made = try home.argus("api", "POST", "api-keys", "-f", "name=other").text
        #expect(made.contains("\"key\":\"argus_"), "\(made)")
        let verbatim = try home.argus("api", "events?search_query=\(key)", "--api-key-file", file)
        #expect(!verbatim.text.contains("<redacted>"))
        #expect(!made.contains("<redacted>"))
        let plain = try home.argus("keys", "create", "plain").text
        #expect(plain.hasPrefix("argus_"))
    }
}
