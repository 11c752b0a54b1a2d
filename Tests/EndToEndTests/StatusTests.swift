import Testing

@testable import argus_demo

/// The exit statuses of the contract, and the words that come with them.
@Suite(.waitsForPrograms)
struct StatusTests {
    /// A home that is signed in to a demo with these faults.
    private func signedIn(_ faults: String..., api: String = "current") throws -> (
        home: TemporaryHome, server: DemoServer
    ) {
        let server = try DemoServer(faults: faults, api: api)
        let home = try TemporaryHome()
        try home.signIn(to: server)
        return (home, server)
    }

    /// Checks that a run ends so, with one clear line, and with the same in JSON.
    private func check(
        _ home: TemporaryHome, _ status: Int32, _ kind: String, _ words: [String],
        variables: [String: String] = [:], location: SourceLocation = #_sourceLocation
    ) throws {
        let plain = try home.argus(words, variables: variables)
        #expect(plain.status == status, "\(plain.complaint)", sourceLocation: location)
        let lines = plain.complaint.split(separator: "\n")
        #expect(lines.first?.hasPrefix("argus: ") == true, sourceLocation: location)
        #expect(lines.count <= 2, "\(plain.complaint)", sourceLocation: location)
        #expect(
            lines.dropFirst().allSatisfy { $0.hasPrefix("hint: ") }, sourceLocation: location)
        let scripted = try home.argus(
            words, variables: variables.merging(["ARGUS_ERRORS": "json"]) { $1 })
        #expect(scripted.status == status, sourceLocation: location)
        let error = try #require(scripted.error, sourceLocation: location)
        #expect(error["kind"]?.string == kind, sourceLocation: location)
        #expect(error["exit_code"]?.int == Int(status), sourceLocation: location)
        #expect(
            error["retryable"]?.flag == [6, 7, 8].contains(status), sourceLocation: location)
        #expect(
            error.names == [
                "kind", "reason", "exit_code", "message", "hint", "fields", "items", "retryable",
                "retry_after_seconds", "http_status", "request_id",
            ], sourceLocation: location)
        let message = try #require(error["message"]?.string, sourceLocation: location)
            .replacing("\u{1B}", with: "\\x1b")
        #expect(plain.complaint.hasPrefix("argus: \(message)\n"), sourceLocation: location)
    }

    @Test("2: invalid arguments, 3: no such thing, 9: plain http, 4: not signed in")
    func withoutServer() throws {
        let home = try TemporaryHome()
        for words in [
            ["events", "list", "--bogus"], ["evnts"], ["events", "lst"], ["events", "list", "-n"],
            ["events", "list", "-n", "0"], ["events", "list", "-n", "99999999999999999999"],
            ["events", "list", "-n", "many"], ["events", "list", "--since", "90"],
            ["events", "list", "--type", ""], ["events", "show"], ["cameras", "snapshot"],
            ["events", "list", "extra"], ["events", "list", "--raw"],
            ["events", "list", "--fields", "id,nonsense"],
            ["login", "ftp://home.example"], ["login", "http://"],
        ] {
            try check(home, 2, "usage", words)
        }
        try check(home, 3, "not_found", ["events", "list", "--server", "nowhere"])
        try check(home, 4, "not_signed_in", ["events", "list"])
        try check(home, 9, "identity", ["login", "http://192.0.2.1:8000", "--token-stdin"])
        // What is missing is named before the scheme is judged.
        try check(home, 2, "usage", ["login", "http://192.0.2.1:8000"])
    }

    @Test("3: an event or a camera that the server does not have, whatever its id looks like")
    func notFound() throws {
        let (home, _) = try signedIn()
        let long = String(repeating: "x", count: 4000)
        for id in ["../x", "a/b", "", "裏庭", "..", "a b", "?x=1", "#", "%2e%2e", "\u{1B}[2J", long] {
            try check(home, 3, "not_found", ["events", "show", "--", id])
            try check(home, 3, "not_found", ["cameras", "show", "--", id])
        }
        try check(home, 3, "not_found", ["cameras", "snapshot", "Nope", "-o", "x.jpg"])
        try check(home, 3, "not_found", ["events", "list", "--camera", "Nope"])
        #expect(home.bytes(of: "x.jpg") == nil)
    }

    @Test("4: wrong password, disabled account, expired or refused token")
    func notSignedIn() throws {
        let server = try DemoServer("--token-ttl", "1")
        let home = try TemporaryHome()
        let wrong = try home.write("wrong\n", to: "wrong")
        let right = try home.write(DemoServer.password, to: "right")
        func login(_ user: String, _ file: String) -> [String] {
            ["login", server.url, "-u", user, "--password-file", file]
        }
        try check(home, 4, "not_signed_in", login("demo", wrong))
        try check(home, 4, "not_signed_in", login("former", right))
        #expect(
            try home.argus(login("former", right) + ["--json"]).error?["reason"]?.string
                == "account_disabled")
        #expect(
            try home.argus(login("demo", wrong) + ["--json"]).error?["reason"]?.string
                == "invalid_credentials")
        // Nothing of a failed sign-in is kept.
        #expect(try home.argus("server", "list", "--json").json.list.isEmpty)
        try check(
            home, 4, "not_signed_in", ["whoami", "--server", server.url],
            variables: ["ARGUS_TOKEN": "x.y.z"])
    }

    @Test("5: an API key where a user is needed, 4: a key that the server refuses")
    func apiKeys() throws {
        let (home, server) = try signedIn()
        let key = try home.makeKey(on: server)
        let keyed = ["ARGUS_API_KEY": key]
        #expect(
            try home.argus("events", "list", "--server", server.url, variables: keyed).status == 0)
        let refused = ["ARGUS_API_KEY": "argus_" + String(repeating: "0", count: 32)]
        try check(
            home, 4, "not_signed_in", ["events", "list", "--server", server.url],
            variables: refused)
        // Every route of this server that a command uses so far takes a key; one is made not to.
        let strict = try DemoServer("--fault", "route=/api/v1/cameras,status=401")
        let other = try TemporaryHome()
        try other.signIn(to: strict)
        let ownKey = try other.makeKey(on: strict)
        try check(
            other, 5, "forbidden", ["cameras", "list", "--server", strict.url],
            variables: ["ARGUS_API_KEY": ownKey])
    }

    @Test("5, 7, 8, 10: what a server answers instead")
    func answers() throws {
        let statuses: [(answer: Int, status: Int32, kind: String)] = [
            (403, 5, "forbidden"), (500, 7, "server_error"), (429, 8, "rate_limited"),
            (422, 10, "rejected"), (418, 10, "rejected"), (599, 7, "server_error"),
        ]
        for (answer, status, kind) in statuses {
            let (home, _) = try signedIn("route=/api/v1/cameras,status=\(answer)")
            try check(home, status, kind, ["cameras", "list"])
            let error = try home.argus("cameras", "list", "--json").error
            #expect(error?["http_status"]?.int == answer)
        }
    }

    @Test("6: a closed port, or an unknown name")
    func unreachable() throws {
        let home = try TemporaryHome()
        let gone = try DemoServer().url
        let token = ["ARGUS_TOKEN": "x.y.z"]
        let file = try home.write("x.y.z", to: "token")
        let words = ["events", "list", "--retries", "0", "--server"]
        try check(home, 6, "unreachable", words + [gone], variables: token)
        try check(
            home, 6, "unreachable", words + ["https://nowhere.invalid"], variables: token)
        try check(home, 6, "unreachable", ["login", gone, "--retries", "0", "--token-file", file])
    }

    @Test("11: some of several failed, and the others are there")
    func partial() throws {
        let (home, _) = try signedIn()
        let ran = try home.argus(
            "cameras", "snapshot", "Driveway", "Porch", "Nope", "-o", "pictures", "--json")
        #expect(ran.status == 11)
        #expect(ran.json.list.count == 1)
        #expect(ran.error?["items"]?.list.map { $0["id"]?.string } == ["Nope", "Porch"])
        #expect(
            ran.error?["items"]?.list.map { $0["kind"]?.string } == ["not_found", "server_error"])
        #expect(try home.files(in: "pictures").count == 1)
        let all = try home.argus("events", "show", "latest", "nothing", "--json")
        #expect(all.status == 11)
        #expect(all.json.list.count == 1)
        // Failures of different kinds and nothing done is neither of them.
        #expect(try home.argus("cameras", "snapshot", "Porch", "Nope", "-o", "p").status == 1)
    }

    @Test("12: a row that is no event loses neither the others nor the truth")
    func gap() throws {
        let row = #"{"id":"cam-1","camera_id":"c","timestamp":"2026-11-20T10:00:00Z"}"#
        let page = #"{"events":[\#(row),{"timestamp":true},7],"total_count":3,"has_more":false}"#
        let (home, _) = try signedIn("route=/api/v1/events,body=\(page)")
        let ran = try home.argus("events", "list", "--json")
        #expect(ran.status == 12)
        #expect(ran.json.list.map { $0["id"]?.string } == ["cam-1"])
        #expect(ran.error?["kind"]?.string == "gap")
    }

    @Test("14: a server that lacks the route says so")
    func unsupported() throws {
        let missing = #"status=404,body={"detail":"Not Found"}"#
        let (home, _) = try signedIn("route=*cameras*,\(missing)")
        try check(home, 14, "unsupported", ["cameras", "list"])
        #expect(
            try home.argus("cameras", "list").complaint
                == "argus: cannot list cameras: '127.0.0.1' does not offer a list of cameras\n")
    }

    @Test("errors are JSON by option and variable, and only there")
    func errorStyle() throws {
        let home = try TemporaryHome()
        func isJSON(_ words: [String], _ variables: [String: String] = [:]) throws -> Bool {
            let ran = try home.argus(words, variables: variables)
            #expect(ran.status == 2)
            #expect(ran.output.isEmpty)
            return ran.error != nil
        }
        let wrong = ["events", "list", "--bogus"]
        #expect(try !isJSON(wrong))
        for words in [["--json"], ["--format", "ndjson"], ["--format=json"]] {
            #expect(try isJSON(words + wrong), "\(words)")
            #expect(try isJSON(wrong + words), "\(words)")
        }
        #expect(try !isJSON(wrong + ["--", "--json"]))
        #expect(try isJSON(["whoami", "--format", "csv"]))
        #expect(try isJSON(["events", "list", "--raw", "--format", "csv"]))
        #expect(try !isJSON(wrong + ["--format", "table"], ["ARGUS_FORMAT": "json"]))
        #expect(try isJSON(wrong, ["ARGUS_FORMAT": "ndjson"]))
        #expect(try isJSON(wrong, ["ARGUS_ERRORS": "json"]))
        try home.write("format = \"json\"\n", to: ".config/argus/config.toml")
        #expect(try !isJSON(wrong))
    }

    @Test("argus alone and a group alone that has no everyday verb are help and status 2")
    func alone() throws {
        let home = try TemporaryHome()
        let ran = try home.argus()
        #expect(ran.status == 2)
        #expect(ran.output.isEmpty)
        #expect(ran.complaint.contains("events"))
        let scripted = try home.argus(variables: ["ARGUS_ERRORS": "json"])
        #expect(scripted.error?["exit_code"]?.int == 2)
    }
}
