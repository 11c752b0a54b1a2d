import ArgusTestSupport
import Testing

@testable import argus_demo

/// Servers that break the rules: the right status, one clear line, nothing left behind.
@Suite(.waitsForPrograms)
struct BadServerTests {
    /// Runs a command against a demo with a fault on the route that it uses.
    private func run(_ words: [String], _ faults: String...) throws -> (
        ran: ProgramResult, home: TemporaryHome, server: DemoServer
    ) {
        let server = try DemoServer(faults: faults)
        let home = try TemporaryHome()
        try home.signIn(to: server)
        return (try home.argus(words), home, server)
    }

    /// What every failure must be: this status, one line, perhaps a hint, and no crash.
    private func check(
        _ ran: ProgramResult, _ status: Int32, location: SourceLocation = #_sourceLocation
    ) {
        #expect(ran.ending == .status(status), "\(ran.complaint)", sourceLocation: location)
        #expect(ran.output.isEmpty, sourceLocation: location)
        let lines = ran.complaint.split(separator: "\n")
        #expect((1...2).contains(lines.count), "\(ran.complaint)", sourceLocation: location)
        #expect(lines.first?.hasPrefix("argus: ") == true, sourceLocation: location)
        #expect(!ran.complaint.contains("\u{1B}"), sourceLocation: location)
    }

    @Test(
        "a malformed list is the server's fault",
        arguments: [
            ("garbage", Int32(7)), ("truncate=40", 7), ("truncate=0", 7), ("endless", 7),
            ("reset", 6), ("status=200,body=<html>", 7), ("status=200,body=", 7),
            ("status=200,body=null", 7), ("status=200,body=[1,2", 7),
            (#"content-type=text/html,body=<!doctype html><title>Sign in</title>"#, 7),
            ("status=302,header=location:/api/v1/cameras", 7),
            ("status=302", 7), ("status=302,header=location:ftp://127.0.0.1/", 7),
            ("status=204,body=", 7),
        ])
    func brokenLists(fault: String, status: Int32) throws {
        let (ran, _, _) = try run(
            ["cameras", "list", "--retries", "0"], "route=/api/v1/cameras,\(fault)")
        check(ran, status)
    }

    @Test("rows that the server cannot read cost no other row, are named, and end with 12")
    func unreadableRows() throws {
        let server = try DemoServer("--events", "600", "--unreadable", "2")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        func check(
            _ words: String, in location: SourceLocation = #_sourceLocation
        ) throws -> String {
            let ran = try home.argus(words.split(separator: " ").map(String.init))
            #expect(ran.status == 12, "\(words): \(ran.complaint)", sourceLocation: location)
            let named = ran.complaint.matches(of: /from \d{4}-\d\d-\d\dT[\d:.]+Z to/).count
            #expect(named == 2, "\(words): \(ran.complaint)", sourceLocation: location)
            return ran.text
        }
        for words in [
            "list --all", "list --all --reverse", "export", "export --server-side --fields id",
        ] {
            let text = try check("events \(words) --format ndjson")
            #expect(text.split(separator: "\n").count == 598, "\(words)")
        }
        _ = try check("events export --format ndjson -o all.ndjson")
        #expect(home.text(of: "all.ndjson")?.split(separator: "\n").count == 598)
        #expect(try home.files().allSatisfy { !$0.hasSuffix(".part") })
        #expect(try check("events stats --format ndjson").contains(#""count":598"#))
        #expect(try home.argus("archive", "init", "a").status == 0)
        #expect(
            try check("archive sync --archive a --no-pictures --format ndjson")
                .contains(#""added":598"#))
        #expect(try home.argus("events", "list", "-n", "5").status == 0)
        #expect(
            try check("events delete --until now --yes --format ndjson")
                .contains(#""deleted":598"#))
    }

    @Test("a server that repeats its oldest events for ever ends every list with 12")
    func repeatedEvents() throws {
        let body = """
            {"events":[{"id":"a","timestamp":"2026-11-20T10:00:00Z"},\
            {"id":"b","timestamp":"2026-11-20T11:00:00Z"}],"has_more":true}
            """
        let server = try DemoServer(faults: ["route=/api/v1/events,method=GET,body=\(body)"])
        let home = try TemporaryHome()
        try home.signIn(to: server)
        #expect(try home.argus("archive", "init", "a").status == 0)
        for words in [
            "events list --all", "events list --all --reverse", "events stats", "events export",
            "events list --all --camera Driveway --camera Garage",
            "events delete --until now --yes",
            "archive sync --archive a --no-pictures",
        ] {
            let ran = try home.argus(words.split(separator: " ").map(String.init))
            #expect(ran.status == 12, "\(words): \(ran.complaint)")
            #expect(ran.complaint.contains("repeats a page"), "\(words): \(ran.complaint)")
        }
        #expect(server.requests.count < 200)
    }

    @Test("a type is accepted whatever has been seen, and one that nobody knows with a warning")
    func unknownTypes() throws {
        let server = try DemoServer("--events", "600")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        for _ in 0..<2 {
            let known = try home.argus("events", "list", "--all", "--type", "manual_trigger")
            #expect(known.status == 0 && known.text.contains("manual_trigger"))
            let typo = try home.argus("events", "list", "--type", "persn", "--json")
            #expect(typo.status == 0 && typo.text == "[]\n")
            #expect(
                typo.complaint.contains(
                    "warning: the type 'persn' is unknown; did you mean 'person'?"))
            let doomed = try home.argus("events", "delete", "--type", "persn", "--yes")
            #expect(doomed.status == 0 && doomed.complaint.contains("deleted 0 events"))
            #expect(try home.argus("events", "list", "--all").status == 0)
        }
    }

    @Test(
        "a picture that is not whole leaves no file",
        arguments: [
            ("garbage", Int32(7)), ("truncate=3000", 7), ("endless", 7), ("reset", 6),
            ("content-type=image/jpeg,body=<html>", 7), ("content-type=image/jpeg,body=", 7),
            ("status=500", 7), ("status=404,body={\"detail\":\"Camera not found\"}", 3),
        ])
    func brokenPictures(fault: String, status: Int32) throws {
        let (ran, home, _) = try run(
            ["cameras", "snapshot", "Driveway", "-o", "new/picture.jpg", "--retries", "0"],
            "route=/api/v1/cameras/*,\(fault)")
        check(ran, status)
        #expect(try home.files().filter { $0.contains("picture") || $0.hasPrefix("new") } == [])
    }

    @Test("silence and slowness end at --timeout, before the first byte")
    func silence() throws {
        let (ran, _, server) = try run(
            ["cameras", "list", "--timeout", "300ms", "--retries", "0"],
            "route=/api/v1/cameras,silent")
        check(ran, 6)
        #expect(server.count("/api/v1/cameras") == 1)
        let (slow, _, _) = try run(
            ["cameras", "list", "--timeout", "300ms", "--retries", "0"],
            "route=/api/v1/cameras,delay=20s")
        check(slow, 6)
    }

    @Test("a slow body is not cut off as long as something comes")
    func drip() throws {
        let (ran, _, _) = try run(
            ["cameras", "list", "--json", "--timeout", "500ms"],
            "route=/api/v1/cameras,method=GET,drip=4000,times=1")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json.list.count == 6)
    }

    @Test("502, 503 and 504 are tried again, 500 and 429 are not")
    func retries() throws {
        // All at once, since each waits a second before it tries again.
        let runs = try [(502, 2), (503, 2), (504, 2), (500, 1), (429, 1)].map { status, tries in
            let server = try DemoServer(faults: ["route=/api/v1/cameras,status=\(status)"])
            let home = try TemporaryHome()
            try home.signIn(to: server)
            let program = try home.launch(["cameras", "list", "--retries", "1"]).start()
            return (status, tries, server, home, program)
        }
        for (status, tries, server, _, program) in runs {
            check(try program.finish(), status == 429 ? 8 : 7)
            #expect(server.count("/api/v1/cameras") == tries, "\(status)")
        }
        let (ran, _, server) = try run(
            ["cameras", "list", "-v"], "route=/api/v1/cameras,status=503,times=1")
        #expect(ran.status == 0)
        #expect(ran.complaint.contains("retry 1 of 2"))
        #expect(server.requests.count { $0["target"] == "/api/v1/cameras" } == 2)
    }

    @Test("a rate limit is waited for on request, and otherwise an error with its time")
    func rateLimit() throws {
        let fault = "route=/api/v1/cameras,status=429,header=retry-after:1,times=1"
        let (refused, _, _) = try run(["cameras", "list", "--json"], fault)
        #expect(refused.status == 8)
        #expect(refused.error?["retry_after_seconds"] == 1)
        let (waited, _, _) = try run(["cameras", "list", "--json", "--wait-rate-limit"], fault)
        #expect(waited.status == 0)
        #expect(waited.json.list.count == 6)
        let long = "route=/api/v1/cameras,status=429,header=retry-after:9000"
        let (impatient, _, _) = try run(["cameras", "list", "--wait-rate-limit=2s"], long)
        check(impatient, 8)
    }

    @Test("credentials do not follow a redirect to another origin")
    func redirect() throws {
        let other = try DemoServer()
        let (ran, _, _) = try run(
            ["cameras", "list", "--retries", "0"],
            "route=/api/v1/cameras,status=307,header=location:\(other.url)/api/v1/cameras")
        #expect(ran.status != 0)
        #expect(other.requests.allSatisfy { $0["authorization"] == false })
    }

    @Test("an address with https that speaks plain http is reported as such")
    func noTLS() throws {
        let server = try DemoServer("--events", "1")
        let address = server.url.replacing("http:", with: "https:")
        // An address without a scheme means https, for a pairing too.
        let bare = try TemporaryHome().argus("pair", String(server.url.dropFirst("http://".count)))
        #expect(bare.status == 6)
        #expect(bare.complaint.contains("hint: argus pair \(server.url)"), "\(bare.complaint)")
        let ran = try TemporaryHome().argus(
            "login", address, "--token-stdin", input: .text("x.y.z"))
        #expect(ran.status == 6)
        #expect(
            ran.complaint
                == "argus: \(server.url.dropFirst("http://".count)) speaks plain http, not https\n"
                + "hint: argus login \(server.url)\n")
        #expect(server.requests.allSatisfy { $0["authorization"] == false })
    }

    @Test("bytes that are no UTF-8 and a huge description are printed without harm")
    func strangeTexts() async throws {
        let description = String(repeating: "x", count: 10 << 20)
        func event(_ id: String, _ text: [UInt8]) -> [UInt8] {
            Array(#"{"id":"\#(id)","timestamp":"2026-11-20T10:00:00Z","description":""#.utf8) + text
                + Array(#""}"#.utf8)
        }
        let comma = [UInt8(ascii: ",")]
        let page =
            Array(#"{"events":["#.utf8) + event("evt-big", Array(description.utf8)) + comma
            + event("evt-bytes", [0x61, 0xFF, 0xC0, 0x62]) + comma
            + event("evt-half", Array(#"a\ud800b"#.utf8)) + Array(#"],"has_more":false}"#.utf8)
        let home = try TemporaryHome()
        try await LoopbackServer.serving { _ in
            [.answer(headers: ["Content-Type: application/json"], bytes: page)]
        } _: { server in
            let words = ["events", "list", "--server", "\(server.origin)"]
            let token = ["ARGUS_TOKEN": "x.y.z"]
            let ran = try home.argus(words + ["--json"], variables: token)
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(String(validating: ran.output, as: UTF8.self) != nil)
            let texts = ran.json.list.map { $0["description"]?.string }
            #expect(texts.count == 3)
            #expect(texts.first == description)
            #expect(texts.last == "a\u{FFFD}b")
            for format in ["table", "csv", "tsv", "ndjson"] {
                let other = try home.argus(words + ["--format", format], variables: token)
                #expect(other.status == 0, "\(other.complaint)")
                #expect(other.output.count > 10 << 20)
                #expect(String(validating: other.output, as: UTF8.self) != nil, "\(format)")
            }
        }
    }

    /// A name that would clear the screen, set the title, turn the text around and hide itself.
    private static let nasty = #"\u001b[2J\u001b]0;owned\u0007\u202eevil\u200b\u009b31m\r\nx"#
    private static let nastyEvent =
        #"{"id":"evt-1","camera_name":"\#(nasty)","timestamp":"2026-11-20T10:00:00Z","#
        + #""description":"\#(nasty)"}"#
    private static let nastyPage = #"{"events":[\#(nastyEvent)],"has_more":false}"#

    /// Whether a text has nothing in it that a terminal would act upon; JSON keeps zero widths.
    private func isSafe(_ text: String, isJSON: Bool = false) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: false
            case 0x200B...0x200F: isJSON
            default: true
            }
        }
    }

    @Test("escape sequences of a server reach no terminal, no table and no message")
    func escapes() throws {
        let server = try DemoServer(faults: ["route=/api/v1/events,body=\(Self.nastyPage)"])
        let home = try TemporaryHome()
        try home.signIn(to: server)
        let table = try home.argus("events", "list")
        #expect(table.status == 0)
        #expect(table.text.contains(#"\x1b[2J"#))
        #expect(isSafe(table.text))
        #expect(table.lines.count == 2)
        for format in ["table", "csv", "tsv", "json", "ndjson"] {
            let shown = try home.argusOnTerminal(
                "events", "list", "--format", format, "--color", "never")
            #expect(shown.text.contains("evt-1"), "\(format)")
            #expect(isSafe(shown.text, isJSON: format.contains("json")), "\(format)")
        }
        let raw = try home.argusOnTerminal("events", "list", "--raw", "--json")
        #expect(isSafe(raw.text) && raw.text.contains("evt-1"))
        // A program gets the text as it is.
        let json = try home.argus("events", "list", "--json")
        #expect(isSafe(json.text, isJSON: true))
        #expect(json.json.list.first?["description"]?.string?.hasPrefix("\u{1B}[2J") == true)
        let csv = try home.argus("events", "list", "--format", "csv")
        #expect(csv.text.contains("\u{1B}[2J"))
    }

    @Test("the words of an error are made harmless too")
    func hostileError() throws {
        let (ran, home, _) = try run(
            ["cameras", "list"],
            #"route=/api/v1/cameras,status=403,body={"detail":"\#(Self.nasty)"}"#)
        check(ran, 5)
        #expect(isSafe(ran.complaint))
        let json = try home.argus("cameras", "list", "--json")
        #expect(isSafe(json.complaint, isJSON: true))
        #expect(json.error?["message"]?.string?.contains("\u{1B}[2J") == true)
    }
}
