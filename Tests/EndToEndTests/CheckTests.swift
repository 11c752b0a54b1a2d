import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `argus check` against the demo: each row made true and false.
@Suite("check", .waitsForPrograms)
struct CheckTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Enough events to learn from.
    private static let lively = ["--all-online", "--events", "4000"]

    private func demo(_ options: [String], api: String = "current") throws -> DemoServer {
        let server = try DemoServer(options: Self.lively + options, api: api)
        try home.signIn(to: server)
        return server
    }

    /// A run of `argus check`, and its rows as `state check subject`.
    private func check(
        _ words: String..., variables: [String: String] = [:]
    ) throws -> (ran: ProgramResult, rows: [String]) {
        let ran = try home.argus(["check", "--format", "ndjson"] + words, variables: variables)
        #expect(!ran.complaint.contains("Fatal"), "\(ran.complaint)")
        return (ran, Self.rows(of: ran))
    }

    private static func rows(of ran: ProgramResult) -> [String] {
        ran.records.map { row in
            ["state", "check", "subject"].compactMap { row[$0]?.string }.joined(separator: " ")
        }
    }

    /// The details of the rows of a check.
    private func details(_ check: String, _ ran: ProgramResult) -> [String] {
        ran.records.filter { $0["check"]?.string == check }.compactMap { $0["detail"]?.string }
    }

    private static let cameras = [
        "Front Door", "Driveway", "Garage", "Porch", "前庭", "Back Garden",
    ]

    // The rows.

    @Test("a house that is well has only good rows, and later checks ask six times")
    func well() throws {
        let server = try demo(["--fault", "delay=300ms", "--protect", "connected"])
        let (ran, rows) = try check("--pictures")
        #expect(ran.status == 0, "\(ran.complaint)")
        let bad = rows.filter { !$0.hasPrefix("ok ") }
        // The embedded server's tokens end after a day.
        #expect(bad == ["warn sign-in"], "\(ran.text)")
        let each = ["camera", "silence", "picture"].flatMap { check in
            Self.cameras.map { "ok \(check) \($0)" }
        }
        let whole = ["server", "descriptions", "protect Demo Protect", "queue", "disk", "clock"]
        #expect(Set(rows) == Set(each + whole.map { "ok \($0)" } + bad))
        let before = server.requests.count
        #expect(try check().ran.status == 0)
        let paths = server.requests.dropFirst(before).compactMap { request in
            request["target"]?.string.map { String($0.prefix { $0 != "?" }) }
        }
        #expect(
            paths.sorted() == [
                "/api/v1/alert-rules", "/api/v1/cameras", "/api/v1/events", "/api/v1/metrics",
                "/health", "/metrics",
            ])
    }

    @Test("a house with all faults names each of them: status 11")
    func ill() throws {
        _ = try demo([
            "--camera-fault", "stopped,camera=Garage", "--camera-fault", "black,camera=Porch",
            "--camera-fault", "plain,camera=Driveway", "--undescribed", "60", "--protect",
            "silent", "--queue", "50", "--disk", "95", "--clock-offset", "60",
        ])
        let (ran, rows) = try check("--pictures")
        #expect(ran.status == 11)
        #expect(
            rows.filter { $0.hasPrefix("fail ") } == [
                "fail silence Garage", "fail picture Driveway", "fail picture Porch",
                "fail descriptions", "fail protect Demo Protect", "fail queue", "fail disk",
                "fail clock",
            ], "\(ran.text)")
        #expect(details("picture", ran).prefix(2) == ["of one colour", "black"])
        #expect(details("silence", ran)[0].contains("never quiet at these hours for more than"))
        #expect(details("queue", ran) == ["full: the server drops events"])
        #expect(details("disk", ran) == ["95 % of the server's disk used"])
        #expect(details("protect", ran) == ["connected, last message 20 min ago"])
        #expect(details("clock", ran)[0].contains("ahead of this machine's"))
        #expect(
            ran.error?["message"]?.string
                == "failed: silence, picture, descriptions, protect, queue, disk, clock")
        #expect(rows.contains("ok silence Porch") && rows.contains("ok server"))
    }

    @Test("lost, nearly full and capped: other ways to fail, and warnings, which are no failure")
    func others() throws {
        let server = try demo([
            "--protect", "disconnected", "--queue", "44", "--cost-cap", "daily",
            "--clock-offset", "-60",
        ])
        let (ran, rows) = try check()
        #expect(ran.status == 11)
        #expect(
            rows.filter { $0.hasPrefix("fail ") } == [
                "fail descriptions", "fail protect Demo Protect", "fail clock",
            ])
        let paused = try #require(details("descriptions", ran).first)
        #expect(paused.hasPrefix("paused by the server since "))
        #expect(paused.hasSuffix(": cost cap daily"))
        #expect(rows.contains("warn queue"))
        #expect(try check("--only", "queue,sign-in").ran.status == 0, "warnings only")
        server.stop()
    }

    @Test("cameras that are offline, disabled, or not captured")
    func cameras() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        let (ran, rows) = try check("--only", "camera")
        #expect(ran.status == 11)
        #expect(rows.first == "fail camera Porch" && rows.count == 6)
        #expect(details("camera", ran).contains("offline: Connection refused"))
        #expect(details("camera", ran).contains("disabled"))
        let one = try check("Garage")
        #expect(one.rows.filter { $0.hasSuffix("camera Garage") }.count == 1)
        #expect(!one.rows.contains { $0.hasSuffix("Porch") })
        #expect(try home.argus("check", "Nowhere").status == 3)
    }

    @Test("power goes: cameras that are silent together are one finding")
    func together() throws {
        _ = try demo(["--camera-fault", "stopped"])
        let (ran, rows) = try check("--only", "silence")
        #expect(rows == ["fail silence"], "\(ran.text)")
        #expect(details("silence", ran)[0].hasPrefix("all 6 cameras silent since "))
    }

    @Test("limits of one's own: --quiet-for, --disk and --only")
    func limits() throws {
        let server = try demo([])
        #expect(try check("--only", "disk", "--disk", "24").rows == ["fail disk"])
        #expect(try check("--only", "disk", "--disk", "25").rows == ["ok disk"])
        let before = server.requests.count
        #expect(try check("--only", "disk").ran.status == 0)
        #expect(server.requests.count == before + 1)
        let strict = try check("--only", "silence", "--quiet-for", "1s")
        #expect(strict.ran.status == 11)
        #expect(strict.rows == Self.cameras.map { "fail silence \($0)" })
        #expect(try check("--only", "silence", "--quiet-for", "30d").ran.status == 0)
        #expect(try check("--only", "watches,archive,push").rows.isEmpty)
        for words in [
            ["--only", "disks"], ["--disk", "0"], ["--disk", "101"], ["--quiet-for", "often"],
            ["--nagios", "--openmetrics"], ["--changes", "--nagios"],
        ] { #expect(try home.argus(["check"] + words).status == 2, "\(words)") }
    }

    @Test("a house that begins to be watched is neither well nor ill")
    func young() throws {
        try home.signIn(to: try DemoServer("--all-online", "--events", "0"))
        let (ran, rows) = try check()
        #expect(ran.status == 0)
        #expect(
            rows.filter { $0.contains("silence") } == Self.cameras.map { "unknown silence \($0)" })
        #expect(
            details("silence", ran)[0].hasPrefix("no event in four weeks; its silence is judged"))
    }

    // Pictures.

    @Test("a camera that sends the same picture ten minutes later is stuck, not before")
    func frozen() throws {
        _ = try demo(["--camera-fault", "frozen,camera=Garage"])
        func rows() throws -> [String] { try check("--pictures", "--only", "picture").rows }
        #expect(try rows() == Self.cameras.map { "ok picture \($0)" })
        #expect(try rows().allSatisfy { $0.hasPrefix("ok") })
        // As if its first one had been taken long ago.
        let aged = try home.bash(
            """
            id=$(argus cameras list --format ndjson | jq -r 'select(.name=="Garage").id')
            cd .local/state/argus/check; file=$(echo *.json); umask 077
            jq -c --arg id "$id" '.pictures[$id].since = "2026-01-01T00:00:00.000000Z"' \
              "$file" >new && mv new "$file"
            """)
        #expect(aged.status == 0, "\(aged.complaint)")
        let ran = try check("--pictures", "--only", "picture")
        #expect(ran.rows.first == "fail picture Garage" && ran.ran.status == 11)
        #expect(ran.rows.count { $0.hasPrefix("fail") } == 1)
        #expect(details("picture", ran.ran)[0].hasPrefix("exactly the same picture since "))
    }

    @Test(
        "a camera without a picture fails, and only chosen cameras take one")
    func noPicture() throws {
        _ = try demo(["--fault", "route=*/snapshot,after=6,status=404"])
        let chosen = try check("--pictures", "--only", "picture", "Garage")
        #expect(chosen.rows == ["ok picture Garage"])
        let (ran, rows) = try check("--pictures", "--only", "picture")
        #expect(rows.count { $0.hasPrefix("fail picture ") } == 1, "\(ran.text)")
        #expect(rows.count { $0.hasPrefix("ok picture ") } == 5)
    }

    @Test("without libturbojpeg pictures are unknown, with the package that has it")
    func noLibrary() throws {
        _ = try demo([])
        // A file that is no library hides the real one.
        try home.write("no library", to: "lib/libturbojpeg.so.0")
        let hidden = try check(
            "--pictures", "--only", "picture", variables: ["LD_LIBRARY_PATH": home.file("lib")])
        #expect(hidden.ran.status == 0)
        #expect(hidden.rows == Self.cameras.map { "unknown picture \($0)" })
        #expect(details("picture", hidden.ran)[0].hasSuffix("install the package 'libturbojpeg0'"))
    }

    @Test("pictures that are no pictures are unknown, and the other cameras are judged")
    func strangePictures() throws {
        _ = try demo([
            "--fault",
            "route=*/snapshot,times=1,status=200,content-type=image/jpeg,body=\u{FFFD}JFIF",
        ])
        let (ran, rows) = try check("--pictures", "--only", "picture")
        #expect(rows.count { $0.hasPrefix("ok ") } == 5, "\(ran.text)")
        #expect(!rows.allSatisfy { $0.hasPrefix("ok ") })
    }

    // Statuses.

    @Test("a server that is down is one clear line within 5 s: status 6")
    func down() throws {
        let server = try demo([])
        #expect(try check().ran.status == 0)
        server.stop()
        let start = ContinuousClock.now
        let (ran, rows) = try check("--pictures")
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(ran.status == 6 && rows == ["fail server"], "\(ran.text)")
        #expect(ran.error?["reason"]?.string == "check_failed")
        #expect(ran.text.contains("connection refused"))
        let metrics = try home.argus("check", "--openmetrics")
        #expect(metrics.status == 6 && metrics.text.contains("check=\"server\"} 2"))
    }

    @Test("a server that accepts and never answers is unreachable within 5 s: status 6")
    func silentServer() throws {
        let server = try demo(["--fault", "after=2,silent"])
        let start = ContinuousClock.now
        let (ran, rows) = try check("--pictures")
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(ran.status == 6 && rows == ["fail server"], "\(ran.text)")
        server.stop()
    }

    @Test("a sign-in that the server refuses is no good row, and the rest is said: status 4")
    func refused() throws {
        let server = try demo([
            "--fault", "route=/api/v1/,after=2,status=401,body={\"detail\":\"Not authenticated\"}",
        ])
        let (ran, rows) = try check()
        #expect(ran.status == 4, "\(ran.complaint)")
        #expect(rows.filter { $0.hasPrefix("fail ") } == ["fail sign-in"], "\(ran.text)")
        #expect(rows.contains("ok disk"))
        #expect(!rows.contains { $0.hasPrefix("ok camera") || $0.hasPrefix("ok silence") })
        #expect(try home.argus("logout", "--json").status != nil)
        let out = try check()
        #expect(out.ran.status == 4 && out.rows == ["fail sign-in"])
        let never = try TemporaryHome()
        #expect(try never.argus("check").status == 4)
        server.stop()
    }

    @Test("certificates that last, end soon, and are another's: status 9")
    func certificates() throws {
        let server = try DemoServer(options: Self.lively, api: "current")
        let ran = try FrontServer.launch(
            """
            certificate a; cert a -key a.key -days 60; certificate b; serve a
            login --fingerprint $(fingerprint a)
            check() { argus check --only certificate,server --format csv --no-header \
              --fields state,check; echo "status $?"; }
            check; cert a -key a.key -days 5; serve a; check; serve b; check
            argus check --nagios; echo "status $?"
            """, in: home, before: server
        ).start().finish()
        #expect(
            ran.lines.prefix(8) == [
                "ok,server", "ok,certificate", "status 0", "warn,certificate", "ok,server",
                "status 0", "fail,server", "status 9",
            ], "\(ran.text)\n\(ran.complaint)")
        #expect(ran.lines.last == "status 2")
    }

    // Output.

    @Test("--changes says once what began and what ended")
    func changes() throws {
        let server = try demo([
            "--fault",
            "route=/api/v1/metrics,after=1,times=2,status=200,body={\"queue_depth\":50}",
        ])
        func run() throws -> ProgramResult {
            try home.argus("check", "--only", "queue", "--changes")
        }
        let first = try run()
        #expect(first.status == 0 && first.text.isEmpty)
        let began = try run()
        #expect(began.status == 11 && began.text.contains("full: the server drops events"))
        let lasting = try run()
        #expect(lasting.status == 0 && lasting.text.isEmpty && lasting.complaint.isEmpty)
        let ended = try run()
        #expect(ended.status == 0 && ended.text.contains("ok"))
        server.stop()
        #expect(try run().status == 6)
        #expect(try run().status == 0)
        _ = try home.argus("logout")
        #expect(try run().status == 4, "it is another finding")
        let lost = try run()
        #expect(lost.status == 0 && lost.text.isEmpty, "\(lost.text)")
    }

    @Test("--nagios prints one line with data, and has the statuses 0 to 3")
    func nagios() throws {
        let server = try demo([
            "--fault", "route=/metrics,after=3,times=1,html",
        ])
        for (words, status, word) in [
            (["--only", "server,disk"], 0, "OK"), (["--only", "disk,sign-in"], 1, "WARNING"),
            (["--disk", "20"], 2, "CRITICAL"), (["--only", "disk,camera"], 3, "UNKNOWN"),
            (["Nowhere"], 3, "UNKNOWN"),
        ] as [([String], Int32, String)] {
            let ran = try home.argus(["check", "--nagios"] + words)
            #expect(ran.status == status, "\(words): \(ran.text)")
            #expect(ran.lines.count == 1 && ran.text.hasPrefix("ARGUS \(word) - "), "\(ran.text)")
            #expect(ran.complaint.isEmpty, "\(ran.complaint)")
        }
        server.stop()
        let down = try home.argus("check", "--nagios")
        #expect(down.status == 2 && down.text.contains("connection refused"))
    }

    @Test("--openmetrics has each number with its labels, and -o replaces a file at once")
    func metrics() throws {
        _ = try demo(["--disk", "95", "--camera-fault", "stopped,camera=Garage"])
        try home.write("old", to: "argus.prom", mode: 0o644)
        let ran = try home.bash(
            """
            umask 022; inode() { stat -c %i argus.prom; }; before=$(inode)
            argus check --openmetrics -o argus.prom; echo "status $?"
            [ $before != $(inode) ] && echo replaced; stat -c %a argus.prom; ls
            argus check --openmetrics -o new.prom; stat -c %a new.prom
            argus check --openmetrics -o nowhere/argus.prom; echo "status $?"
            argus check --openmetrics -o - | tail -n 1
            """)
        #expect(
            ran.lines == [
                "status 11", "replaced", "644", "argus.prom", "644", "status 1", "# EOF",
            ], "\(ran.text)\n\(ran.complaint)")
        let text = try #require(home.text(of: "argus.prom"))
        #expect(text.hasSuffix("# EOF\n"))
        #expect(text.contains("argus_check_state{server=\"127.0.0.1\",check=\"disk\"} 2\n"))
        #expect(text.contains("argus_check_ratio{server=\"127.0.0.1\",check=\"disk\"} 0.95\n"))
        #expect(text.contains("check=\"silence\",subject=\"Garage\"} 2\n"))
    }

    @Test("a table is for people, on a terminal with what to do and a summary")
    func table() throws {
        _ = try demo(["--disk", "95"])
        let plain = try home.argus("check", "--only", "disk,queue")
        #expect(plain.lines.first?.hasPrefix("STATE  CHECK") == true)
        let shown = try home.argusOnTerminal("check", "--only", "disk,queue")
        #expect(shown.text.contains("2 checks: 1 ok, 1 fail"))
        #expect(
            shown.text.contains("hint: ") && shown.text.contains("shorten the server's retention"))
    }

    // What runs here.

    @Test("a watch whose process is gone, events that are set aside, and states that are damaged")
    func watches() throws {
        _ = try demo([])
        let ran = try home.bash(
            """
            argus events watch --state door & watch=$!
            row() { argus check --only watches --format csv --no-header \
              --fields state,subject,detail; echo "status $?"; }
            until [ -s .local/state/argus/watch/door/ledger ]; do sleep 0.05; done
            row
            kill -KILL $watch; wait $watch 2>/dev/null
            row
            argus events watch --forget door --yes 2>/dev/null; row
            """)
        let lines = ran.lines
        #expect(lines.count == 5, "\(ran.text)\n\(ran.complaint)")
        #expect(lines.prefix(2) == ["ok,door,runs", "status 0"])
        #expect(lines.dropFirst(2).first?.hasPrefix("fail,door,no process watches with it") == true)
        #expect(lines.suffix(2) == ["status 11", "status 0"])
        let failing = try home.argus(
            "events", "watch", "--state", "yard", "--since", "2d", "--limit", "3", "--hook-tries",
            "1", "--", "false")
        #expect(failing.status == 11)
        let aside = try check("--only", "watches")
        #expect(aside.rows == ["fail watches yard"])
        #expect(details("watches", aside.ran)[0].hasPrefix("3 events set aside"))
        let path = ".local/state/argus/watch/yard/watch.json"
        let text = try #require(home.text(of: path))
        for damage in ["{", "", text.replacing("\"version\":1", with: "\"version\":9")] {
            try home.write(damage, to: path)
            let damaged = try check("--only", "watches")
            #expect(damaged.rows == ["unknown watches yard"], "\(damaged.ran.text)")
            #expect(damaged.ran.status == 0)
        }
    }

    @Test("an archive that is late, was never synced, or is unreadable")
    func archive() throws {
        _ = try demo([])
        try home.argus("archive", "init", "kept")
        try home.argus("config", "set", "archive_dir", home.file("kept"))
        let empty = try check("--only", "archive")
        #expect(empty.rows == ["fail archive"] && empty.ran.text.contains("never synced"))
        #expect(try home.argus("archive", "sync", "--no-pictures").status == 0)
        #expect(try check("--only", "archive").rows == ["ok archive"])
        // The last one was three days ago.
        let aged = try home.bash(
            """
            python3 - <<'END'
            import sqlite3
            base = sqlite3.connect('kept/archive.db')
            base.execute('update server set last_sync = last_sync - 3 * 86400 * 1000000')
            base.commit()
            END
            """)
        #expect(aged.status == 0, "\(aged.complaint)")
        let late = try check("--only", "archive")
        #expect(late.rows == ["fail archive"] && late.ran.status == 11, "\(late.ran.text)")
        #expect(late.ran.records.first?["hint"]?.string == "run 'argus archive sync' on a timer")
        try home.write("no database", to: "kept/archive.db")
        let damaged = try check("--only", "archive")
        #expect(damaged.rows == ["unknown archive"], "\(damaged.ran.text)")
    }

    @Test("receivers that get their pushes, that do not, and that cannot any more")
    func receivers() throws {
        let services = try PushServices(in: home, faults: ["provider=webpush,status=418"])
        _ = try demo([])
        let all = services.text(of: "tokens.ndjson").split(separator: "\n")
        let one = all.filter { $0.contains("\"webpush 1\"") }
        try home.write(one.joined(), to: "receivers.ndjson")
        let ran = try home.bash(
            """
            argus config set push.vapid_subject mailto:ann@example.org 2>/dev/null
            argus notify key show >/dev/null; argus notify receivers import receivers.ndjson
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(try check("--only", "push").rows == ["ok push webpush 1"])
        let id = try #require(
            home.argus("events", "list", "--limit", "1", "--json").json.list.first?["id"]?.string)
        _ = try home.argus(
            "notify", "run", id, "--cacert", services.certificate, variables: services.environment)
        let failed = try check("--only", "push")
        #expect(failed.rows == ["warn push webpush 1"], "\(failed.ran.text)")
        #expect(details("push", failed.ran).first?.hasPrefix("the last push failed: ") == true)
        #expect(try home.argus("notify", "key", "rotate", "--yes").status == 0)
        let lost = try check("--only", "push")
        #expect(lost.rows == ["fail push webpush 1"] && lost.ran.status == 11)
        #expect(details("push", lost.ran)[0].hasSuffix(": the VAPID key was replaced"))
    }

    // Bad input.

    @Test(
        "older generations have only the rows that they can have",
        arguments: ["mobile", "documented"])
    func generations(_ api: String) throws {
        _ = try demo([], api: api)
        let (ran, rows) = try check("--pictures")
        #expect(ran.status == 0, "\(ran.text)\n\(ran.complaint)")
        for name in ["queue", "disk", "protect", "rules"] {
            #expect(!rows.contains { $0.contains(" \(name)") }, "\(rows)")
        }
        #expect(rows.contains("ok server") && rows.contains("ok camera Garage"))
    }

    @Test(
        "a server without these routes, or with a page there, has no good row by that",
        arguments: [
            "status=404,body={\"detail\":\"Not Found\"}", "html", "html,status=200", "status=500",
            "status=200,body=", "garbage", "reset", "truncate=20", "silent",
        ])
    func oddRoutes(_ fault: String) throws {
        for route in [
            "/api/v1/metrics", "/metrics", "/health", "/api/v1/alert-rules", "/api/v1/events",
        ] {
            let home = try TemporaryHome()
            let server = try DemoServer(
                options: Self.lively + ["--fault", "route=\(route),\(fault)"], api: "current")
            try home.signIn(to: server)
            let ran = try home.argus(["check", "--format", "ndjson"])
            let rows = Self.rows(of: ran)
            // Without the list of events nothing is known of the house.
            let isBlind = route == "/api/v1/events" && !fault.hasPrefix("status=404")
            #expect(
                ran.status == (isBlind ? 11 : 0), "\(route): \(ran.text)\n\(ran.complaint)")
            let needing =
                [
                    "/api/v1/metrics": ["queue"], "/metrics": ["disk"], "/health": ["clock"],
                    "/api/v1/alert-rules": ["rules"],
                    "/api/v1/events": ["silence", "descriptions"],
                ][route] ?? []
            for name in needing {
                let states = rows.filter { $0.contains(" \(name)") }.map { $0.prefix { $0 != " " } }
                #expect(!states.contains("ok") && !states.contains("fail"), "\(route): \(rows)")
            }
            #expect(rows.contains(isBlind ? "fail server" : "ok server"))
            #expect(rows.contains("ok camera Garage"))
        }
    }

    @Test("metrics of 10 MB are read")
    func largeMetrics() throws {
        _ = try demo(["--asked-paths", "8000", "--queue", "50"])
        #expect(try check("--only", "queue,disk").rows == ["fail queue", "ok disk"])
    }

    @Test("cameras that vanish between two requests")
    func vanishing() throws {
        _ = try demo([
            "--fault", "route=/api/v1/cameras/health,status=200,body={}", "--fault",
            "route=*/snapshot,status=404,body={\"detail\":\"Camera not found\"}",
        ])
        let (ran, rows) = try check("--pictures")
        #expect(ran.status == 11)
        #expect(rows.filter { $0.contains("picture") } == Self.cameras.map { "fail picture \($0)" })
        let other = try TemporaryHome()
        let empty = try DemoServer(
            options: Self.lively + [
                "--fault", "route=/api/v1/cameras,after=1,status=200,body=[]",
            ], api: "current")
        try other.signIn(to: empty)
        for _ in 0..<2 {
            let none = try other.argus("check", "--format", "ndjson")
            #expect(none.status == 0 && !none.complaint.contains("Fatal"), "\(none.complaint)")
        }
    }

    @Test("an empty house is unknown, and one with 200 cameras has 200 rows a check")
    func sizes() throws {
        try home.signIn(to: try DemoServer("--cameras", "0", "--events", "0"))
        let (ran, rows) = try check()
        #expect(ran.status == 0 && rows.contains("unknown camera"), "\(ran.text)")
        let other = try TemporaryHome()
        try other.signIn(
            to: try DemoServer("--cameras", "200", "--all-online", "--events", "9000"))
        for _ in 0..<2 {
            let all = Self.rows(of: try other.argus("check", "--format", "ndjson"))
            #expect(all.count { $0.hasPrefix("ok camera ") } == 200)
            #expect(all.count { $0.contains(" silence ") } == 200)
        }
        let line = try other.argus("check", "--nagios")
        #expect(line.lines.count == 1)
    }

    @Test("what checks have learnt is set aside if it is damaged or newer, and learnt again")
    func memory() throws {
        _ = try demo([])
        #expect(try check().ran.status == 0)
        let file = try #require(home.files(in: ".local/state/argus/check").first)
        let path = ".local/state/argus/check/\(file)"
        let text = try #require(home.text(of: path))
        let half = String(text.prefix(text.count / 2))
        for damage in ["", "{", half, text.replacing("\"version\":1", with: "\"version\":2")] {
            try home.write(damage, to: path)
            let (ran, rows) = try check()
            #expect(ran.status == 0 && rows.contains("ok silence Garage"), "\(ran.text)")
            #expect(ran.complaint.contains("could not be read, and was moved to"))
            #expect(try check().ran.complaint.isEmpty)
        }
        // A folder that cannot be written costs the memory, not the check.
        let ran = try home.bash(
            """
            rm -r .local/state/argus/check; touch .local/state/argus/check
            argus check --only disk; echo "status $?"
            """)
        #expect(ran.lines.last == "status 0", "\(ran.complaint)")
        #expect(ran.complaint.contains("warning"))
    }

    @Test("checks at once do not disturb each other")
    func concurrently() throws {
        _ = try demo([])
        let ran = try home.bash(
            """
            for n in 1 2 3 4; do argus check --format csv --fields state,check,subject,detail |
              grep -v ,server, >$n.csv 2>$n.err & done; wait; cat *.err
            for n in 2 3 4; do diff 1.csv $n.csv; done
            argus check --changes >first; argus check --changes
            """)
        #expect(ran.text.isEmpty && ran.complaint.isEmpty, "\(ran.text)\(ran.complaint)")
    }
}
