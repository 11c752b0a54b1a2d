import Testing

@testable import argus_demo

/// `argus api` against the demo.
@Suite(.waitsForPrograms)
struct APITests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
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

    @Test("stdin is read from where it stands, and a closed one sends nothing")
    func standardInput() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        try home.write("not this line\n{\"name\":\"rest\"}", to: "body")
        for words in ["--input -", "-f scopes[]=admin -F name=@-"] {
            let ran = try home.bash(
                "{ read -r _; argus api POST api-keys \(words) --format csv --fields name; } < body"
            )
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
            #expect(ran.lines.last?.contains("rest") == true)
            #expect(!ran.text.contains("not this line"))
        }
        let before = server.count("/api/v1/api-keys")
        for words in [["--input", "-"], ["-F", "name=@-"]] {
            let ran = try home.argus(["api", "POST", "api-keys"] + words, input: .closed)
            #expect(ran.status == 2, "\(ran.text)")
            #expect(ran.complaint.contains("cannot read 'standard input'"))
        }
        #expect(server.count("/api/v1/api-keys") == before)
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

    @Test("rows have the columns that were named, or those of the first page")
    func rows() throws {
        let server = try DemoServer("--events", "12")
        try home.signIn(to: server)
        let words = ["api", "--paginate", "events?limit=5", "--fields", "id,objects_detected"]
        let rows = try home.argus(words + ["--format", "csv"]).lines
        #expect(rows.count == 13)
        #expect(rows.first == "id,objects_detected")
        #expect(Set(rows).count == 13)
        #expect(try home.argus(words).lines.first?.hasPrefix("ID ") == true)
        #expect(try home.argus(words + ["--json"]).status == 2)
        let all = try home.argus("api", "cameras", "--format", "tsv", "--no-header").lines
        #expect(all.count == 6)
        #expect(all.allSatisfy { $0.split(separator: "\t").count > 10 })
        #expect(try home.argus("api", "api-keys", "--format", "csv").text.isEmpty)
    }

    @Test("a body of any size goes on as it comes, to a reader that takes its time too")
    func largeBodies() throws {
        let server = try DemoServer("--events", "40000")
        try home.signIn(to: server)
        let small = try home.argus("api", "cameras", output: .file(home.file("small")))
        let large = try home.argus(
            "api", "events/export?format=json", output: .file(home.file("large")))
        #expect(large.status == 0, "\(large.complaint)")
        let size = home.bytes(of: "large")?.count ?? 0
        #expect(size > 10_000_000)
        #expect(large.largestMemory - small.largestMemory < size / 2)
        let slow = try home.bash(
            "argus api 'events/export?format=json' | (sleep 1; wc -c); echo ${PIPESTATUS[0]}")
        #expect(slow.lines == ["\(size)", "0"], "\(slow.complaint)")
        let cut = try home.bash(
            "argus api 'events/export?format=json' | head -c 9; echo ${PIPESTATUS[0]}")
        #expect(cut.text.hasSuffix("\"0\n") || cut.text.hasSuffix("0\n"))
        #expect(cut.complaint.isEmpty)
    }
}
