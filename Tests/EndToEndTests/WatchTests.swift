import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `events watch` and `events wait` against the demo; its own list is what counts.
@Suite(.waitsForPrograms)
struct WatchTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func ids(_ words: String...) throws -> [String] {
        let ran = try home.argus(["events"] + words + ["--fields", "id", "--no-header"])
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    @Test(
        "new events are printed once each, whatever the server's generation",
        arguments: ["current", "mobile", "documented"])
    func arrivals(api: String) throws {
        try home.signIn(to: try DemoServer("--events", "50", "--rate", "600", api: api))
        let old = Set(try ids("list", "--all", "--format", "csv"))
        let seen = try ids("watch", "--poll", "100ms", "--limit", "30", "--format", "csv")
        #expect(seen.count == 30 && Set(seen).count == 30)
        #expect(old.isDisjoint(with: seen) || api != "current")
        let all = Set(try ids("list", "--all", "--format", "csv"))
        #expect(all.isSuperset(of: seen))
    }

    @Test(
        "an answer from something in front of the server ends no watch and no wait",
        arguments: [200, 400, 401, 403, 404, 405, 410, 413, 418, 451, 500, 502])
    func intermediary(status: Int) throws {
        let fault = "route=/api/v1/events,method=GET,after=4,times=4,status=\(status),html"
        try home.signIn(
            to: try DemoServer("--rate", "1200", "--rate-limits", "off", "--fault", fault))
        let words = ["--poll", "50ms", "--retries", "0"]
        let ran = try home.argus(
            ["events", "watch", "--limit", "20", "--format", "ndjson"] + words)
        #expect(ran.status == 0 && ran.lines.count == 20, "\(ran.complaint)")
        let warning = "does not answer as an ArgusAI server does (HTTP \(status))"
        #expect(ran.complaint.contains(warning), "\(ran.complaint)")
        #expect(ran.complaint.contains("answers again"), "\(ran.complaint)")
    }

    @Test("with a state, each watch goes on where the last one ended, also after kill -9")
    func state() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let all = try ids("list", "--all", "--since", "2d", "--format", "csv")
        // No run finds all of them printed.
        try #require(all.count > 6 * 60)
        let script = """
            # Each run is killed as soon as it has printed a few lines.
            for run in 1 2 3 4 5 6; do
                : > part
                argus events watch --state door --since 2d --format csv --no-header --fields id \\
                    --limit 60 > part 2>> errors & watch=$!
                until [ "$(wc -l < part)" -ge 2 ]; do
                    kill -0 $watch || break
                done
                kill -9 $watch; wait $watch
                cat part
            done
            """
        let ran = try home.bash(script)
        var printed = ran.lines
        // What comes again counts for `--limit`, too.
        for _ in 0...6 {
            let missing = Set(all).subtracting(printed).count
            if missing == 0 { break }
            printed += try ids(
                "watch", "--state", "door", "--since", "2d", "--limit", "\(missing)", "--format",
                "csv")
        }
        #expect(Set(printed) == Set(all))
        // At most the event in flight comes again.
        #expect(printed.count <= all.count + 6)
        #expect(try ids("watch", "--state", "door", "--for", "1s", "--format", "csv").isEmpty)
    }

    @Test("a state has one owner, one server and one filter")
    func owners() throws {
        try home.signIn(to: try DemoServer())
        let script = """
            argus events watch --state door & watch=$!
            until [ -s .local/state/argus/watch/door/ledger ]; do :; done
            argus events watch --state door; echo "status $?"
            kill -TERM $watch; wait $watch; echo "status $?"
            argus events watch --state door --type package; echo "status $?"
            argus events watch --state ../door; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 1", "status 0", "status 2", "status 2"])
        #expect(ran.complaint.contains("the state 'door' is in use by process "))
        #expect(ran.complaint.contains("the state 'door' belongs to a watch with no conditions"))
        #expect(try home.files().filter { $0.contains("watch/") }.count == 4)
    }

    @Test("one watch of several servers names the server of each event, and has a state for each")
    func severalServers() throws {
        for name in ["home", "cabin"] {
            let server = try DemoServer("--rate", "600", "--seed", "\(name.count)")
            try home.signIn(to: server, "--name", name)
        }
        var seen: [String] = []
        for words in [["-s", "all"], ["-s", "cabin,home"]] {
            let ran = try home.argus(
                ["events", "watch", "--state", "door", "--limit", "20", "--format", "csv"]
                    + ["--fields", "server,id", "--no-header"] + words)
            #expect(ran.status == 0 && ran.lines.count == 20, "\(ran.complaint)")
            seen += ran.lines
        }
        #expect(Set(seen).count == 40)
        #expect(Set(seen.map { $0.prefix { $0 != "," } }) == ["home", "cabin"])
        let states = try home.argus(
            "events", "watch", "--list-states", "--format", "csv", "--fields", "server,name"
        ).lines
        #expect(states.count == 3 && states.dropFirst().allSatisfy { $0.contains(",door@") })
        // A command knows the server; SIGTERM ends the watch of all with status 0.
        let script = """
            argus events watch -s all --state hooks -- sh -c 'echo $ARGUS_EVENT_SERVER_NAME >> names' &
            watch=$!
            until grep -q home names && grep -q cabin names; do kill -0 $watch || break; done 2> /dev/null
            kill -TERM $watch; wait $watch; echo "status $?"
            """
        #expect(try home.bash(script).lines == ["status 0"])
    }

    @Test("a server that is down or refuses for good does not end the watch of another")
    func otherServers() throws {
        let refusal =
            "route=/api/v1/events,method=GET,status=403,content-type=application/json,"
            + #"body={"detail":"no"}"#
        let server = try DemoServer("--rate", "600")
        let cabin = try DemoServer("--rate", "600")
        try home.signIn(to: server, "--name", "home")
        try home.signIn(to: try DemoServer(faults: [refusal]), "--name", "barn")
        try home.signIn(to: cabin, "--name", "cabin")
        cabin.stop()
        let watch = ["events", "watch", "--limit", "20", "--format", "csv", "--no-header", "-s"]
        let down = try home.argus(watch + ["home,cabin", "--fields", "server", "--retries", "0"])
        #expect(down.status == 0 && down.lines == Array(repeating: "home", count: 20))
        #expect(down.complaint.contains("cannot reach 'cabin'"), "\(down.complaint)")
        let refused = try home.argus(watch + ["home,barn", "--fields", "server"])
        #expect(refused.status == 11 && refused.lines == Array(repeating: "home", count: 20))
        #expect(refused.complaint.contains("'barn' is not watched"), "\(refused.complaint)")
        #expect(refused.complaint.contains(#""id":"barn""#), "\(refused.complaint)")
        // Nothing is left to watch.
        #expect(try home.argus("events", "watch", "-s", "barn,barn").status == 5)
    }

    @Test("a closed pipe, Ctrl-C and the end of time are ends with status 0")
    func ends() throws {
        try home.signIn(to: try DemoServer("--rate", "600"))
        // Without job control a shell lets its background jobs ignore Ctrl-C.
        let script = """
            set -m
            argus events watch --poll 100ms | head -1 | wc -l; echo "${PIPESTATUS[0]}"
            for format in table csv; do
                argus events watch --no-header --format $format > $format & watch=$!
                until [ -s $format ]; do kill -0 $watch || break; done
                kill -INT $watch; wait $watch; echo $?
            done
            argus events watch --for 1ms; echo $?
            argus events watch > /dev/full; echo $?
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["1", "0", "0", "0", "0", "1"])
    }

    @Test("a signal ends a watch whose reader takes nothing")
    func stuckReader() throws {
        try home.signIn(to: try DemoServer("--events", "20000"))
        // The first slice of the backlog does not fit in a pipe of 4 KiB (F_SETPIPE_SZ).
        let script = """
            set -m
            mkfifo pipe; exec 9<> pipe
            python3 -c 'import fcntl; fcntl.fcntl(9, 1031, 4096)'
            argus events watch --since 30d --format ndjson > pipe & watch=$!
            read -r -u 9 line
            kill -TERM $watch; wait $watch; echo $?
            """
        #expect(try home.bash(script).lines == ["143"])
    }

    @Test("a row that is not an event is a gap, reported once")
    func malformedRow() throws {
        let body = #"{"events":[{"x":1}],"total_count":1,"has_more":false}"#
        let server = try DemoServer(
            faults: [
                "route=/api/v1/events,method=GET,status=200,content-type=application/json,"
                    + "body=\(body)"
            ])
        try home.signIn(to: server)
        let watch = try home.launch(["events", "watch", "--poll", "100ms"]).start()
        try watch.wait(for: "is not an event")
        let count = server.count("/api/v1/events")
        while server.count("/api/v1/events") < count + 3 { poll(nil, 0, 20) }
        watch.send(SIGTERM)
        let ran = try watch.finish()
        #expect(ran.status == 12)
        #expect(ran.complaint.split(separator: "\n").count == 2, "\(ran.complaint)")
        #expect(ran.complaint.hasPrefix("argus: gap: '127.0.0.1' sent a row that is not an event"))
    }

    @Test("wait prints what comes, or is status 13")
    func wait() throws {
        try home.signIn(to: try DemoServer("--rate", "600"))
        let ran = try home.argus("events", "wait", "-n", "2", "--json", "--fields", "type")
        #expect(ran.status == 0 && ran.json.list.count == 2)
        let none = try withEnoughTime {
            try home.argus("events", "wait", "--search", "zzz", "--for", $0)
        }
        #expect(none.status == 13 && none.text.isEmpty)
        #expect(none.complaint == "argus: no event that matches came in time\n")
    }

    @Test("a signal kills a wait, so that a script does not take it for an answer")
    func interruptedWait() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        let script = """
            set -m
            for signal in INT TERM; do
                argus events wait --search zzz -v 2> told & wait=$!
                until grep -q 'announces events' told; do kill -0 $wait || break; done
                kill -$signal $wait; wait $wait; echo $?
            done
            """
        #expect(try home.bash(script).lines == ["130", "143"])
    }

    @Test("a server that is down is waited for; a refused sign-in ends the watch")
    func failures() throws {
        let server = try DemoServer("--token-ttl", "1")
        try home.signIn(to: server)
        server.stop()
        let down = try withEnoughTime(1500, until: { !$0.complaint.isEmpty }) {
            try home.argus("events", "watch", "--retries", "0", "--for", $0)
        }
        #expect(down.status == 0)
        #expect(down.complaint.contains("trying again"))
        #expect(down.complaint.split(separator: "\n").count == 1)
        let wait = try home.argus("events", "wait", "--retries", "0", "--for", "1500ms")
        #expect(wait.status == 6 && wait.complaint.contains("did not answer in the end"))
        let json = try home.argus("events", "watch", "--format", "json")
        #expect(json.status == 2 && json.complaint.contains("use ndjson"))
    }
}

/// Runs a command again with twice the milliseconds for its `--for`, until that was enough: by default
/// for an answer of the server, without which a wait is status 6.
func withEnoughTime(
    _ first: Int = 500, until isEnough: (ProgramResult) -> Bool = { $0.status != 6 },
    _ run: (_ limit: String) throws -> ProgramResult
) rethrows -> ProgramResult {
    var milliseconds = first
    while true {
        let ran = try run("\(milliseconds)ms")
        if isEnough(ran) || milliseconds > 60_000 { return ran }
        milliseconds *= 2
    }
}
