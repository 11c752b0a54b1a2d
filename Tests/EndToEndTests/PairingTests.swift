import Glibc
import Testing

@testable import argus_demo

/// Pairing with the built programs: one argus asks, another answers, no browser.
@Suite("pairing", .waitsForPrograms)
struct PairingTests {
    /// The machine that wants in, and the one that is signed in already.
    private let device: TemporaryHome
    private let owner: TemporaryHome

    init() throws {
        (device, owner) = (try TemporaryHome(), try TemporaryHome())
    }

    /// Starts `pair`, and returns it with the code that it shows.
    private func begin(
        _ server: DemoServer, _ more: String...
    ) throws -> (program: RunningProgram, code: String) {
        let words = ["pair", server.url, "--format", "ndjson"] + more
        let program = try device.launch(words).start()
        try program.wait(for: "}\n")
        let line = program.printed.split(separator: "\n").first { $0.hasPrefix("{") }
        let state = try JSONReader.read(Array((line ?? "").utf8))
        return (program, try #require(state["code"]?.string))
    }

    /// What a paired machine can do: whoami, events, a renewal after a refusal, signing out.
    private func useAndSignOut(_ server: DemoServer, renewal: String) throws {
        let whoami = try device.argus("whoami", "--json")
        #expect(whoami.status == 0, "\(whoami.complaint)")
        #expect(whoami.json["username"] == "demo")
        #expect(whoami.json["sign_in"] == "pairing")
        // Tokens that are made in one second are the same, and no renewal of one another.
        let second = time(nil)
        while time(nil) == second { try device.argus("version") }
        // The fault refuses the first list of events, and the token is renewed for it.
        let events = try device.argus("events", "list", "-n", "1", "--json")
        #expect(events.status == 0, "\(events.complaint)")
        #expect(events.json.list.count == 1)
        #expect(server.count(renewal) == 1)
        #expect(try device.argus("cameras", "list").status == 0)
        #expect(try device.argus("logout").status == 0)
        #expect(try device.argus("whoami").status == 4)
    }

    @Test(
        "one argus pairs and another confirms",
        arguments: [
            ("current", "/api/v1/events", 0),
            // There a list of events proves the owner's token, and tells who is signed in.
            ("mobile", "/api/v1/mobile/events", 2),
        ])
    func twoMachines(api: String, events: String, passing: Int) throws {
        let server = try DemoServer(
            "--events", "5", "--database", "postgres",
            faults: ["route=\(events),status=401,after=\(passing),times=1"], api: api)
        try owner.signIn(to: server)
        let (program, code) = try begin(server, "--device-name", "attic")
        let answer = try owner.argus("pair", "confirm", code, "--yes", "--json")
        #expect(answer.status == 0, "\(answer.complaint)")
        #expect(answer.json["device_name"] == "attic")
        let ran = try program.finish()
        #expect(ran.status == 0, "\(ran.complaint)")
        let states = ran.records.compactMap { $0["state"]?.string }
        #expect(
            states == (api == "mobile" ? ["waiting"] : ["waiting", "confirmed"]) + ["paired"])
        try useAndSignOut(server, renewal: "/api/v1/mobile/auth/refresh")
        // The API file has no route that ends a pairing; argus asks all the same.
        #expect(server.count("/api/v1/mobile/auth/revoke") == 1)
    }

    @Test("the documents' dashboard shows a code, which argus exchanges")
    func dashboardCode() throws {
        let server = try DemoServer(
            "--events", "5", faults: ["route=/api/v1/events,status=401,times=1"],
            api: "documented")
        let code = server.pairingCode
        let typed = "\(code.prefix(3))-\(code.suffix(3).lowercased())"
        let wrong = try device.argus("pair", server.url, "--code=000000", "--json")
        #expect(wrong.status == 10)
        #expect(wrong.error?["reason"] == "code_refused")
        let ran = try device.argus("pair", server.url, "--code", typed, "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["state"] == "paired")
        try useAndSignOut(server, renewal: "/api/v1/auth/refresh")
        // It makes no codes for devices, which is told together with the way that there is.
        let other = try device.argus("pair", server.url, "--json")
        #expect(other.status == 14)
        #expect(other.error?["hint"]?.string?.contains("--code") == true)
    }

    @Test("a rejected pairing is status 10, and nothing is kept of it")
    func rejected() throws {
        let server = try DemoServer("--events", "0")
        try owner.signIn(to: server)
        let (program, code) = try begin(server)
        let pending = try owner.argus("pair", "pending", "--json").json.list
        #expect(pending.compactMap { $0["code"]?.string } == [code])
        #expect(try owner.argus("pair", "reject", code).status == 0)
        let ran = try program.finish()
        #expect(ran.status == 10)
        #expect(ran.records.compactMap { $0["state"]?.string } == ["waiting", "rejected"])
        #expect(ran.complaint.contains("\"reason\":\"pairing_rejected\""))
        #expect(try device.argus("pair", "resume").status == 3)
        #expect(try !device.files().contains { $0.hasSuffix(".sealed") })
        #expect(try owner.argus("pair", "confirm", code, "--yes").status == 3)
    }

    @Test("any number of processes go on with a pairing, and all of them end well")
    func resume() throws {
        let server = try DemoServer("--events", "0")
        try owner.signIn(to: server)
        let code = try device.argus("pair", server.url, "--no-wait")
        #expect(code.lines.count == 1)
        #expect(try owner.argus("pair", "confirm", code.lines[0], "-y").status == 0)
        let programs = try (0..<4).map { _ in
            try device.launch(["pair", "resume", "--json"]).start()
        }
        // Who comes when all is over finds nothing to go on with.
        let ends = try programs.map { try $0.finish() }
        #expect(ends.allSatisfy { $0.status == 0 || $0.status == 3 }, "\(ends.map(\.complaint))")
        #expect(ends.contains { $0.json["state"] == "paired" })
        #expect(server.count("/api/v1/mobile/auth/exchange") == 1)
        #expect(try device.argus("whoami").status == 0)
    }

    @Test("too many codes in a minute are status 8")
    func rateLimit() throws {
        let server = try DemoServer("--events", "0", "--rate-limits", "on")
        let words = ["pair", server.url, "--no-wait", "--json"]
        for _ in 0..<5 { #expect(try device.argus(words).status == 0) }
        let ran = try device.argus(words)
        #expect(ran.status == 8)
        #expect(ran.error?["retry_after_seconds"] == 60)
    }

    @Test("connections that are lost before the confirmation end nothing")
    func lostConnections() throws {
        let server = try DemoServer(
            "--events", "0",
            faults: [
                "route=/api/v1/mobile/auth/status,reset,times=4",
                "route=/api/v1/mobile/auth/exchange,status=503,times=1",
            ])
        try owner.signIn(to: server)
        let (program, code) = try begin(server, "--retries", "0")
        #expect(try owner.argus("pair", "confirm", code, "-y").status == 0)
        let ran = try program.finish()
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.records.last?["state"] == "paired")
    }

    @Test("on a terminal the code is large; Ctrl-C dies of the signal, and resume goes on")
    func terminal() throws {
        let server = try DemoServer("--events", "0")
        try owner.signIn(to: server)
        let program = try device.launch(["pair", server.url]).onTerminal.start()
        try program.wait(for: "Good for 4 min 5")
        #expect(program.printed.contains("██████"))
        #expect(program.terminal?.echoes == true)
        program.type("\u{03}")
        #expect(try program.finish().ending == .signal(SIGINT))
        #expect(program.terminal?.echoes == true)
        let code = try #require(
            try owner.argus("pair", "pending", "--json").json.list.first?["code"]?.string)
        #expect(program.printed.contains("argus pair confirm \(code)"))
        let asked = try owner.launch(["pair", "confirm", code]).onTerminal.start()
        try asked.wait(for: "Allow this device? Type yes: ")
        asked.type("no\n")
        #expect(try asked.finish().status == 1)
        let again = try owner.launch(["pair", "confirm", code]).onTerminal.start()
        try again.wait(for: "Allow this device? Type yes: ")
        #expect(again.printed.contains("asked: "))
        again.type("yes\n")
        #expect(try again.finish().status == 0)
        #expect(try device.argus("pair", "resume").status == 0)
        #expect(try device.argus("whoami").status == 0)
    }

    @Test("a code that is typed at the terminal is exchanged, and what is none is not sent")
    func typedCode() throws {
        let server = try DemoServer("--events", "0", api: "documented")
        for (answer, status) in [("12345", Int32(2)), (server.pairingCode, 0)] {
            let program = try device.launch(["pair", server.url, "--code"]).onTerminal.start()
            try program.wait(for: "Code that the dashboard shows: ")
            program.type(answer + "\n")
            #expect(try program.finish().status == status)
            #expect((server.count("/api/v1") == 0) == (status == 2))
        }
    }

    @Test("a link is read from stdin, and neither it nor a code shows in a trace")
    func secrets() throws {
        let server = try DemoServer("--events", "0", api: "documented")
        let link = "argusai://pair?code=\(server.pairingCode)&url=\(server.url)\n"
        let ran = try device.argus(
            "pair", "--link", "-", "-vvv", "--trace", "trace", input: .text(link))
        #expect(ran.status == 0, "\(ran.complaint)")
        let today = try DemoServer("--events", "0")
        try owner.signIn(to: today)
        let waiting = try device.argus("pair", today.url, "--no-wait", "--trace", "trace")
        let code = try #require(waiting.lines.first)
        #expect(try owner.argus("pair", "confirm", code, "-y", "--trace", "-").status == 0)
        let resumed = try device.argus("pair", "resume", "-q", "--trace", "trace", "-vvv")
        #expect(resumed.status == 0)
        let trace = try #require(device.text(of: "trace"))
        #expect(trace.contains("/mobile/auth/status/<redacted>"))
        for text in [trace, ran.complaint, resumed.complaint] {
            #expect(!text.contains(server.pairingCode) && !text.contains(code))
        }
        for file in try device.files() where file != "trace" {
            #expect(device.text(of: file)?.contains(code) != true, "\(file)")
        }
    }
}
