import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus events digest` and its twin for archives, whose numbers a query of Python's sqlite3 confirms.
@Suite("digest commands", .waitsForPrograms)
struct DigestCommandTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Makes the last day of an archive one of 10,000 events, and counts the visits of it.
    private static let query = """
        import json, sqlite3, sys
        base = sqlite3.connect('kept/archive.db')
        since, until = (int(word) for word in sys.argv[1:])
        rows = [row[0] for row in base.execute('SELECT number FROM event ORDER BY timestamp')]
        step = 86400 * 1000000 // len(rows)
        # Bursts and pauses: visits of one event and of many.
        time = since
        for place, number in enumerate(rows):
            time = min(until, time + (place * place % 17) * step // 8)
            raw = json.loads(base.execute(
                'SELECT raw FROM object WHERE event = ?', (number,)).fetchone()[0])
            raw['timestamp'] = '%s.%06dZ' % (base.execute(
                "SELECT strftime('%Y-%m-%dT%H:%M:%S', ? / 1000000, 'unixepoch')",
                (time,)).fetchone()[0], time % 1000000)
            text = json.dumps(raw)
            import hashlib
            base.execute('UPDATE object SET raw = ? WHERE event = ?', (text, number))
            base.execute('UPDATE event SET timestamp = ?, sha256 = ? WHERE number = ?',
                         (time, hashlib.sha256(text.encode()).hexdigest(), number))
        base.commit()
        """

    private static let count = """
        import json, sqlite3, sys
        base = sqlite3.connect('kept/archive.db')
        since, until = (int(word) for word in sys.argv[1:])
        def visits(key, condition):
            query = '''
                WITH chosen AS (SELECT *, raw ->> '$.entity_id' AS entity FROM event
                  JOIN object ON object.event = event.number
                  WHERE timestamp BETWEEN ? AND ? AND %s),
                paused AS (SELECT *, lag(timestamp) OVER (
                  PARTITION BY server, %s ORDER BY timestamp) AS before FROM chosen)
                SELECT %s, sum(before IS NULL OR timestamp - before > 600000000), count(*)
                FROM paused GROUP BY server, %s''' % (condition, key, key, key)
            return sorted(list(map(str, row)) for row in base.execute(query, (since, until)))
        print(json.dumps({
            'kinds': visits('camera_id, type', 'true'),
            'strangers': visits(
                'camera_id', "entity IS NULL AND (kinds LIKE '%|person|%' OR kinds LIKE '%|face|%')"),
            'entities': visits('entity', 'entity IS NOT NULL'),
            'packages': visits('camera_id', "kinds LIKE '%|package|%'"),
            'rings': visits('camera_id', 'is_doorbell_ring'),
            'alarms': visits('1', 'alert_triggered'),
        }))
        """

    private func cells(_ row: JSON, _ names: String...) -> [String] {
        names.map { row[$0]?.string ?? row[$0]?.int.map { "\($0)" } ?? "" }
    }

    private func sorted(_ rows: [[String]]) -> [[String]] {
        rows.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("the numbers of 10,000 events in a day are those of an independent query")
    func numbers() throws {
        let server = try DemoServer("--events", "10000")
        try home.signIn(to: server)
        try home.argus("archive", "init", "kept")
        let archive = ["--archive", home.file("kept")]
        #expect(
            try home.argus(["archive", "sync", "--no-pictures", "-q"] + archive).status == 0)
        server.stop()
        let moved = try home.bash(
            """
            start=$(date -ud yesterday +%s); start=$((start - start % 86400))
            echo $start; python3 -c "$1" ${start}000000 $((start + 86399))999999
            """, arguments: [Self.query])
        #expect(moved.status == 0, "\(moved.complaint)")
        let start = try #require(moved.lines.first)
        let ran = try home.argus(["archive", "digest", "--json"] + archive)
        #expect(ran.status == 0, "\(ran.complaint)")
        let digest = ran.json
        #expect(digest["events"]?.int == 10_000)
        let counted = try home.bash(
            "python3 -c \"$1\" ${2}000000 $(($2 + 86399))999999",
            arguments: [Self.count, start])
        #expect(counted.status == 0, "\(counted.complaint)")
        func expected(_ name: String) -> [[String]] {
            sorted((counted.json[name]?.list ?? []).map { $0.list.map { $0.string ?? "" } })
        }
        let kinds = (digest["cameras"]?.list ?? []).flatMap { camera in
            (camera["kinds"]?.list ?? []).map { kind in
                cells(camera, "camera_id") + cells(kind, "kind", "visits", "events")
            }
        }
        #expect(kinds.count > 10)
        #expect(sorted(kinds) == expected("kinds"))
        for (name, key) in [
            ("strangers", "camera_id"), ("entities", "entity_id"), ("packages", "camera_id"),
            ("rings", "camera_id"),
        ] {
            let rows = (digest[name]?.list ?? []).map { cells($0, key, "visits", "events") }
            #expect(!rows.isEmpty && sorted(rows) == expected(name), "\(name)")
        }
        let alarms = (digest["alarms"]?.list ?? []).map { cells($0, "visits", "events") }
        #expect(alarms == expected("alarms").map { Array($0.dropFirst()) })
        let visits = expected("kinds").compactMap { Int($0[2]) }.reduce(0, +)
        #expect(digest["visits"]?.int == visits)
        #expect(digest["hours"]?.list.compactMap(\.int).reduce(0, +) == visits)
    }

    @Test("a server and its archive tell the same, in each form")
    func twins() throws {
        let server = try DemoServer("--events", "600", "--all-online")
        try home.signIn(to: server)
        try home.argus("archive", "init", "kept")
        #expect(try home.argus("archive", "sync", "-q", "--archive", "kept").status == 0)
        let fields = [
            "--json", "--fields",
            "events,visits,cameras,hours,unusual_hours,strangers,entities,packages,rings,pictures",
        ]
        let live = try home.argus(["events", "digest", "--camera", "Front Door"] + fields)
        let kept = try home.argus(
            ["archive", "digest", "--archive", "kept", "--camera", "Front Door"] + fields)
        #expect(live.status == 0 && kept.status == 0, "\(live.complaint)\(kept.complaint)")
        #expect(live.text == kept.text && live.json["events"]?.int ?? 0 > 0)
        for words in [["events", "digest"], ["archive", "digest", "--archive", "kept"]] {
            let page = try home.argus(words + ["--html", "page.html"])
            #expect(page.status == 0 && page.text.isEmpty, "\(page.complaint)")
            let text = try #require(home.text(of: "page.html"))
            #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
            #expect(text.contains("src=\"data:image/jpeg;base64,"))
            let mail = try home.argus(words + ["--mail", "--to", "ann@example.org"])
            #expect(mail.status == 0 && mail.text.hasPrefix("To: ann@example.org\nSubject: "))
        }
        // The pictures are gone, and the page says so.
        let gone = try home.bash(
            "rm -r kept/media/??; argus archive digest --archive kept --html - | tee page.html")
        #expect(gone.status == 0 && gone.text.contains("no picture: the archive does not have it"))
        #expect(!gone.text.contains("data:image"))
    }

    @Test("servers without pictures, rules or recognition", arguments: ["mobile", "documented"])
    func generations(_ api: String) throws {
        let server = try DemoServer("--events", "300", api: api)
        try home.signIn(to: server)
        let ran = try home.argus("events", "digest", "--html", "page.html")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(try #require(home.text(of: "page.html")).contains("</html>"))
        #expect(try home.argus("events", "digest").status == 0)
    }

    @Test("pictures that the server fails to give are named, and the digest is whole")
    func missing() throws {
        let server = try DemoServer(
            "--events", "300", faults: ["route=/api/v1/thumbnails,status=500"])
        try home.signIn(to: server)
        let ran = try home.argus("events", "digest", "--html", "-", "--retries", "0")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.text.contains("no picture: ") && !ran.text.contains("data:image"))
    }

    @Test("events that cannot be read are a gap, with its status")
    func gaps() throws {
        let server = try DemoServer("--events", "2000", "--unreadable", "60")
        try home.signIn(to: server)
        let ran = try home.argus("events", "digest", "--json", "--during", "last-week")
        #expect(ran.status == 12, "\(ran.complaint)")
        #expect(ran.json["gaps"]?.list.first?["reason"]?.string == "unreadable")
    }

    @Test("what does not fit together is refused before anything is read")
    func mistakes() throws {
        let wrong = [
            ["--html", "a", "--mail"], ["--to", "ann"], ["--mail", "--to", "a\nBcc: b"],
            ["--until", "yesterday"], ["--html", "a", "--json"], ["--mail", "--fields", "events"],
            ["--since", "2999-01-01"], ["--format", "csv"],
        ]
        for words in wrong {
            let ran = try home.argus(["events", "digest"] + words)
            #expect(ran.status == 2 && ran.text.isEmpty, "\(words): \(ran.complaint)")
        }
        try home.signIn(to: try DemoServer("--events", "300"))
        let ran = try home.argus("events", "digest", "--html", "nowhere/page.html")
        #expect(ran.status == 1, "\(ran.complaint)")
        // Without LOGNAME and USER it is the owner of the process.
        let mail = try home.bash("env -u LOGNAME -u USER argus events digest --mail | grep '^To: '")
        #expect(mail.text == (try home.bash("echo \"To: $(id -un)\"").text))
    }

    @Test("a page is written to a device or a pipe as it is, and through a link to its file")
    func targets() throws {
        try home.signIn(to: try DemoServer("--events", "20"))
        let ran = try home.bash(
            """
            argus events digest --html /dev/full; echo "status $?"
            test -c /dev/full && echo device
            mkfifo pipe; cat pipe > read & argus events digest --html pipe; wait; wc -c < read
            echo old > file; ln -s file link; argus events digest --html link
            test -L link && grep -c '<html' file
            mkdir folder; argus events digest --html folder; echo "status $?"
            argus check -o folder; echo "status $?"
            """)
        try #require(ran.lines.count == 6, "\(ran.lines) \(ran.complaint)")
        #expect(ran.lines.prefix(2) == ["status 1", "device"])
        #expect((Int(ran.lines[2]) ?? 0) > 1000)
        #expect(ran.lines.suffix(3) == ["1", "status 1", "status 1"])
    }

    @Test("the command lines and the script of docs/digest.md")
    func document() throws {
        let text = try DocumentTests.text(of: "docs/digest.md")
        try home.signIn(to: try DemoServer("--events", "600"))
        try home.write(
            "#!/bin/sh\n[ \"$*\" = -t ] && cat > \"$HOME/sent\"\n", to: "bin/sendmail", mode: 0o700)
        let script = try #require(
            text.split(separator: "\n```sh\n").dropFirst().first?.split(separator: "```").first)
        try home.write(String(script), to: "mail-digest", mode: 0o700)
        let lines = text.replacing("\n        ", with: " ").split(separator: "\n").filter {
            ["    argus ", "    sqlite3", "    ./"].contains(where: $0.hasPrefix)
        }
        #expect(lines.count == 11)
        for line in lines {
            let ran = try home.bash(
                "ARCHIVE=$HOME/cameras\n" + line.replacing("/mnt/usb", with: home.path),
                variables: [
                    "PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin"
                ])
            #expect(ran.status == 0, "\(line)\n\(ran.complaint)")
        }
        #expect(home.text(of: "sent")?.hasPrefix("To: ") == true)
    }
}
