import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus doctor` against the demo.
@Suite(.waitsForPrograms)
struct DoctorTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test("doctor reports every check, with everything down too, and a timer's own")
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
        // What is left out because of something else has the remedy of that.
        let states = Set(down.json.list.compactMap { $0["state"]?.string })
        #expect(states.isSubset(of: ["ok", "warning", "failure"]))
        for finding in down.json.list where finding["state"] != "ok" {
            #expect(finding["remedy"]?.string != nil, "\(finding)")
        }
        let remedy = down.json.list.first { $0["check"] == "connection" }?["remedy"]
        #expect(down.json.list.first { $0["check"] == "sign-in" }?["remedy"] == remedy)
        let names = [
            "configuration", "folders", "server", "name", "connection", "identity", "clock",
            "health", "offers", "credentials", "sign-in", "discovery", "push", "terminal",
            "completions", "manual", "optional",
        ]
        for name in names {
            #expect(well.text.contains("\"check\":\"\(name)\""), "\(name)")
            #expect(down.text.contains("\"\(name)\""), "\(name)")
        }
        let timer = try home.argus("doctor", "--as-cron")
        #expect(timer.text.contains("terminal       no terminal"))
        // The PATH of cron, which finds programs of the system.
        #expect(timer.text.contains("ssh-keygen is there"))
        #expect(timer.status != 0)
        let chosen = try home.argus(
            "doctor", "--as-cron", "--format", "csv", "--fields", "state,check", "--no-header")
        #expect(chosen.text.hasPrefix("ok,configuration\nok,folders\n"))
        for words in [["--raw"], ["--as-cron", "--raw"], ["--as-cron", "--fields", "colour"]] {
            #expect(try home.argus(["doctor"] + words).status == 2, "\(words)")
        }
        let relay = try home.argus(
            "doctor", variables: ["ARGUS_RELAY_URL": "http://relay.example"])
        #expect(relay.text.contains("ARGUS_RELAY_URL must be an address such as https://"))
        try home.write("colour = 1\nutc = 1\n", to: ".config/argus/config.toml")
        let broken = try home.argus("doctor")
        #expect(broken.status == 2)
        #expect(broken.complaint.contains("failed: configuration"))
        #expect(!broken.complaint.contains("configuration, configuration"))
        #expect(broken.text.contains("config.toml:1:1: 'colour' is not a setting"))
    }

    @Test("doctor --as-cron names what a job lacks, and is laid out for the terminal of its user")
    func asCron() throws {
        let server = try DemoServer("--events", "1")
        let variables = ["ARGUS_SERVER": server.url, "ARGUS_API_KEY_FILE": "/nonexistent/key"]
        let lost = try home.argus("doctor", "--as-cron", variables: variables)
        #expect(
            lost.text.contains(
                "no server is known: ARGUS_SERVER and ARGUS_API_KEY_FILE of this shell do not count "
                    + "here; give --server and --api-key-file as the job does\n"), "\(lost.text)")
        #expect(!lost.complaint.contains("login"))
        let named = try home.argus(
            "doctor", "--as-cron", "--server", server.url, variables: variables)
        #expect(named.text.contains("ARGUS_API_KEY_FILE of this shell does not count here"))
        #expect(!named.text.contains("ARGUS_SERVER"))
        let shown = try home.argusOnTerminal("doctor", "--as-cron")
        #expect(shown.text.split(separator: "\n").first?.contains("This machine") == true)
        #expect(shown.text.contains("no terminal"))
    }

    private func secrets() throws -> (state: String?, message: String?, remedy: String?) {
        let ran = try home.argus("doctor", "--format", "ndjson")
        let reported = ran.records.filter { $0["check"] == "secrets" }
        #expect(reported.count == 1, "\(ran.text)")
        return (
            reported.first?["state"]?.string, reported.first?["message"]?.string,
            reported.first?["remedy"]?.string
        )
    }

    @Test("sealed files that belong to no server, and what a killed process left, are reported")
    func orphans() throws {
        let state = ".local/state/argus"
        let server = try DemoServer("--events", "1")
        #expect(try secrets().state == "ok")
        try home.signIn(to: server)
        #expect(try secrets().state == "ok")
        let list = "\(home.path)/\(state)/servers.json"
        let sealed = try home.files(in: "\(state)/credentials").filter { $0.hasSuffix(".sealed") }
        let id = try #require(sealed.first?.split(separator: ".").first)

        let whole = try #require(home.text(of: "\(state)/servers.json"))
        try home.write("{", to: "\(state)/servers.json")
        let damaged = try secrets()
        #expect(damaged.state == "warning")
        #expect(
            damaged.message == "'\(list)' is damaged, so the owner of 1 sealed file is unknown")
        #expect(damaged.remedy?.contains("rm ") == false, "it is not lost yet")
        // A list that is damaged keeps nobody from signing in, and is kept, with what it named.
        try home.signIn(to: server)
        let orphan = try secrets()
        #expect(orphan.state == "warning")
        #expect(
            orphan.message
                == "1 sealed file belongs to no known server: \(id).sign-in.sealed")
        #expect(orphan.remedy?.contains("\(list).damaged-1") == true, "\(orphan)")
        #expect(orphan.remedy?.contains("rm ") == true)
        let mended = try home.bash("mv \(state)/servers.json.damaged-1 \(state)/servers.json")
        #expect(mended.status == 0)
        try home.write(whole, to: "\(state)/servers.json")
        #expect(try home.argus("whoami").status == 0, "the sealed file is as good as it was")

        _ = try home.bash("rm \(state)/credentials/*.sealed")
        try home.signIn(to: server)
        try home.write("sealed", to: "\(state)/credentials/.argus-x.tmp")
        let killed = try secrets()
        #expect(killed.state == "warning")
        #expect(killed.message?.hasPrefix("1 unfinished file of a process that was killed") == true)
        #expect(try home.argus("whoami").status == 0)
        #expect(try home.argus("logout").status == 0)
        #expect(try !home.files(in: "\(state)/credentials").contains { $0.hasSuffix(".tmp") })
        #expect(try secrets().state == "ok")
    }

    private func push(_ more: String...) throws -> [String] {
        let ran = try home.argus(["doctor", "--format", "ndjson"] + more)
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.records.filter { $0["check"] == "push" }.map {
            "\($0["state"]?.string ?? "") \($0["message"]?.string ?? "")"
        }
    }

    @Test("push readiness is what the server offers, and whether it has what was registered here")
    func pushReadiness() throws {
        let server = try DemoServer("--events", "1")
        try home.signIn(to: server)
        let offer = "ok the server offers Web Push"
        let none = "this machine has registered no receiver of pushes"
        #expect(try push() == [offer, "ok \(none)"])
        let id = OwnerScriptTests.id
        try home.argus(
            "push", "register", "--push-token", OwnerScriptTests.token, "--platform", "ios",
            "--device-id", id)
        try home.argus(["push", "subscribe"] + OwnerScriptTests.receiver)
        let shown = "http://127.0.0.1:9/…f-it"
        #expect(
            try push() == [
                offer, "ok device \(id) is registered with apns", "ok \(shown) is subscribed",
            ])
        // Somebody else takes both away.
        try home.argus("api", "DELETE", "devices/\(id)")
        try home.argus(
            "api", "POST", "push/unsubscribe", "-f", "endpoint=\(OwnerScriptTests.endpoint)")
        #expect(
            try push() == [
                offer, "warning the server no longer has device \(id)",
                "warning the server no longer has the subscription of \(shown)",
            ])
    }

    @Test("what a server offers that does not describe its routes is asked for")
    func offers() throws {
        for (api, message) in [
            (
                "mobile",
                "the server offers events, cameras; it lacks devices, Web Push, API keys, sessions"
            ),
            (
                "documented",
                "the server offers events, cameras, devices, Web Push; it lacks API keys, sessions"
            ),
        ] {
            let server = try DemoServer("--events", "1", api: api)
            let home = try TemporaryHome()
            try home.signIn(to: server)
            let ran = try home.argus("doctor", "--format", "ndjson")
            let reported = ran.records.filter { $0["check"] == "offers" }
            #expect(reported.map { $0["message"]?.string } == [message], "\(api)")
        }
    }

    @Test(
        "a server without Web Push is reported as such, and so are registrations that cannot be compared"
    )
    func pushElsewhere() throws {
        let server = try DemoServer("--events", "1", api: "mobile")
        try home.signIn(to: server)
        try home.argus(
            "push", "register", "--push-token", OwnerScriptTests.token, "--platform", "ios",
            "--device-id", OwnerScriptTests.id)
        #expect(
            try push() == [
                "ok the server does not offer Web Push: it has no key",
                "ok a device was registered on this machine, but the server has no list to "
                    + "compare with",
            ])
    }

    @Test("a server that never answers costs one time-out, and every check is reported")
    func silence() async throws {
        try await LoopbackServer.serving { _ in
            [.staySilent]
        } _: { server in
            let words = [
                "doctor", "--server", "\(server.origin)", "--timeout", "2s", "--format", "tsv",
            ]
            let ran = try home.argus(words, variables: ["ARGUS_TOKEN": "x.y.z"])
            // Checks that need an answer do not ask again.
            #expect(server.requests.count == 1, "\(server.requests.map(\.line))")
            #expect(ran.status == 6)
            for (state, name) in [
                ("failure", "connection"), ("warning", "identity"), ("warning", "clock"),
                ("warning", "health"), ("warning", "offers"), ("ok", "credentials"),
                ("warning", "sign-in"), ("warning", "push"),
            ] {
                #expect(
                    ran.lines.contains {
                        let words = $0.split(separator: "\t")
                        return words.first == name[...] && words.dropFirst().first == state[...]
                    }, "\(name): \(ran.text)")
            }
            #expect(server.requests.count == 1)
        }
    }
}
