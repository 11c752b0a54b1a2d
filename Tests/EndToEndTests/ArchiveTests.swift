import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus archive` beside a real server, read by programs that share no code with it.
@Suite("archive", .waitsForPrograms)
struct ArchiveTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func begin(_ server: DemoServer) throws {
        try home.signIn(to: server)
        try home.argus("archive", "init", "kept")
        try home.argus("config", "set", "archive_dir", home.file("kept"))
    }

    /// Compares the archive with the list in a file, by the database alone.
    private static let compare = """
        import json, sqlite3, sys
        base = sqlite3.connect('file:kept/archive.db?mode=ro', uri=True)
        there = {}
        for line in open(sys.argv[1]):
            event = json.loads(line)
            there[event['id']] = event
        kept = {i: json.loads(raw) for i, raw in base.execute(
            'SELECT id, raw FROM event JOIN object ON object.event = event.number '
            'WHERE deleted_at IS NULL')}
        gone = base.execute('SELECT count(*) FROM event WHERE deleted_at IS NOT NULL').fetchone()[0]
        print('equal' if kept == there else 'different', len(kept), gone,
              base.execute('PRAGMA integrity_check').fetchone()[0])
        """

    private func compared() throws -> String {
        let script = """
            argus events list --all --raw --format ndjson > there && python3 -c "$1" there
            """
        let ran = try home.bash(script, arguments: [Self.compare])
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines.first ?? ""
    }

    @Test("the archive has the server's events and pictures, and prints the same without it")
    func twins() throws {
        let server = try DemoServer("--events", "300")
        try begin(server)
        let ran = try home.argus("archive", "sync", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["added"]?.int == 300)
        #expect(try compared() == "equal 300 0 ok")
        let questions: [[String]] = [
            ["list", "-n", "7"], ["list", "--all", "--reverse", "--fields", "id,type"],
            ["list", "--type", "person", "--camera", "Front Door", "--all"],
            ["list", "--all", "--sort", "confidence"], ["list", "--search", "person", "--all"],
            ["list", "--all", "--raw"], ["list", "--alerts", "--min-confidence", "80"],
            ["stats", "--by", "type,hour"],
            ["export", "--since", "3d"],
        ]
        var answers: [ProgramResult] = []
        for words in questions {
            answers.append(try home.argus(["events"] + words + ["--format", "ndjson"]))
        }
        server.stop()
        for (words, answer) in zip(questions, answers) {
            let kept = try home.argus(["archive"] + words + ["--format", "ndjson"])
            #expect(kept.status == 0, "\(words): \(kept.complaint)")
            #expect(kept.lines.sorted() == answer.lines.sorted(), "\(words)")
        }
        let found = try home.argus("archive", "search", "pers*", "--json")
        #expect(found.status == 0 && !found.json.list.isEmpty)
        let shown = try home.argus("archive", "show", "latest", "--json")
        let picture = shown.json["files"]?.elements?.first?.string
        let name = try #require(picture).split(separator: "/").last?.split(separator: ".").first
        let sum = try home.bash("sha256sum \"$1\"", arguments: [try #require(picture)])
        #expect(sum.text.hasPrefix(String(try #require(name))))
        let verified = try home.argus("archive", "verify", "--json")
        #expect(verified.status == 0 && verified.json.list.isEmpty, "\(verified.complaint)")
    }

    @Test("late, changed and deleted events are found by a full sync; nothing leaves the archive")
    func full() throws {
        try begin(try DemoServer("--events", "120"))
        try home.argus("archive", "sync", "--no-pictures")
        let deleted = try home.argus("events", "delete", "--type", "person", "--yes", "--json")
        let count = try #require(deleted.json["deleted"]?.int)
        try home.argus("archive", "sync", "--full", "--no-pictures")
        #expect(try compared() == "equal \(120 - count) \(count) ok")
        let list = try home.argus("archive", "list", "--deleted", "--all", "--json")
        #expect(list.json.list.count == count)
        let forgot = try home.argus("archive", "forget", "--keep", "1d", "--yes", "--json")
        let events = try #require(forgot.json["events"]?.int)
        try home.argus("archive", "sync", "--full", "--no-pictures")
        let left = try home.argus("archive", "list", "--all", "--json").json.list.count
        #expect(events > 0 && left == 120 - events)
    }

    @Test("forgetting by age needs a clock near the server's, or trust in it")
    func wrongClock() throws {
        try begin(try DemoServer("--clock-offset", "-7200"))
        try home.argus("archive", "sync", "--no-pictures")
        let line = ["archive", "forget", "--yes", "--json"]
        for more in [[], ["--keep-size", "10G"]] {
            let refused = try home.argus(line + ["--keep", "3d"] + more)
            #expect(refused.status == 1)
            #expect(refused.complaint.contains("\"reason\":\"clock\""), "\(refused.complaint)")
            #expect(refused.complaint.contains("but '127.0.0.1' says 20"))
        }
        #expect(try home.argus(line + ["--keep", "3d", "--dry-run"]).status == 0)
        // Without an age nothing depends on the clock, and nothing to forget is nothing to doubt.
        #expect(try home.argus(line + ["--keep-size", "10G"]).status == 0)
        #expect(try home.argus(line + ["--keep", "900d"]).status == 0)
        let trusted = try home.argus(line + ["--keep", "3d", "--trust-clock"])
        #expect(trusted.json["events"]?.int ?? 0 > 0, "\(trusted.complaint)")
    }

    @Test("a sync that is killed at any moment loses nothing, and the next one completes it")
    func killed() throws {
        try begin(try DemoServer("--events", "2000"))
        let script = """
            for wait in 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.5 0.6; do
              argus archive sync --full 2> /dev/null & sync=$!
              sleep $wait; kill -KILL $sync; wait $sync
              python3 -c "import sqlite3; print(sqlite3.connect('kept/archive.db').execute(
                'PRAGMA integrity_check').fetchone()[0])"
            done 2> /dev/null
            argus archive sync --full --no-pictures; echo "status $?"
            argus archive verify --format csv --no-header --fields state | sort -u
            echo "verify ${PIPESTATUS[0]}"
            """
        let ran = try home.bash(script)
        #expect(Array(ran.lines.prefix(11)) == Array(repeating: "ok", count: 10) + ["status 0"])
        // At most a file whose name a killed sync had not stored yet.
        let states = ran.lines.dropFirst(11).filter { $0 != "harmless" }
        #expect(states == ["verify 0"], "\(ran.text)\n\(ran.complaint)")
        #expect(try compared() == "equal 2000 0 ok")
    }

    @Test("a second sync is refused, a missing disk is named, and a read-only copy is read")
    func refusals() throws {
        try begin(try DemoServer("--events", "50"))
        try home.argus("archive", "sync")
        let script = """
            mkdir empty
            argus archive list --archive empty; echo "status $?"
            argus archive sync --archive empty; echo "status $?"
            ls -A empty
            cp -r kept copy; chmod -R a-w copy
            argus archive list --archive copy --all --format csv --no-header | wc -l
            argus archive init kept; echo "status $?"
            flock kept/lock true
            sqlite3 kept/archive.db 'PRAGMA user_version = 99'
            argus archive list; echo "status $?"
            chmod -R u+w copy
            printf 'no database any more' | dd of=copy/archive.db conv=notrunc
            argus archive verify --archive copy; echo "status $?"
            mv copy/archive.db* .
            argus archive init copy && argus archive sync --archive copy
            argus archive verify --archive copy; echo "status $?"
            find copy/media -type f | wc -l
            """
        let count = try home.bash("find kept/media -type f | wc -l").lines[0]
        let ran = try home.bash(script)
        #expect(
            ran.lines == [
                "status 1", "status 1", "50", "status 2", "status 1", "status 12", "status 0",
                count,
            ], "\(ran.text)\n\(ran.complaint)")
        #expect(ran.complaint.contains("if its disk is mounted"))
        #expect(ran.complaint.contains("was written by a newer argus"))
    }

    @Test("a backup replaces a database that a killed sync has left with its log")
    func restored() throws {
        let server = try DemoServer(
            "--events", "300", faults: ["route=/api/v1/thumbnails,delay=200ms"])
        try begin(server)
        let script = """
            argus archive sync -q --no-pictures
            sqlite3 kept/archive.db ".backup 'kept.db'"
            argus events delete --type person --yes -q
            argus archive sync -q --full & sync=$!
            until [ -s kept/archive.db-wal ]; do kill -0 $sync || break; sleep 0.1; done
            kill -KILL $sync; wait $sync
            [ -s kept/archive.db-wal ] && echo killed
            rm -f kept/archive.db-*
            cp kept.db kept/archive.db
            argus archive list --all --format csv --no-header | wc -l
            argus archive verify -q; echo "verify $?"
            argus archive sync -q --full; echo "status $?"
            argus archive verify -q; echo "verify $?"
            """
        let ran = try home.bash(script)
        #expect(
            ran.lines == ["killed", "300", "verify 0", "status 0", "verify 0"],
            "\(ran.text)\n\(ran.complaint)")
    }

    @Test("a damaged picture is named, and repaired from the server")
    func repair() throws {
        try begin(try DemoServer("--events", "30"))
        try home.argus("archive", "sync")
        let script = """
            file=$(find kept/media -type f | sort | head -1)
            printf X | dd of="$file" bs=1 seek=100 conv=notrunc 2> /dev/null
            argus archive verify --format csv --no-header --fields kind,state; echo "status $?"
            argus archive verify --repair --format csv --no-header --fields kind,state
            echo "status $?"
            argus archive verify --format csv --no-header; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(
            ran.lines == [
                "file,damaged", "status 12", "file,repaired", "status 0", "status 0",
            ], "\(ran.text)\n\(ran.complaint)")
    }

    @Test("an emptied database, and a process without descriptors, are named for what they are")
    func refused() throws {
        try begin(try DemoServer("--events", "30"))
        try home.argus("archive", "sync")
        let script = """
            for count in 9 10 11 12 13 14 15 16; do
              (ulimit -n $count; argus archive sync --retries 0 2>> errors; echo "status $?")
            done | sort | uniq
            : > kept/archive.db
            argus archive verify; echo "status $?"
            argus archive sync; echo "status $?"
            """
        let ran = try home.bash(script)
        #expect(ran.lines.suffix(2) == ["status 12", "status 12"], "\(ran.text)")
        let errors = home.text(of: "errors") ?? ""
        #expect(errors.contains("free file descriptors"), "\(errors)")
        #expect(!errors.contains("install"), "\(errors)")
    }

    /// What the database and its folder have of frames and videos.
    private static let countMedia = """
        import hashlib, os, sqlite3
        base = sqlite3.connect('file:kept/archive.db?mode=ro', uri=True)
        for kind, state, number in base.execute(
                'SELECT kind, state, count(*) FROM media GROUP BY 1, 2 ORDER BY 1, 2'):
            print(kind, state, number)
        for sha, ending in base.execute('SELECT sha256, extension FROM media WHERE sha256 > 0'):
            data = open(f'kept/media/{sha[:2]}/{sha}.{ending}', 'rb').read()
            if hashlib.sha256(data).hexdigest() != sha: print('damaged', sha)
        print('parts', len(os.listdir('kept/parts')))
        """

    @Test("frames and videos are copied when asked for, over broken connections too")
    func media() throws {
        let faults = ["route=*/video/download,after=4,times=3,truncate=900"]
        let server = try DemoServer("--events", "40", faults: faults)
        try begin(server)
        try home.argus("archive", "sync")
        let ran = try home.argus("archive", "sync", "--frames", "--video", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        let list = try home.argus("events", "list", "--all", "--json").json.list
        let pictured = list.count { $0["has_thumbnail"] == .bool(true) }
        #expect(ran.json["pictures"]?.int == pictured * 3)
        let videos = try #require(ran.json["videos"]?.int)
        let counted = try home.bash("python3 -c \"$1\"", arguments: [Self.countMedia]).lines
        let without = list.count - pictured
        #expect(
            counted == ["frame stored \(pictured * 3)"]
                + (without > 0 ? ["frames absent \(without)"] : [])
                + [
                    "frames listed \(pictured)", "thumbnail stored \(pictured)",
                    "video absent \(list.count - videos)", "video stored \(videos)", "parts 0",
                ], "\(counted)")
        let script = """
            id=$(sqlite3 kept/archive.db "SELECT event.id FROM event JOIN media ON event = number
              WHERE kind = 'video' AND state = 'stored' LIMIT 1")
            argus -q events video $id -o there.mp4 > saved
            cmp there.mp4 "$(argus archive show $id --json | jq -r '.files[-1]')" && echo same
            argus archive show $id --json | jq -c '[.frame_count, .has_video]'
            argus archive sync --frames --video --json | jq -c '[.pictures, .videos]'
            argus archive verify; echo "status $?"
            """
        let shown = try home.bash(script)
        #expect(
            shown.lines == ["same", "[3,true]", "[0,0]", "status 0"],
            "\(shown.text)\n\(shown.complaint)")
    }

    @Test("a server without frames is named, and wants none of later syncs")
    func noFrames() throws {
        try begin(try DemoServer("--events", "20", "--api", "mobile"))
        let ran = try home.argus("archive", "sync", "--frames")
        #expect(ran.status == 14 && ran.complaint.contains("frames of events"), "\(ran.complaint)")
        #expect(try home.argus("archive", "sync").status == 0)
    }

    @Test("TAB knows the archive's cameras, types and ids, also without the server")
    func completion() throws {
        let server = try DemoServer("--events", "300")
        try begin(server)
        try home.argus("archive", "sync", "--no-pictures")
        server.stop()
        let ids = try home.argus(
            "archive", "list", "--all", "--format", "csv", "--no-header", "--fields", "id"
        ).lines
        let last = try #require(ids.last)
        func candidates(_ words: String...) throws -> [String] {
            try home.argus(["__complete", "--", "archive"] + words).lines.map {
                String($0.prefix { $0 != "\t" })
            }
        }
        #expect(try candidates("list", "--camera", "Fro") == ["list", "Front Door"])
        #expect(try candidates("show", String(last.prefix(6))) == ["values", last])
        #expect(try candidates("search", "a", "--type", "man") == ["list", "manual_trigger"])
        let script = "argus config unset archive_dir; mv kept moved; rm -r .cache"
        _ = try home.bash(script)
        // A message for the user, and no candidate.
        #expect(try candidates("list", "--camera", "Fro") == ["list", ""])
        #expect(
            try candidates("list", "--archive", "moved", "--camera", "Fro")
                == ["list", "Front Door"])
    }

    @Test("a server that refuses more requests for now only delays the pictures")
    func rateLimit() throws {
        let fault = "route=/api/v1/thumbnails,after=5,times=3,status=429,header=Retry-After:1"
        try begin(try DemoServer("--events", "20", faults: [fault]))
        let ran = try home.argus("archive", "sync", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["broken_files"]?.int == 0)
        let waits = ran.complaint.split(separator: "\n").count { $0.contains("waiting until") }
        #expect(waits == 1, "\(ran.complaint)")
        let list = try home.argus("archive", "list", "--all", "--json").json.list
        #expect(ran.json["pictures"]?.int == list.count { $0["has_thumbnail"] == .bool(true) })
    }

    @Test("a server that goes on refusing is waited for once, as long as --wait-rate-limit says")
    func rateLimitWait() throws {
        let fault = "route=/api/v1/thumbnails,after=5,times=500,status=429,header=Retry-After:1"
        try begin(try DemoServer("--events", "20", faults: [fault]))
        for (limit, lines) in [("0", 1), ("1", 2)] {
            let ran = try home.argus("archive", "sync", "--wait-rate-limit=\(limit)")
            #expect(ran.status == 8)
            let said = ran.complaint.split(separator: "\n").filter { !$0.hasPrefix("hint:") }
            #expect(said.count == lines, "\(ran.complaint)")
        }
    }
}
