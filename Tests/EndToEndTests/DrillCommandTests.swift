import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `argus drill` with watches, commands, receivers and rules as its user has them.
@Suite("argus drill", .waitsForPrograms)
struct DrillCommandTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Starts a watch with the command `hook`, which this text is.
    private func watch(
        _ state: String = "door", _ words: String..., hook text: String? = nil
    ) throws -> RunningProgram {
        var command: [String] = []
        if let text {
            try home.write("#!/bin/sh\n\(text)\n", to: "hook-\(state)", mode: 0o700)
            command = ["--", "./hook-\(state)"]
        }
        let watch = try home.launch(
            ["events", "watch", "--state", state, "-v"] + words + command
        ).start()
        try watch.wait(for: "announces events")
        return watch
    }

    private func drill(_ words: String...) throws -> ProgramResult {
        try home.argus(["drill", "--format", "ndjson"] + words)
    }

    /// The links as `handed_over door ok`.
    private func links(_ ran: ProgramResult) -> [String] {
        ran.records.map { row in
            [row["link"], row["subject"], row["state"]].compactMap { $0?.string }
                .joined(separator: " ")
        }
    }

    private func remaining() throws -> [String] {
        let ran = try home.argus(
            "events", "list", "--search", "argus drill", "--format", "csv", "--no-header",
            "--fields", "description")
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    private func makeRule(_ name: String, _ conditions: String, _ actions: String = "{}") throws {
        let rule =
            #"{"name":"\#(name)","cooldown_minutes":0,"conditions":\#(conditions),"actions":\#(actions)}"#
        let ran = try home.argus("api", "POST", "alert-rules", "--input", "-", input: .text(rule))
        #expect(ran.status == 0, "\(ran.complaint)")
    }

    @Test("through a watch, its command and a receiver, and nothing is left")
    func wholeChain() throws {
        let services = try PushServices(in: home)
        try home.signIn(to: DemoServer(), "--name", "home")
        let wanted = ["apns 1", "apns 2"]
        let lines = services.text(of: "tokens.ndjson").split(separator: "\n")
        let chosen = lines.filter { line in wanted.contains { line.contains("\"\($0)\"") } }
        try home.write(chosen.joined(separator: "\n"), to: "chosen.ndjson")
        let prepared = try home.bash(
            """
            argus notify receivers import chosen.ndjson >/dev/null 2>&1 || exit 1
            argus push prefs set --receiver 'apns 2' --types vehicle
            """)
        #expect(prepared.status == 0, "\(prepared.complaint)")
        let door = try watch(
            "door", "--thumbnail",
            hook:
                #"head -c 3 "$ARGUS_EVENT_THUMBNAIL" > seen; echo "$ARGUS_EVENT_DESCRIPTION" >> seen"#
        )
        let parcels = try watch("parcels", "--type", "package", "--camera", "Front Door")
        let push = try home.launch(
            [
                "notify", "run", "--watch", "--state", "push", "-v", "--cacert",
                services.certificate,
            ],
            services.environment
        ).start()
        try push.wait(for: "announces events")
        let ran = try drill("--push", "--state", "door", "--state", "parcels", "--state", "push")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(
            Set(links(ran)) == [
                "stored ok", "listed ok", "announced ok", "handed_over door ok", "command door ok",
                "handed_over parcels skipped", "handed_over push ok", "pushed apns 1 ok",
                "pushed apns 2 skipped", "deleted ok",
            ])
        let explanations = ran.records.compactMap { $0["explanation"]?.string }
        #expect(
            explanations.contains(
                "'parcels' does not take it: its filter is --camera Front Door --type package"))
        #expect(explanations.contains("'apns 2' does not take it: its types are vehicle"))
        let times = ran.records.compactMap { row -> Double? in
            if case .number(let seconds)? = row["seconds"] { seconds } else { nil }
        }
        #expect(times.count == 10 && times == times.sorted() && (times.last ?? 99) < 60)
        let seen = home.text(of: "seen") ?? ""
        #expect(seen.contains("argus drill ") && seen.hasSuffix(": this is a test\n"))
        #expect(home.bytes(of: "seen")?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
        let id = ran.records.first?["event_id"]?.string
        #expect(services.received.count { $0["event_id"]?.string == id } == 1)
        #expect(try remaining().isEmpty)
        for program in [door, parcels, push] { program.send(SIGTERM) }
    }

    @Test("without a watch it says that nothing here was tested")
    func nothingHere() throws {
        try home.signIn(to: DemoServer())
        let ran = try home.argus("drill")
        #expect(ran.status == 0 && ran.lines.count == 4, "\(ran.complaint)")
        #expect(ran.lines.first?.hasSuffix(", camera 'Front Door'") == true)
        #expect(ran.complaint.contains("no watch runs here"))
    }

    @Test(
        "each link of the server is broken once, and named",
        arguments: [
            ("--fault", "method=POST,route=/api/v1/events,status=500", 11, "not stored: "),
            ("--fault", "method=GET,route=/api/v1/events,status=500", 11, "not listed: "),
            ("--stream-fault", "silence,every=1ms", 13, "not announced in 3 s"),
            ("--fault", "method=DELETE,route=/api/v1/events,status=500", 11, "not deleted: "),
        ] as [(String, String, Int32, String)])
    func brokenServer(option: String, fault: String, status: Int32, words: String) throws {
        try home.signIn(to: DemoServer(option, fault))
        let ran = try drill("--timeout", "3s")
        #expect(ran.status == status, "\(ran.complaint)")
        let message = ran.error?["message"]?.string ?? ""
        #expect(message.hasPrefix("the first link that broke: \(words)"), "\(message)")
        guard words == "not deleted: " else { return }
        let id = ran.records.first?["event_id"]?.string ?? "?"
        #expect(
            ran.error?["hint"]?.string == "delete the event with 'argus events delete \(id)'")
    }

    @Test("a server that cannot be asked has the status that it has everywhere")
    func unreachable() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        server.stop()
        #expect(try drill("--retries", "0").status == 6)
        #expect(try drill("--state", "nope").status == 3)
        #expect(try drill("--timeout", "0").status == 2)
    }

    @Test("a watch that died, one whose command fails, and a receiver that is gone are named")
    func brokenHere() throws {
        let services = try PushServices(in: home, faults: ["provider=fcm,reason=UNREGISTERED"])
        try home.signIn(to: DemoServer())
        let lines = services.text(of: "tokens.ndjson").split(separator: "\n")
        let chosen = lines.filter { $0.contains("\"fcm 1\"") }
        try home.write(chosen.joined(separator: "\n"), to: "chosen.ndjson")
        #expect(try home.argus("notify", "receivers", "import", "chosen.ndjson").status == 0)
        let watch = try watch(hook: "exit 3")
        let failing = try drill()
        #expect(failing.status == 11)
        #expect(
            failing.error?["message"]?.string
                == "the first link that broke: the command of 'door' ended with status 3")
        // It does not wait for another try.
        #expect(try home.argus("queue", "list", "--format", "csv", "--no-header").text.isEmpty)
        watch.send(SIGTERM)
        _ = try watch.finish()
        let dead = try drill("--state", "door")
        #expect(dead.status == 11)
        #expect(links(dead).contains("handed_over door failed") && links(dead).last == "deleted ok")
        let push = try home.launch(
            [
                "notify", "run", "--watch", "--state", "push", "-v", "--cacert",
                services.certificate,
            ],
            services.environment
        ).start()
        try push.wait(for: "announces events")
        let gone = try drill("--push")
        #expect(gone.status == 11 && links(gone).contains("pushed fcm 1 failed"), "\(gone.text)")
        push.send(SIGTERM)
        #expect(try remaining().isEmpty)
    }

    @Test("what does not happen in time is status 13, and the event is deleted")
    func late() throws {
        try home.signIn(to: DemoServer())
        let watch = try watch(hook: "exec sleep 60")
        let slow = try drill("--timeout", "2s")
        #expect(slow.status == 13)
        #expect(
            slow.error?["message"]?.string
                == "the first link that broke: the command of 'door' did not end with status 0 in 2 s"
        )
        watch.send(SIGSTOP)
        let stopped = try drill("--timeout", "1s")
        #expect(stopped.status == 13)
        #expect(
            links(stopped).contains("handed_over door late") && links(stopped).last == "deleted ok")
        watch.send(SIGCONT)
        #expect(try remaining().isEmpty)
    }

    @Test("Ctrl-C deletes the event, and says so if it cannot", arguments: [false, true])
    func interrupted(refuses: Bool) throws {
        let server = try DemoServer(
            faults: refuses ? ["method=DELETE,route=/api/v1/events,status=500"] : [])
        try home.signIn(to: server)
        let watch = try watch()
        watch.send(SIGSTOP)
        let program = try home.launch(["drill"]).start()
        try program.wait(for: "listed")
        program.send(SIGINT)
        let ran = try program.finish()
        #expect(ran.ending == .signal(SIGINT))
        #expect(!ran.text.contains("late"))
        #expect(ran.complaint.contains("argus events delete ") == refuses, "\(ran.complaint)")
        #expect(try remaining().count == (refuses ? 1 : 0))
        watch.send(SIGCONT)
    }

    @Test("a reader that leaves does not keep the event")
    func closedPipe() throws {
        try home.signIn(to: DemoServer())
        let watch = try watch()
        watch.send(SIGSTOP)
        let ran = try home.bash("argus drill | head -n 1")
        #expect(ran.status == 0 && ran.lines.count == 1, "\(ran.complaint)")
        watch.send(SIGCONT)
        // The drill may end after its reader.
        while try !remaining().isEmpty { poll(nil, 0, 20) }
    }

    @Test("the rules that will fire are named, and need a yes")
    func rules() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        try makeRule(
            "people", #"{"object_types":["person"]}"#,
            #"{"dashboard_notification":true,"webhook":{"url":"http://127.0.0.1:9/secret"}}"#)
        try makeRule("cats", #"{"object_types":["animal"]}"#)
        let refused = try home.argus("drill")
        #expect(refused.status == 2 && refused.text.isEmpty)
        #expect(
            refused.complaint.contains("people (a notification, a webhook at http://127.0.0.1:9)")
                && refused.complaint.contains("--no-rules"), "\(refused.complaint)")
        #expect(!refused.complaint.contains("cats") && !refused.complaint.contains("secret"))
        let posts = {
            server.requests.count {
                $0["method"]?.string == "POST"
                    && $0["target"]?.string == "/api/v1/events"
            }
        }
        #expect(posts() == 0)
        let program = try home.launch(["drill"]).onTerminal.start()
        try program.wait(for: "Type yes: ")
        program.type("no\r")
        #expect(try program.finish().status == 1)
        #expect(posts() == 0)
        let agreed = try home.launch(["drill"]).onTerminal.start()
        try agreed.wait(for: "Type yes: ")
        agreed.type("yes\r")
        #expect(try agreed.finish().status == 0)
        let alarms = try watch("alarms", "--alerts")
        let assumed = try drill("--yes")
        #expect(assumed.status == 0, "\(assumed.complaint)")
        #expect(links(assumed).contains("handed_over alarms ok"))
        alarms.send(SIGTERM)
        #expect(posts() == 2)
    }

    @Test("--no-rules takes what no rule is about, or refuses")
    func noRules() throws {
        try home.signIn(to: DemoServer())
        try makeRule("people and cars", #"{"object_types":["person","vehicle"]}"#)
        let quiet = try watch("packages", "--type", "package")
        let ran = try drill("--no-rules")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(links(ran).contains("handed_over packages ok"))
        quiet.send(SIGTERM)
        try makeRule("everything", "{}")
        let refused = try drill("--no-rules")
        #expect(refused.status == 1 && refused.text.isEmpty)
        #expect(refused.error?["reason"]?.string == "rules")
    }

    @Test("the recipe for cron mails only if the drill failed")
    func mail() throws {
        try home.signIn(to: DemoServer())
        try home.write(
            "#!/bin/sh\n{ echo \"$*\"; cat; } >> \"$HOME/mails\"\n", to: "bin/mail", mode: 0o700)
        let document = try DocumentTests.text(of: "docs/checking.md")
        let section = try #require(document.firstRange(of: "### Each week, with a mail only"))
        let rest = document[section.upperBound...]
        let start = try #require(rest.firstRange(of: "```sh\n"))
        let script = String(rest[start.upperBound...].prefix { $0 != "`" })
        let path = "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin"
        let good = try home.bash(script, variables: ["PATH": path])
        #expect(good.status == 0 && home.text(of: "mails") == nil, "\(good.complaint)")
        try makeRule("everything", "{}")
        let bad = try home.bash(script, variables: ["PATH": path])
        #expect(bad.status == 0, "\(bad.complaint)")
        let mails = home.text(of: "mails") ?? ""
        #expect(mails.contains("-s The drill failed ") && mails.contains("sets off an alert rule"))
    }
}
