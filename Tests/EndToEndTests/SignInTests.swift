import ArgusTestSupport
import Testing

@testable import argus_demo

/// Signing in, staying signed in, and signing out.
@Suite(.waitsForPrograms)
struct SignInTests {
    private let home: TemporaryHome
    private let server: DemoServer
    private let password: String

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer()
        password = try home.write(DemoServer.password + "\n", to: "password")
    }

    @Test("a password comes from a file or from stdin, less one line end")
    func passwordSources() throws {
        let words = ["login", server.url, "-u", "demo"]
        for end in ["", "\n", "\r\n"] {
            let ran = try home.argus(
                words + ["--password-stdin"], input: .text(DemoServer.password + end))
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        // A second line would be part of no password; nothing is sent.
        let lines = try home.argus(words + ["--password-stdin"], input: .text("one\ntwo\n"))
        #expect(lines.status == 2)
        #expect(try home.argus(words + ["--password-stdin"], input: .text("")).status == 2)
        #expect(try home.argus(words + ["--password-file", password]).status == 0)
        #expect(try home.argus(words + ["--password-file", "missing"]).status == 2)
        // One server, however often somebody signs in to it.
        #expect(try home.argus("server", "list", "--json").json.list.count == 1)
    }

    @Test("a token and a key are proved before they are kept")
    func tokenAndKey() throws {
        try home.signIn(to: server)
        let token = try home.argus("token").text
        let key = try home.makeKey(on: server)
        for (option, secret, kind) in [
            ("--token-stdin", token, "token"), ("--api-key-stdin", key, "api_key"),
        ] {
            let other = try TemporaryHome()
            #expect(
                try other.argus("login", server.url, option, input: .text("wrong")).status == 4)
            #expect(try other.argus("server", "list", "--json").json == [])
            let ran = try other.argus("login", server.url, option, input: .text(secret))
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(try other.argus("whoami", "--json").json["sign_in"]?.string == kind)
            #expect(try other.argus("events", "list").status == 0)
            let file = try other.write(secret, to: "secret")
            let asFile = option.replacing("-stdin", with: "-file")
            #expect(try other.argus("login", server.url, asFile, file).status == 0)
        }
        #expect(try home.argus("login", server.url, "--token-stdin", "-u", "demo").status == 2)
    }

    @Test("a temporary password is reported, and the role with it")
    func accounts() throws {
        let login = ["login", server.url, "--password-file", password, "-u"]
        let newcomer = try home.argus(login + ["newcomer"])
        #expect(newcomer.status == 0)
        #expect(newcomer.complaint.contains("must be changed"))
        #expect(try home.argus("whoami", "--json").json["must_change_password"]?.flag == true)
        #expect(try home.argus(login + ["viewer", "--name", "look"]).status == 0)
        let viewer = try home.argus("whoami", "-s", "look", "--json").json
        #expect(viewer["role"]?.string == "viewer")
    }

    @Test("a server without an account yet needs to be set up")
    func setUp() throws {
        let fresh = try DemoServer(
            faults: [#"route=/api/v1/auth/setup-status,body={"setup_complete":false}"#])
        let ran = try home.argus(
            "login", fresh.url, "-u", "demo", "--password-file", password, "--json")
        #expect(ran.status == 10)
        #expect(ran.error?["reason"]?.string == "setup_unfinished")
        #expect(fresh.count("/api/v1/auth/login") == 0)
    }

    @Test("a sign-in ends with its token, and a sign-out ends it at once")
    func ends() throws {
        let brief = try DemoServer("--token-ttl", "1", api: "documented")
        try home.signIn(to: brief)
        // The clock's whole seconds decide, so the token ends within a second or two; the documents'
        // servers give no refresh token.
        let ran = try home.bash(
            "until ! argus whoami 2>/dev/null >&2; do :; done; argus whoami --json; echo $?")
        #expect(ran.lines.last == "4")
        #expect(ran.error?["reason"]?.string == "renewal_broken")
        let out = try home.argus("logout")
        #expect(out.status == 0)
        #expect(try home.argus("whoami").status == 4)
        #expect(try home.argus("logout").status == 4)
        #expect(try home.argus("server", "list", "--json").json.list.count == 1)
    }

    @Test("signing out works while the server is gone, and forgets the secrets")
    func offlineLogout() throws {
        do {
            let gone = try DemoServer()
            let other = try TemporaryHome()
            let ran = try other.argus(
                "login", gone.url, "-u", "demo", "--password-file", password)
            #expect(ran.status == 0)
            #expect(try other.files().contains { $0.hasSuffix(".sealed") })
            gone.stop()
            let out = try other.argus("logout", "--retries", "0")
            #expect(out.status == 0)
            #expect(out.complaint.contains("was not ended: "))
            #expect(try !other.files().contains { $0.hasSuffix(".sealed") })
        }
    }

    @Test("plain http beyond this machine is refused before anything is sent")
    func plainHTTP() async throws {
        let token = ["ARGUS_TOKEN": "x.y.z"]
        // Addresses for documentation, where a connection would hang.
        for url in ["http://192.0.2.1:8000", "http://home.example", "http://[2001:db8::1]"] {
            for words in [
                ["login", url, "--password-file", password, "-u", "demo"],
                ["events", "list", "--server", url],
            ] {
                let ran = try home.argus(words, variables: words[0] == "events" ? token : [:])
                #expect(ran.status == 9, "\(words)")
                #expect(ran.complaint.contains("hint: "))
            }
        }
        // Where it was allowed the server is asked, and only a sign-in that works is kept.
        let allowed = try home.argus(
            "login", "http://nowhere.invalid", "--insecure-http", "--retries", "0", "-u", "demo",
            "--password-file", password)
        #expect(allowed.status == 6)
        #expect(try home.argus("server", "list", "--json").json == [])
    }

    @Test("several servers: names, the default, renaming and removing")
    func servers() throws {
        let second = try DemoServer("--events", "3")
        try home.signIn(to: server, "--name", "home")
        try home.signIn(to: second, "--name", "Nord")
        func names() throws -> [String?] {
            try home.argus("server", "--json").json.list.map { $0["name"]?.string }
        }
        #expect(try names() == ["home", "Nord"])
        #expect(try home.argus("events", "list", "--all", "--json").json.list.count == 240)
        let named = ["events", "list", "--all", "--json", "--server"]
        #expect(try home.argus(named + ["NORD"]).json.list.count == 3)
        #expect(try home.argus(named + [second.url]).json.list.count == 3)
        #expect(
            try home.argus(
                "events", "list", "--all", "--json", variables: ["ARGUS_SERVER": "Nord"]
            ).json.list.count == 3)
        #expect(try home.argus("server", "use", "Nord").status == 0)
        #expect(try home.argus("events", "list", "--all", "--json").json.list.count == 3)
        #expect(try home.argus("server", "rename", "home", "Nord").status == 2)
        #expect(try home.argus("server", "rename", "home", "cottage").status == 0)
        #expect(try names() == ["cottage", "Nord"])
        #expect(try home.argus("server", "remove", "Nord").status == 0)
        #expect(try names() == ["cottage"])
        #expect(try home.files().count { $0.hasSuffix(".sealed") } == 1)
        #expect(try home.argus("events", "list").status == 0)
    }
}
