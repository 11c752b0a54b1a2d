import Testing

@testable import argus_demo

/// `argus api` and `argus doctor` against the demo.
struct APITests {
    private let home: Home

    init() throws {
        home = try Home()
    }

    @Test("bodies are printed as they came, of errors too, and the status is that of any command")
    func bodies() throws {
        let server = try DemoServer("--events", "3")
        try home.signIn(to: server)
        let cameras = try home.argus("api", "cameras")
        let curl = try home.bash(
            "argus token | sed 's/^/Authorization: Bearer /' | curl -sS -H @- \"$1/api/v1/cameras\"",
            arguments: [server.url])
        #expect(cameras.status == 0)
        #expect(cameras.text == curl.text)
        for (words, status) in [
            (["events/none"], 3), (["nonsense"], 14), (["DELETE", "cameras"], 14),
            (["POST", "events", "-F", "x=1"], 10), (["events?limit=0"], 10),
        ] {
            let ran = try home.argus(["api"] + words)
            #expect(ran.status == Int32(status), "\(words)")
            #expect(ran.text.hasPrefix("{\"detail\":"))
            #expect(ran.complaint.hasPrefix("argus: "))
        }
        let key = try home.argus(
            "api", "api-keys", "-f", "name=a", "-f", "scopes[]=read:events", "--json")
        #expect(key.status == 0, "\(key.complaint)")
        #expect(key.text.contains("\"scopes\":[\"read:events\"]"))
    }

    @Test("nothing is sent elsewhere, no header of ours can be replaced, and no secret is shown")
    func secrets() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let token = try home.argus("token").text.split(separator: "\n")[0]
        for words in [
            ["https://evil.example/x"], ["-H", "Authorization: x", "events"],
            ["-H", "cookie: a=b", "events"], ["-H", "X-API-KEY: k", "events"],
        ] {
            #expect(try home.argus(["api"] + words).status == 2, "\(words)")
        }
        let shown = try home.argus("api", "-i", "POST", "auth/logout", "-vv")
        #expect(shown.status == 0)
        #expect(!(shown.text + shown.complaint).contains(token))
        #expect(shown.text.hasPrefix("HTTP 200\n"))
    }

    @Test("a binary answer is refused by a terminal and written to a pipe")
    func binary() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let path = try home.bash("argus api events | jq -r '.events[0].thumbnail_path'").lines[0]
        let shown = try home.argusOnTerminal("api", "thumbnails/\(path)")
        #expect(shown.status == 2, "\(shown.text)")
        #expect(!shown.text.contains("JFIF"))
        #expect(try home.argus("api", "thumbnails/\(path)").status == 0)
    }

    @Test("all pages are one list", arguments: ["current", "documented"])
    func pages(api: String) throws {
        let server = try DemoServer("--events", "23", api: api)
        try home.signIn(to: server)
        let lines = try home.argus("api", "--paginate", "events?limit=5", "--format", "ndjson")
            .lines
        #expect(lines.count == 23)
        #expect(Set(lines).count == 23)
        let array = try home.bash("argus api --paginate 'events?limit=5' | jq length")
        #expect(array.text == "23\n")
    }

    @Test("doctor tells every check, with everything down too, and a timer's own")
    func doctor() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let well = try home.argus("doctor", "--format", "ndjson")
        #expect(well.status == 0, "\(well.complaint)")
        #expect(try home.argus("doctor", variables: ["ARGUS_FORMAT": "bad"]).status == 2)
        server.stop()
        let down = try home.argus("doctor", "--json")
        #expect(down.status == 6)
        #expect(down.complaint.contains("\"reason\":\"check_failed\""))
        let names = [
            "configuration", "folders", "server", "name", "connection", "identity", "clock",
            "health", "offers", "credentials", "sign-in", "discovery", "push", "terminal",
            "completions", "manual",
        ]
        for name in names {
            #expect(well.text.contains("\"check\":\"\(name)\""), "\(name)")
            #expect(down.text.contains("\"\(name)\""), "\(name)")
        }
        let timer = try home.argus("doctor", "--as-cron")
        #expect(timer.text.contains("terminal       there is none"))
        #expect(timer.status != 0)
        try home.write("colour = 1\n", to: ".config/argus/config.toml")
        let broken = try home.argus("doctor")
        #expect(broken.status == 2)
        #expect(broken.text.contains("config.toml:1:1: 'colour' is no setting"))
    }
}
