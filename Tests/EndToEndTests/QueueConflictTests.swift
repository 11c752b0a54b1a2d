import ArgusTestSupport
import Testing

@testable import argus_demo

/// What the queue compares before it sends: the state that the user has last seen.
@Suite("conflicts of queued writes", .waitsForPrograms)
struct QueueConflictTests {
    private let home: TemporaryHome
    private let other: TemporaryHome
    private let server: DemoServer

    init() throws {
        (home, other) = (try TemporaryHome(), try TemporaryHome())
        server = try DemoServer("--events", "0")
        try home.signIn(to: server, "--name", "home")
        try other.signIn(to: server)
    }

    /// Runs a command with `--queue` while the server cannot be reached.
    private func queue(_ words: String...) throws {
        try home.whileDown(server) {
            let queued = try home.argus(words + ["--queue", "--retries", "0", "--json"])
            #expect(queued.status == 0 && queued.json["queued"] == true, "\(queued.complaint)")
        }
    }

    /// The results of a run.
    private func results() throws -> [String?] {
        try home.argus("queue", "run", "--json").json.list.map { $0["result"]?.string }
    }

    @Test("a camera that was disabled when it was last seen, and is enabled since, is a conflict")
    func camera() throws {
        try home.argus("cameras", "disable", "Garage")
        try queue("cameras", "disable", "Garage")
        #expect(try other.argus("cameras", "enable", "Garage").status == 0)
        #expect(try results() == ["conflict"])
        let garage = try other.argus("cameras", "show", "Garage", "--json").json
        #expect(garage["enabled"] == true)
    }

    @Test("a device keeps its order of names, also if argus itself gave it the last one")
    func device() throws {
        try register(home)
        #expect(try home.argus("devices", "rename", "kitchen", "attic").status == 0)
        try queue("devices", "rename", "attic", "loft")
        #expect(try results() == ["sent"])
        try queue("devices", "rename", "loft", "barn")
        #expect(try other.argus("devices", "rename", "loft", "mine").status == 0)
        #expect(try results() == ["conflict"])
        #expect(try other.argus("devices", "show", "mine").status == 0)
    }

    @Test("the quiet hours of a device wait, and only a change of them is a conflict")
    func deviceHours() throws {
        try register(home)
        #expect(try home.argus("push", "prefs", "show").status == 0)
        try queue("push", "prefs", "set", "--quiet-hours", "22:00-07:00")
        #expect(try results() == ["sent"])
        try queue("push", "prefs", "set", "--quiet-hours", "21:00-07:00")
        let changed = try other.argus(
            "devices", "preferences", "kitchen", "--quiet-hours", "20:00-06:00")
        #expect(changed.status == 0, "\(changed.complaint)")
        #expect(try results() == ["conflict"])
    }

    @Test("the preferences of a subscription wait; another member may change meanwhile")
    func subscription() throws {
        #expect(try home.argus(["push", "subscribe"] + OwnerScriptTests.receiver).status == 0)
        #expect(try home.argus("push", "prefs", "show").status == 0)
        func change(_ words: String...) throws {
            let ran = try other.argus(
                ["push", "prefs", "set", "--yes", "--endpoint", OwnerScriptTests.endpoint]
                    + words)
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        try queue("push", "prefs", "set", "--sound", "off")
        try change("--types", "person")
        #expect(try results() == ["sent"])
        try queue("push", "prefs", "set", "--types", "all")
        try change("--types", "vehicle")
        #expect(try results() == ["conflict"])
        let shown = try home.argus("push", "prefs", "show", "--json").json
        #expect(shown["sound"] == false)
        #expect(shown["types"]?.list.map(\.string) == ["vehicle"])
    }

    @Test("what was seen is 0600, names no endpoint, and goes with the server")
    func seen() throws {
        #expect(try home.argus(["push", "subscribe"] + OwnerScriptTests.receiver).status == 0)
        try home.argus("push", "prefs", "show")
        try home.argus("cameras", "list")
        try queue("push", "prefs", "set", "--sound", "off")
        let found = try home.bash(
            """
            cd .local/state/argus
            find seen -type f -perm 600 | wc -l; find seen queue -type f ! -perm 600 | wc -l
            grep -rlF secret-part seen queue | wc -l
            argus server remove home -q; find seen -type f | wc -l
            """)
        #expect(found.lines == ["2", "0", "0", "0"], "\(found.text)\n\(found.complaint)")
    }

    /// Registers a device with the name `kitchen`.
    private func register(_ home: TemporaryHome) throws {
        let registered = try home.argus(
            "push", "register", "--push-token", OwnerScriptTests.token, "--platform", "ios",
            "--yes")
        #expect(registered.status == 0, "\(registered.complaint)")
        let devices = try home.argus("devices", "list", "--json").json.list
        let id = try #require(devices.first?["id"]?.string)
        #expect(try home.argus("devices", "rename", id, "kitchen").status == 0)
    }
}

extension TemporaryHome {
    /// Does work while the record `home` leads to no server.
    func whileDown(_ server: DemoServer, _ work: () throws -> Void) throws {
        try argus("server", "set", "home", "--no-check", "--local", "http://127.0.0.1:1")
        try work()
        try argus("server", "set", "home", "--no-check", "--local", server.url)
    }
}

extension DemoServer {
    /// A server without events whose next changes of cameras fail with a status.
    convenience init(failing count: Int, with status: Int) throws {
        try self.init(
            "--events", "0",
            faults: ["route=/api/v1/cameras/*,method=put,status=\(status),times=\(count)"])
    }
}

/// What the queue of one object must not do to those of others.
@Suite("queued writes among many", .waitsForPrograms)
struct QueueOrderTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test("a file that is too large, or that argus may not read, stops nothing else")
    func unreadable() throws {
        let server = try DemoServer(failing: 1, with: 503)
        try home.signIn(to: server, "--name", "home")
        try home.argus("cameras", "disable", "Garage", "--queue", "--retries", "0")
        let made = try home.bash(
            """
            cd .local/state/argus/queue/*/
            head -c 3000000 /dev/zero | tr '\\0' ' ' > 0000000007-large.json
            echo '{}' > 0000000008-open.json; chmod 600 *; chmod 666 0000000008-open.json
            """)
        #expect(made.status == 0)
        let list = try home.argus("queue", "list", "--json")
        #expect(list.status == 0 && list.json.list.count == 1, "\(list.complaint)")
        #expect(list.complaint.contains("0000000007-large.json': it is larger than"))
        #expect(list.complaint.contains("0000000008-open.json': other users may"))
        #expect(list.complaint.contains("chmod 600"))
        let id = try #require(list.json.list.first?["id"]?.string)
        #expect(try home.argus("queue", "retry", id).status == 0)
        let ran = try home.argus("queue", "run", "--json")
        #expect(ran.json.list.map { $0["result"]?.string } == ["sent"], "\(ran.complaint)")
    }

    @Test(
        "a time limit and a limit of requests are no verdict: the change waits",
        arguments: [408, 429])
    func limited(status: Int) throws {
        let server = try DemoServer(failing: 1, with: status)
        try home.signIn(to: server)
        let queued = try home.argus(
            "cameras", "disable", "Garage", "--queue", "--retries", "0", "--json")
        #expect(queued.status == 0 && queued.json["queued"] == true, "\(queued.complaint)")
    }

    @Test("64 processes add two writes each while 4 run and are killed: the second one is the last")
    func order() throws {
        let server = try DemoServer(
            "--events", "64", faults: ["route=*/feedback,method=post,status=503,times=64"])
        try home.signIn(to: server)
        let script = """
            argus events list --all --format csv --no-header --fields id > ids
            retry() {
                argus queue list --format csv --no-header --fields id | xargs -r argus queue retry -q
            }
            (until [ -e added ]; do
                retry
                for n in 1 2 3 4; do
                    timeout -s KILL 0.$((RANDOM % 9 + 1)) argus queue run --quiet &
                done; wait
             done) > out 2>&1 & runs=$!
            for id in $(cat ids); do
                (for n in first second; do
                    argus events feedback $id helpful --correction $n --queue -q --retries 0
                 done) 2> adds &
            done
            wait $(jobs -p | grep -v $runs)
            touch added; wait $runs
            retry; argus queue run --quiet > out; echo "status $?"
            argus queue list --json
            for id in $(cat ids); do argus events show $id --json; done \\
                | jq -r .feedback.correction | sort | uniq -c | awk '{ print $1, $2 }'
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 0", "[]", "64 second"], "\(ran.text)\n\(ran.complaint)")
    }
}
