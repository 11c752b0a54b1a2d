import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// Writes that wait for their server, from `--queue` to `queue run`.
@Suite("queued writes", .waitsForPrograms)
struct QueueWriteTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Signs in to a server whose next changes of cameras fail with a status.
    @discardableResult
    private func signIn(failing count: Int, with status: Int = 503) throws -> DemoServer {
        let server = try DemoServer(failing: count, with: status)
        try home.signIn(to: server, "--name", "home")
        return server
    }

    private func isEnabled(_ name: String) throws -> Bool? {
        try home.argus("cameras", "show", name, "--json").json["enabled"]?.flag
    }

    private func items() throws -> [JSON] { try home.argus("queue", "--json").json.list }

    /// Queues a change that the server does not take yet, and returns its id.
    private func queueWrite() throws -> String {
        let disable = ["cameras", "disable", "Front Door", "--queue", "--retries", "0"]
        #expect(try home.argus(disable).status == 0)
        return try #require(try items().first?["id"]?.string)
    }

    @Test("a write without a verdict waits with status 0, and is sent by the next run that is due")
    func waits() throws {
        try signIn(failing: 1)
        let queued = try home.argus(
            "cameras", "disable", "Front Door", "--queue", "--retries", "0", "--json")
        #expect(queued.status == 0, "\(queued.complaint)")
        #expect(queued.json["queued"] == true && queued.json["name"]?.string == "Front Door")
        let item = try #require(try items().first)
        #expect(item["id"] == queued.json["queue_id"])
        #expect(item["kind"]?.string == "write" && item["status"]?.string == "waiting")
        #expect(item["operation"]?.string == "cameras disable" && item["user"]?.string == "demo")
        #expect(item["base"]?["enabled"] == true && item["event"] == .null)
        #expect(try isEnabled("Front Door") == true)
        // The pause after an answer has not passed.
        #expect(try home.argus("queue", "run", "--json").json.list.isEmpty)
        let id = try #require(item["id"]?.string)
        #expect(try home.argus("queue", "retry", String(id.prefix(6))).status == 0)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.status == 0 && ran.json.list.first?["result"]?.string == "sent")
        #expect(try items().isEmpty)
        #expect(try isEnabled("Front Door") == false)
        let mode = try home.bash("find .local/state/argus/queue -mindepth 1 -type d | wc -l")
        #expect(mode.lines == ["0"])
    }

    @Test("without --queue nothing waits, and refusals are never queued")
    func refused() throws {
        try signIn(failing: 1)
        #expect(try home.argus("cameras", "disable", "Front Door", "--retries", "0").status == 7)
        #expect(try items().isEmpty)
        for status in [400, 403, 404, 422] {
            let other = try TemporaryHome()
            let server = try DemoServer(failing: 1, with: status)
            try other.signIn(to: server)
            let ran = try other.argus(
                "cameras", "disable", "Front Door", "--queue", "--retries", "0")
            #expect(ran.status == [400: 10, 403: 5, 404: 3, 422: 10][status])
            #expect(try other.argus("queue", "--json").json.list.isEmpty)
        }
        #expect(try home.argus("cameras", "disable", "Nope", "--queue").status == 3)
        #expect(
            try home.argus("cameras", "disable", "Garage", "--queue", "--capture").status == 2)
    }

    @Test("the next command that reaches the server sends what is due, and prints nothing of it")
    func afterCommand() throws {
        try signIn(failing: 1)
        let id = try queueWrite()
        try home.argus("queue", "retry", id)
        let list = try home.argus("cameras", "list", "--json")
        #expect(list.status == 0 && list.complaint == "")
        #expect(try items().isEmpty)
        #expect(try isEnabled("Front Door") == false)
    }

    @Test("what another client has done already is not sent again")
    func alreadyDone() throws {
        let server = try signIn(failing: 1)
        let id = try queueWrite()
        let other = try TemporaryHome()
        try other.signIn(to: server)
        try other.argus("cameras", "disable", "Front Door")
        try home.argus("queue", "retry", id)
        let done = try home.argus("queue", "run", "--json")
        #expect(done.status == 0 && done.json.list.first?["result"]?.string == "done")
        let puts = server.requests.filter { $0["method"]?.string == "PUT" }
        #expect(puts.count == 2)
    }

    @Test("feedback of another client is kept, and a retry sends over it")
    func feedback() throws {
        let server = try DemoServer(
            "--events", "5", faults: ["route=*/feedback,method=post,status=503,times=1"])
        try home.signIn(to: server)
        let event = try #require(
            try home.argus("events", "list", "-n", "1", "--json").json.list.first?["id"]?.string)
        let queued = try home.argus(
            "events", "feedback", event, "helpful", "--queue", "--json")
        #expect(queued.json["queued"] == true && queued.json["rating"]?.string == "helpful")
        let other = try TemporaryHome()
        try other.signIn(to: server)
        #expect(
            try other.argus("events", "feedback", event, "not_helpful").status == 0)
        let id = try #require(try items().first?["id"]?.string)
        try home.argus("queue", "retry", id)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.status == 10 && ran.json.list.first?["result"]?.string == "conflict")
        let item = try #require(try items().first)
        #expect(item["status"]?.string == "conflict")
        #expect(item["found"]?["rating"]?.string == "not_helpful")
        let doctor = try home.argus("doctor", "--json").json.list
        #expect(doctor.first { $0["check"]?.string == "queue" }?["state"]?.string == "warning")
        #expect(try home.argus("queue", "run").status == 10)
        try home.argus("queue", "retry", id)
        #expect(try home.argus("queue", "run").status == 0)
        let shown = try home.argus("events", "show", event, "--json").json
        #expect(shown["feedback"]?["rating"]?.string == "helpful")
    }

    @Test("another user's write is never sent")
    func otherUser() throws {
        try signIn(failing: 1)
        let id = try queueWrite()
        try home.argus("queue", "retry", id)
        // The record names the user of the sign-in.
        let edited = try home.bash(
            "sed -i 's/\"user\":{[^}]*}/\"user\":{\"id\":\"other\",\"name\":\"other\"}/' "
                + ".local/state/argus/queue/*/*.json")
        #expect(edited.status == 0)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.status == 5 && ran.json.list.first?["result"]?.string == "other_user")
        #expect(try isEnabled("Front Door") == true)
    }

    @Test("while a server is down, known names are enough, a run is status 6, and no try counts")
    func down() throws {
        let server = try DemoServer("--events", "0")
        try home.signIn(to: server, "--name", "home")
        try home.argus("cameras", "list")
        try home.whileDown(server) {
            let queued = try home.argus(
                "cameras", "disable", "Front Door", "--queue", "--retries", "0", "--json")
            #expect(queued.status == 0 && queued.json["queued"] == true, "\(queued.complaint)")
            let unknown = try home.argus("cameras", "disable", "Nope", "--queue", "--retries", "0")
            #expect(unknown.status == 6 && unknown.complaint.contains("a list has shown"))
            let ran = try home.argus("queue", "run", "--retries", "0")
            #expect(ran.status == 6 && ran.complaint.contains("\nhint: "), "\(ran.complaint)")
            let item = try #require(try items().first)
            #expect(item["tries"] == 0 && item["status"]?.string == "waiting")
        }
        let sent = try home.argus("queue", "run", "--json")
        #expect(sent.status == 0 && sent.json.list.first?["result"]?.string == "sent")
        #expect(try isEnabled("Front Door") == false)
    }

    @Test(
        "an answer of something in front of the server is no try, and sets nothing aside",
        arguments: [200, 403, 404, 405, 409, 413, 502])
    func intermediary(status: Int) throws {
        let fault = "route=/api/v1/cameras/*,times=6,status=\(status),html"
        try home.signIn(to: try DemoServer("--events", "0", "--fault", fault), "--name", "home")
        try home.argus("cameras", "list")
        let queued = try home.argus(
            "cameras", "disable", "Front Door", "--queue", "--retries", "0", "--json")
        #expect(queued.status == 0 && queued.json["queued"] == true, "\(queued.complaint)")
        var ran = try home.argus("queue", "run", "--retries", "0")
        #expect(ran.status == 7 && ran.complaint.contains("(HTTP \(status))"), "\(ran.complaint)")
        while ran.status == 7 {
            let item = try #require(try items().first)
            #expect(item["tries"] == 0 && item["status"]?.string == "waiting")
            ran = try home.argus("queue", "run", "--retries", "0")
        }
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(try isEnabled("Front Door") == false)
    }

    @Test("a try that a wrong clock has put off for years is due")
    func wrongClock() throws {
        try signIn(failing: 1)
        _ = try queueWrite()
        let edited = try home.bash(
            "sed -i 's/\"next_try\":\"[^\"]*\"/\"next_try\":\"2099-01-01T00:00:00.000000Z\"/' "
                + ".local/state/argus/queue/*/*.json")
        #expect(edited.status == 0)
        #expect(try items().first?["next_try"]?.string?.hasPrefix("2099") == true)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.json.list.map { $0["result"]?.string } == ["sent"], "\(ran.complaint)")
    }

    @Test("a drop shows the change, and waits for a typed yes")
    func typedYes() throws {
        try signIn(failing: 1)
        let id = try queueWrite()
        for (answer, status, count) in [("no", 1 as Int32, 1), ("yes", 0, 0)] {
            let program = try home.launch(["queue", "drop", id]).onTerminal.start()
            try program.wait(for: "Type yes: ")
            program.type("\(answer)\n")
            let asked = try program.finish()
            #expect(asked.status == status, "\(asked.text)")
            #expect(asked.text.contains("cameras disable, Front Door"), "\(asked.text)")
            #expect(try items().count == count)
        }
    }

    @Test("a later change of the object does not overtake one that waits")
    func overtaking() throws {
        try signIn(failing: 1)
        let disable = ["cameras", "disable", "Front Door", "--queue", "--retries", "0"]
        #expect(try home.argus(disable).status == 0)
        let direct = try home.argus("cameras", "enable", "Front Door")
        #expect(direct.status == 10 && direct.complaint.contains("queue drop"))
        #expect(try home.argus("cameras", "enable", "Garage").status == 0)
        #expect(try home.argus("cameras", "enable", "Front Door", "--queue").status == 0)
        let ids = try items().compactMap { $0["id"]?.string }
        #expect(ids.count == 2)
        try home.argus(["queue", "retry"] + ids)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.json.list.map { $0["result"]?.string } == ["sent", "sent"])
        #expect(try isEnabled("Front Door") == true)
    }

    @Test("a sign-out warns of what waits, and a server that is removed takes it along")
    func orphans() throws {
        try signIn(failing: 1)
        try home.argus("cameras", "disable", "Front Door", "--queue", "--retries", "0")
        let doctor = try home.argus("doctor", "--json").json.list
        #expect(doctor.first { $0["check"]?.string == "queue" }?["state"]?.string == "ok")
        let logout = try home.argus("logout")
        #expect(logout.status == 0 && logout.complaint.contains("wait until you sign in again"))
        let id = try #require(try items().first?["id"]?.string)
        try home.argus("queue", "retry", id)
        #expect(try home.argus("queue", "run").status == 4)
        let removed = try home.argus("server", "remove", "home")
        #expect(removed.status == 0)
        #expect(
            removed.complaint.contains("dropped 'cameras disable' of Front Door"),
            "\(removed.complaint)")
        #expect(try items().isEmpty)
        #expect(try home.bash("find .local/state/argus/queue -name '*.json'").lines.isEmpty)
        #expect(try home.argus("queue", "run").status == 0)
    }

    @Test("a command that is killed keeps its change or does not, and one that reported it does")
    func killedCommands() throws {
        let server = try DemoServer("--events", "28")
        try home.signIn(to: server, "--name", "home")
        let script = """
            argus events list --all --format csv --no-header --fields id > ids
            argus server set home --no-check --local http://127.0.0.1:1 2> set
            keep() { argus events feedback $1 helpful --queue --retries 0 -q 2> out; }
            for id in $(head -4 ids); do keep $id && echo $id >> kept; done
            export -f keep
            for id in $(tail -24 ids); do
                (timeout -s KILL 0.0$((RANDOM % 9 + 1)) bash -c "exec 2> out; keep $id" \
                    && echo $id >> kept) 2> killed &
            done; wait
            argus server set home --no-check --local "$1" 2> set
            argus queue list --json | jq -r '.[].body.event' | sort > waiting
            argus queue run -q > sent; echo "status $?"
            argus queue list --json
            for id in $(cat ids); do
                argus events show $id --json | jq -r 'select(.feedback != null) | .id'
            done | sort | diff - waiting && echo "exactly those"
            sort kept | comm -23 - waiting
            """
        let ran = try home.bash(script, arguments: [server.url])
        #expect(
            ran.lines == ["status 0", "[]", "exactly those"], "\(ran.text)\n\(ran.complaint)")
        #expect((home.text(of: "kept") ?? "").split(separator: "\n").count >= 4)
    }

    /// Two runs are killed in each round; `make soak` makes more rounds.
    private let killRounds = getenv("ARGUS_QUEUE_ROUNDS").map { String(cString: $0) } ?? "40"

    @Test("64 processes add while 4 run and others are killed: all arrive, each once")
    func manyProcesses() throws {
        let server = try DemoServer(
            "--events", "64", faults: ["route=*/feedback,method=post,status=503,times=64"])
        try home.signIn(to: server)
        let script = """
            argus events list --all --format csv --no-header --fields id > ids
            (until [ -e added ]; do
                for n in 1 2 3 4; do argus queue run --quiet > /dev/null 2>&1 & done; wait
             done) & runs=$!
            for id in $(cat ids); do argus events feedback $id helpful --queue --quiet & done
            wait $(jobs -p | grep -v $runs)
            touch added; wait $runs
            argus queue list --format csv --no-header --fields id | xargs -r argus queue retry
            for n in $(seq \(killRounds)); do
                timeout -s KILL 0.0$((RANDOM % 9 + 1)) argus queue run --quiet > out &
                timeout -s KILL 0.$((RANDOM % 5 + 1)) argus queue run --quiet > out
                wait
            done 2> /dev/null
            argus queue run --quiet > out; echo "status $?"
            argus queue list --json
            for id in $(cat ids); do argus events show $id --json; done | jq -r .feedback.rating \\
                | sort | uniq -c | awk '{ print $1, $2 }'
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 0", "[]", "64 helpful"], "\(ran.text)\n\(ran.complaint)")
        // A PUT would have overwritten what a POST has made.
        #expect(!server.requests.contains { $0["method"]?.string == "PUT" })
        let posts = server.requests.filter {
            $0["method"]?.string == "POST" && $0["target"]?.string?.hasSuffix("/feedback") == true
        }
        #expect(posts.count >= 128 && Set(posts.compactMap { $0["target"]?.string }).count == 64)
    }
}
