import ArgusTestSupport
import Testing

@testable import argus_demo

/// Archives of several servers, and several processes at one archive.
@Suite("archive: servers and processes", .waitsForPrograms)
struct ArchiveSharingTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func begin(_ server: DemoServer) throws {
        try home.signIn(to: server)
        try home.argus("archive", "init", "kept")
        try home.argus("config", "set", "archive_dir", home.file("kept"))
        try home.argus("archive", "sync", "--no-pictures")
    }

    @Test("a server with two addresses is archived once")
    func addresses() throws {
        let server = try DemoServer("--events", "30")
        try begin(server)
        let other = server.url.replacing("127.0.0.1", with: "localhost")
        try home.argus(
            ["login", other, "-u", "demo", "--password-stdin"],
            input: .text(DemoServer.password + "\n"))
        let ran = try home.argus(
            "--server", other, "archive", "sync", "--no-pictures", "-v", "--json")
        #expect(ran.status == 0 && ran.json["added"]?.int == 0, "\(ran.complaint)")
        #expect(ran.complaint.contains("the archive knows"))
        let shown = try home.argus("archive", "list", "--all", "--json").json.list
        #expect(shown.count == 30)
    }

    @Test("only --server limits a list to one server")
    func defaultServer() throws {
        try begin(try DemoServer("--events", "5"))
        let ran = try home.argus(
            "archive", "list", "--json", variables: ["ARGUS_SERVER": "elsewhere"])
        #expect(ran.status == 0 && ran.json.list.count == 5, "\(ran.complaint)")
        #expect(try home.argus("archive", "list", "--server", "elsewhere").status == 3)
    }

    @Test("an archive of two servers shows of which each row is, and one of one server does not")
    func serverColumn() throws {
        let first = try DemoServer("--events", "5")
        try begin(first)
        let alone = try home.argus("archive", "list", "--format", "csv").lines
        #expect(alone.first?.hasPrefix("id,") == true)
        #expect(
            try home.argus("archive", "list", "--format", "csv", "--fields", "server,id").lines[1]
                .hasPrefix("127.0.0.1,"))
        let second = try DemoServer("--events", "7", "--seed", "9")
        try home.argus(
            ["login", second.url, "--name", "cabin", "-u", "demo", "--password-stdin"],
            input: .text(DemoServer.password + "\n"))
        let sync = try home.argus("-s", "cabin", "archive", "sync", "--no-pictures")
        #expect(sync.status == 0, "\(sync.complaint)")
        func servers(_ words: [String]) throws -> [String: Int] {
            let ran = try home.argus(
                ["archive"] + words + ["--format", "csv", "--fields", "server", "--no-header"])
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
            return Dictionary(grouping: ran.lines) { $0 }.mapValues(\.count)
        }
        #expect(try servers(["list", "--all"]) == ["127.0.0.1": 5, "cabin": 7])
        #expect(try servers(["export"]) == ["127.0.0.1": 5, "cabin": 7])
        #expect(try servers(["stats", "--by", "weekday"]) == ["127.0.0.1": 7, "cabin": 7])
        for words in [["list"], ["search", "a*"], ["stats"], ["show", "latest"], ["export"]] {
            let ran = try home.argus(["archive"] + words + ["--format", "ndjson"])
            #expect(ran.text.hasPrefix("{\"server\":"), "\(words): \(ran.text)")
            let one = try home.argus(["archive"] + words + ["--format", "ndjson", "-s", "cabin"])
            #expect(!one.text.contains("\"server\":"), "\(words)")
        }
        #expect(try home.argus("archive", "list").text.hasPrefix("SERVER"))
        let several = try home.argus("archive", "list", "--camera", "Front Door")
        #expect(several.status == 2 && several.complaint.contains("of 'cabin')"))
        #expect(several.complaint.contains("with --server"), "\(several.complaint)")
    }

    @Test("a sync waits for another one, and only reading does not")
    func waiting() throws {
        try begin(try DemoServer("--events", "20"))
        let script = """
            exec 9>> kept/lock; flock 9
            argus archive forget --keep-size 0 --dry-run --json | jq .events
            argus archive verify 2> /dev/null; echo "status $?"
            argus archive sync 2> second 9>&- & second=$!
            until grep -q 'waiting up to' second; do kill -0 $second || break; sleep 0.1; done
            flock -u 9; wait $second; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["20", "status 0", "status 0"], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("others change the archive while a watch waits for events")
    func watching() throws {
        try begin(try DemoServer("--events", "20"))
        let script = """
            argus archive sync --watch --format ndjson > reports 2> /dev/null & watch=$!
            until [ -s reports ]; do kill -0 $watch || break; sleep 0.1; done
            argus archive forget --keep-size 0 --yes --json | jq .events
            kill $watch; wait $watch; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["20", "status 143"], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("a signal ends a sync once what it has read is stored")
    func interrupted() throws {
        let fault = "route=/api/v1/events,method=GET,delay=300ms"
        let server = try DemoServer("--events", "4000", faults: [fault])
        try home.signIn(to: server)
        let script = #"""
            argus archive init kept
            argus archive sync --archive kept --no-pictures & sync=$!
            # The first transaction adds the server, the second one events.
            until [ "$(sqlite3 kept/archive.db 'SELECT count(*) FROM server')" = 1 ] \
              && [ -s kept/archive.db-journal ]; do kill -0 $sync || break; sleep 0.1; done
            kill $sync; wait $sync; echo "status $?"
            sqlite3 kept/archive.db 'SELECT count(*) > 0 FROM event'
            argus archive sync --archive kept --no-pictures; echo "status $?"
            argus archive list --archive kept --all --format csv --no-header | wc -l
            """#
        let ran = try home.bash(script)
        #expect(
            ran.lines == ["status 143", "1", "status 0", "4000"], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("a sync is completed although the reader of its output has left")
    func closedOutput() throws {
        let fault = "route=/api/v1/events,method=GET,delay=300ms"
        let server = try DemoServer("--events", "1500", faults: [fault])
        try home.signIn(to: server)
        let script = """
            argus archive init kept
            argus archive sync --archive kept --no-pictures --json | {
              # The sync has begun.
              for try in $(seq 100); do [ -s kept/archive.db-journal ] && break; sleep 0.1; done
            }
            echo "status ${PIPESTATUS[0]}"
            sqlite3 kept/archive.db 'SELECT count(*), (SELECT count(last_sync) FROM server) FROM event'
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 0", "1500|1"], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("a watch whose reports nobody reads any more ends at the first signal")
    func closedReports() throws {
        try begin(try DemoServer("--events", "20", "--all-online"))
        let script = """
            sqlite3 kept/archive.db 'UPDATE event SET deleted_at = 1'
            mkfifo pipe; head -n 1 pipe > report & reader=$!
            argus archive sync --watch --full --format ndjson > pipe & watch=$!
            wait $reader; jq .returned report
            kill $watch; timeout 20 tail --pid=$watch -s 0.1 -f /dev/null || kill -KILL $watch
            wait $watch; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["20", "status 143"], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("a clock that is wrong forgets nothing by age")
    func clock() throws {
        try begin(try DemoServer("--events", "20"))
        let script = """
            sqlite3 kept/archive.db 'UPDATE server SET last_sync = last_sync - 31 * 86400000000'
            argus logout --all -q
            argus archive forget --keep 1d --yes; echo "status $?"
            argus archive list --all --format csv --no-header | wc -l
            argus archive forget --keep-size 0 --yes; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines == ["status 1", "20", "status 0"], "\(ran.complaint)")
        #expect(ran.complaint.contains("but the last sync was"), "\(ran.complaint)")
    }

    @Test("a check names the number of files that are not fetched yet")
    func notFetched() throws {
        try begin(try DemoServer("--events", "20"))
        #expect(try home.argus("archive", "verify").complaint.contains("not fetched yet"))
        try home.argus("archive", "sync")
        #expect(try !home.argus("archive", "verify").complaint.contains("not fetched yet"))
    }
}
