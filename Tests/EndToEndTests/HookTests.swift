import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `events watch -- COMMAND` with real programs against the demo; its own list is what counts.
@Suite("hooks", .waitsForPrograms)
struct HookTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// The ids of all events of the last two days.
    private func allIDs() throws -> [String] {
        let ran = try home.argus(
            "events", "list", "--all", "--since", "2d", "--format", "csv", "--no-header",
            "--fields",
            "id")
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    private func hook(_ text: String) throws {
        try home.write("#!/bin/sh\n" + text + "\n", to: "hook", mode: 0o700)
    }

    @Test(
        "each event runs the command once, with the event on stdin and in variables",
        arguments: ["current", "mobile", "documented"])
    func runs(api: String) throws {
        try home.signIn(to: try DemoServer("--events", "200", api: api))
        let all = try allIDs()
        try #require(all.count > 20)
        try hook(
            """
            read -r line
            test "$(printf %s "$line" | tr , '\\n' | head -1)" = "{\\"id\\":\\"$ARGUS_EVENT_ID\\""
            status=$?
            test -n "$ARGUS_EVENT_TYPE$ARGUS_EVENT_TIMESTAMP" || status=1
            test -z "${ARGUS_EVENT_THUMBNAIL+set}" || status=1
            echo "$ARGUS_EVENT_ID $status $ARGUS_EVENT_SERVER_NAME" >> done
            echo out; echo err >&2
            """)
        let ran = try home.argus(
            "events", "watch", "--since", "2d", "--limit", "\(all.count)", "--", "./hook")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.text.isEmpty)
        let errors = ran.complaint.split(separator: "\n")
        #expect(errors.count { $0 == "out" } == all.count)
        #expect(errors.count { $0 == "err" } == all.count)
        let done = (home.text(of: "done") ?? "").split(separator: "\n")
        #expect(Set(done) == Set(all.map { "\($0) 0 127.0.0.1" }) && done.count == all.count)
    }

    @Test("the picture is a private file, whole, and gone afterwards")
    func picture() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        try hook(
            """
            stat -c '%a %n' "$ARGUS_EVENT_THUMBNAIL" >> seen
            head -c 3 "$ARGUS_EVENT_THUMBNAIL" | od -An -tx1 >> seen
            """)
        let ran = try home.bash(
            """
            mkdir tmp; export TMPDIR="$HOME/tmp"
            argus events watch --since 2d --limit 3 --parallel 1 --thumbnail -- ./hook || exit 1
            ls -A tmp; cat seen
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.count == 6)
        #expect(ran.lines.count { $0.hasPrefix("600 \(home.path)/tmp/") } == 3)
        #expect(ran.lines.count { $0.contains("ff d8 ff") } == 3)
    }

    @Test("no secret of argus, and nothing of the service manager's, reaches a command")
    func secrets() throws {
        let server = try DemoServer("--events", "50")
        try home.signIn(to: server)
        let token = try home.argus("token").text.dropLast()
        try hook("env > seen.$ARGUS_EVENT_ID; cat >> seen.$ARGUS_EVENT_ID")
        try home.write(String(token), to: "token")
        let ran = try home.bash(
            """
            export NOTIFY_SOCKET=/nowhere WATCHDOG_USEC=1 WATCHDOG_PID=1 OWN=kept
            export CREDENTIALS_DIRECTORY="$HOME/credentials" ARGUS_EVENT_OTHER=old
            mkdir credentials
            argus events watch --since 2d --limit 1 -- ./hook || exit 1
            export ARGUS_SERVER='\(server.url)' ARGUS_TOKEN_FILE="$HOME/token"
            argus events watch --since 2d --limit 2 -- ./hook || exit 1
            unset ARGUS_TOKEN_FILE; export ARGUS_TOKEN="$(cat token)"
            argus events watch --since 2d --limit 3 -- ./hook || exit 1
            cat seen.*
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.contains("OWN=kept") && ran.lines.contains("ARGUS_SERVER=\(server.url)"))
        for word in [
            String(token), "ARGUS_TOKEN", "NOTIFY_SOCKET", "WATCHDOG", "CREDENTIALS_DIRECTORY",
            "ARGUS_EVENT_OTHER",
        ] { #expect(!ran.text.contains(word), "\(word)") }
    }

    @Test("a command that cannot be started, and options without one, fail before any request")
    func refused() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        let before = server.requests.count
        for words in [
            ["--", "nope"], ["--", "./hook"], ["--", "/"], ["--"], ["hook"], ["--thumbnail"],
            ["--parallel", "2"], ["--hook-tries", "0", "--", "true"],
            ["--fields", "id", "--", "true"],
        ] {
            let ran = try home.argus(["events", "watch"] + words)
            #expect(ran.status == 2, "\(words)")
        }
        #expect(server.requests.count == before)
    }

    @Test("a command that fails is run again, and its event comes once it succeeds")
    func failsOnce() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        try hook("mkdir \"$ARGUS_EVENT_ID\" 2> /dev/null && exit 3; echo $ARGUS_EVENT_ID >> done")
        let ran = try home.argus("events", "watch", "--since", "2d", "--limit", "5", "--", "./hook")
        #expect(ran.status == 0, "\(ran.complaint)")
        let warnings = ran.complaint.split(separator: "\n")
        #expect(
            warnings.count { $0.hasSuffix("ended with status 3; retrying in 10 s") } == 5)
        #expect(Set((home.text(of: "done") ?? "").split(separator: "\n")).count == 5)
    }

    @Test("a command that hangs is ended with what it started, and its event set aside: status 11")
    func hangs() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        try hook("trap '' TERM; sh -c 'echo $$ >> ids; exec sleep 600'; sleep 600")
        let ran = try home.argus(
            "events", "watch", "--since", "2d", "--limit", "2", "--hook-timeout", "100ms",
            "--hook-tries", "1", "--format", "ndjson", "--", "./hook")
        #expect(ran.status == 11)
        #expect(ran.error?["items"]?.list.count == 2)
        #expect(
            ran.complaint.contains("took longer than 100 ms; set aside after 1 try"))
        // A signal takes its time, and a killed process that nobody has waited for is a zombie.
        func isGone(_ id: Substring) -> Bool {
            let state = fileBytes("/proc/\(id)/stat").map { String(decoding: $0, as: UTF8.self) }
            return state?.contains(") Z ") != false
        }
        for id in (home.text(of: "ids") ?? "").split(separator: "\n") {
            for _ in 0..<3000 where !isGone(id) { poll(nil, 0, 20) }
            #expect(isGone(id))
        }
    }

    @Test("a hook may close its stdin, and hundreds of events lose none")
    func hundreds() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let all = try allIDs()
        try #require(all.count > 200)
        try hook("exec 0<&-; echo $ARGUS_EVENT_ID >> done")
        let ran = try home.argus(
            "events", "watch", "--since", "2d", "--limit", "\(all.count)", "--parallel", "8",
            "--state",
            "door", "--", "./hook")
        #expect(ran.status == 0, "\(ran.complaint)")
        let done = (home.text(of: "done") ?? "").split(separator: "\n").map(String.init)
        #expect(done.sorted() == all.sorted())
        let left = try home.files(in: ".local/state/argus/watch/door")
        #expect(left.allSatisfy { !$0.hasSuffix(".json") || $0 == "watch.json" }, "\(left)")
    }

    @Test("with a state nothing is lost when argus is killed, and little comes twice")
    func killed() throws {
        try home.signIn(to: try DemoServer("--events", "600"))
        let all = try allIDs()
        try #require(all.count > 60)
        try hook("echo $ARGUS_EVENT_ID >> done")
        let script = """
            touch done
            is_complete() { [ "$(sort -u done | wc -l)" -ge "$1" ]; }
            for run in 1 2 3 4 5 6; do
                before=$(wc -l < done)
                argus events watch --state door --since 2d -- ./hook 2>> errors & watch=$!
                until [ "$(wc -l < done)" -ge $((before + run)) ] || is_complete "$1"; do
                    kill -0 $watch || break
                done
                kill -9 $watch; wait $watch
            done
            argus events watch --state door --since 2d -- ./hook & watch=$!
            until is_complete "$1"; do kill -0 $watch || break; sleep 0.05; done
            kill -TERM $watch; wait $watch; echo "status $?"
            cat done
            """
        let ran = try home.bash(script, arguments: ["\(all.count)"])
        #expect(ran.lines.first == "status 0", "\(ran.complaint)")
        let done = ran.lines.dropFirst()
        #expect(Set(done) == Set(all))
        // At most those in flight at a kill come again.
        #expect(done.count <= all.count + 6 * 4)
    }

    @Test("Ctrl-C gives running commands time to end, and the status is that of the events")
    func interrupted() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        try hook("echo started >> log; while [ ! -e go ]; do sleep 0.05; done; echo ended >> log")
        let script = """
            set -m
            argus events watch --since 2d --parallel 2 -- ./hook & watch=$!
            until [ "$(cat log 2> /dev/null | wc -l)" -ge 2 ]; do sleep 0.05; done
            kill -INT $watch; touch go; wait $watch; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 0"], "\(ran.complaint)")
        let log = (home.text(of: "log") ?? "").split(separator: "\n")
        #expect(log.count { $0 == "started" } == log.count { $0 == "ended" })
    }

    @Test("a full disk for the state loses nothing")
    func fullDisk() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        let all = try allIDs()
        try hook("echo $ARGUS_EVENT_ID >> done")
        // A file system that is full once the ledger has begun.
        let script = """
            export PATH=\(TemporaryHome.binaries):$PATH; cd \(home.path)
            mkdir -p .local/state/argus/watch/door; chmod 700 .local/state/argus/watch
            mount -t tmpfs -o size=64k,mode=700 none .local/state/argus/watch/door
            touch .local/state/argus/watch/door/{lock,pid,watch.json,ledger}
            rm .local/state/argus/watch/door/watch.json
            chmod 600 .local/state/argus/watch/door/*
            head -c 40k /dev/zero > .local/state/argus/watch/door/filler
            argus events watch --state door --since 2d --poll 200ms -- ./hook & watch=$!
            touch done
            until [ "$(sort -u done | wc -l)" -ge \(all.count) ]; do
              kill -0 $watch || break; sleep 0.05
            done
            kill -TERM $watch; wait $watch; echo "status $?"; sort done
            """
        let ran = try home.bash(
            "\(geteuid() == 0 ? "" : "sudo -E ")unshare -m bash -c \"$1\"", arguments: [script])
        #expect(ran.lines.first == "status 0", "\(ran.complaint)")
        #expect(Set(ran.lines.dropFirst()) == Set(all), "\(ran.complaint)")
    }
}
