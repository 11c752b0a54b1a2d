import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus events bundle`, `argus archive bundle` and `argus bundle verify` beside a real server; what
/// they write is read by unzip(1), sha256sum(1), ssh-keygen(1) and Python.
@Suite("case files of servers and archives", .waitsForPrograms)
struct BundleTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func begin(_ server: DemoServer) throws {
        try home.signIn(to: server, "--name", "home")
        try home.argus("archive", "init", "kept")
        try home.argus("config", "set", "archive_dir", home.file("kept"))
    }

    /// The names and SHA-256 of the files in a case file whose names have one of these beginnings.
    private func contents(of file: String, _ beginnings: [String]) throws -> [String] {
        let script = """
            import hashlib, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as z:
                for name in sorted(z.namelist()):
                    if name.startswith(tuple(sys.argv[2:])):
                        print(name, hashlib.sha256(z.read(name)).hexdigest())
            """
        let ran = try home.bash(
            "python3 -c \"$@\"", arguments: [script, file] + beginnings)
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    @Test("those of a server and of its archive agree in every event, object and file")
    func twins() throws {
        let server = try DemoServer("--events", "30")
        try begin(server)
        let synced = try home.argus("archive", "sync", "--frames", "--video")
        #expect(synced.status == 0, "\(synced.complaint)")
        let choice = ["--since", "20d", "--frames", "--video", "--json"]
        let online = try home.argus(["events", "bundle", "-o", "server.zip"] + choice)
        #expect(online.status == 0, "\(online.complaint)")
        let offline = try home.argus(["archive", "bundle", "-o", "archive.zip"] + choice)
        #expect(offline.status == 0, "\(offline.complaint)")
        #expect((online.json["events"]?.int ?? 0) > 10)
        #expect(online.json["events"] == offline.json["events"])
        #expect(online.json["files"] == offline.json["files"])
        let beginnings = ["events.json", "raw/", "media/"]
        let kept = try contents(of: "archive.zip", beginnings)
        #expect(try contents(of: "server.zip", beginnings) == kept)
        #expect(kept.contains { $0.hasPrefix("media/") && $0.contains(".mp4 ") })
        #expect(kept.contains { $0.contains("-frame-") })
        for file in ["server", "archive"] {
            let script = """
                unzip -tq \(file).zip && unzip -q \(file).zip -d \(file) && cd \(file) &&
                sha256sum -c --quiet SHA256SUMS && stat -c %a ../\(file).zip
                """
            let ran = try home.bash(script)
            #expect(ran.status == 0 && ran.lines.last == "600", "\(ran.text)\(ran.complaint)")
            let verified = try home.argus("bundle", "verify", "\(file).zip")
            #expect(verified.status == 0, "\(verified.complaint)")
            #expect(verified.complaint.contains("as exported; not signed"))
        }
        // Objects and files as curl and the database have them, checked without argus.
        let compare = """
            import hashlib, json, sqlite3, urllib.request
            base = sqlite3.connect('file:kept/archive.db?mode=ro', uri=True)
            manifest = json.load(open('server/manifest.json'))
            raw = {r[0]: r[1] for r in base.execute('SELECT id, raw FROM event JOIN object ON event = number')}
            count = 0
            for row in manifest['files']:
                if row.get('kind') == 'event':
                    assert open('server/' + row['path']).read() == raw[row['event_id']]
                if row.get('kind') == 'picture':
                    assert row['source'].startswith('/api/v1/thumbnails/'), row
                    body = urllib.request.urlopen('\(server.url)' + row['source']).read()
                    assert hashlib.sha256(body).hexdigest() == row['sha256']
                    count += 1
            archive = json.load(open('archive/manifest.json'))
            assert all(r['archive_sha256'] == r['sha256'] for r in archive['files'] if 'kind' in r)
            assert archive['exported_at'] is None and manifest['exported_at'] > '2026'
            assert manifest['server']['clock_offset_seconds'] == 0
            assert manifest['exported_by']['account'] == 'demo'
            assert sorted(r['path'] for r in archive['files']) == sorted(r['path'] for r in manifest['files'])
            print(count)
            """
        let compared = try home.bash("python3 -c \"$1\"", arguments: [compare])
        #expect(compared.status == 0, "\(compared.complaint)")
        #expect((compared.lines.first.flatMap { Int($0) } ?? 0) > 10)
    }

    @Test("the same choice of an archive gives the same bytes; a time of export is given to it")
    func again() throws {
        try begin(try DemoServer("--events", "40"))
        try home.argus("archive", "sync")
        let line = ["archive", "bundle", "--type", "person", "-o"]
        for name in ["1.zip", "2.zip"] {
            let ran = try home.argus(line + [name])
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        let dated = try home.argus(
            line + ["3.zip"], variables: ["SOURCE_DATE_EPOCH": "1795212000"])
        #expect(dated.status == 0, "\(dated.complaint)")
        #expect(try home.bash("cmp 1.zip 2.zip && ! cmp -s 1.zip 3.zip").status == 0)
        let time = try home.bash("unzip -p 3.zip manifest.json | jq -r .exported_at")
        #expect(time.text == "2026-11-20T22:00:00.000000Z\n")
        let wrong = try home.argus(line + ["4.zip"], variables: ["SOURCE_DATE_EPOCH": "now"])
        #expect(wrong.status == 2)
        // To a pipe the same, and nothing else.
        #expect(try home.bash("argus archive bundle --type person -o - | cmp - 1.zip").status == 0)
        // What a deletion or a change on the disk does, is told.
        let script = "f=$(find kept/media -name '*.jpg' | sort | head -1); printf x >> $f"
        #expect(try home.bash(script).status == 0)
        let damaged = try home.argus("archive", "bundle", "--since", "90d", "-o", "5.zip")
        #expect(damaged.status == 12, "\(damaged.complaint)")
        #expect(damaged.complaint.contains("archive verify --repair"))
        #expect(try home.argus("bundle", "verify", "5.zip").status == 0)
        #expect(
            try home.bash("unzip -p 5.zip index.html | grep -c 'file in the archive is damaged'")
                .text
                == "1\n")
    }

    @Test("signatures are made and checked by ssh-keygen; other keys and changed files are refused")
    func signatures() throws {
        try home.signIn(to: try DemoServer("--events", "10"))
        let keys = """
            for name in mine other; do ssh-keygen -q -t ed25519 -N '' -C '' -f $name; done
            echo "anna@example.org $(cat mine.pub)" > signers
            echo "eve@example.org $(cat other.pub)" > others
            """
        #expect(try home.bash(keys).status == 0)
        let signed = try home.argus(
            "events", "bundle", "latest", "--sign", "mine", "-o", "case.zip", "--json")
        #expect(signed.status == 0, "\(signed.complaint)")
        #expect(signed.json["signed"] == .bool(true))
        let own = try home.argus("bundle", "verify", "case.zip")
        #expect(own.status == 0 && own.complaint.contains("signed by ED25519 key SHA256:"))
        let trusted = try home.argus(
            "bundle", "verify", "case.zip", "--allowed-signers", "signers")
        #expect(trusted.status == 0, "\(trusted.complaint)")
        #expect(trusted.complaint.contains("signed by anna@example.org, ED25519 key SHA256:"))
        let foreign = try home.argus(
            "bundle", "verify", "case.zip", "--allowed-signers", "others", "--json")
        #expect(foreign.status == 12)
        #expect(foreign.json.list.first?["problem"]?.string == "signature")
        // A forger makes everything anew but for the signature.
        let forge = """
            import hashlib, json, zipfile
            with zipfile.ZipFile('case.zip') as z: files = {n: z.read(n) for n in z.namelist()}
            manifest = json.loads(files['manifest.json'])
            for row in manifest['files']:
                if row['path'] == 'index.html':
                    files['index.html'] += b'<!-- -->'
                    row['size'] = len(files['index.html'])
                    row['sha256'] = hashlib.sha256(files['index.html']).hexdigest()
            files['manifest.json'] = json.dumps(manifest).encode()
            del files['SHA256SUMS']
            sums = {r['path']: r['sha256'] for r in manifest['files']}
            sums['manifest.json'] = hashlib.sha256(files['manifest.json']).hexdigest()
            files['SHA256SUMS'] = ''.join(f'{v}  {k}\\n' for k, v in sums.items()).encode()
            with zipfile.ZipFile('forged.zip', 'w') as z:
                for name in files: z.writestr(name, files[name])
            """
        #expect(try home.bash("python3 -c \"$1\"", arguments: [forge]).status == 0)
        for more in [[], ["--allowed-signers", "signers"]] {
            let forged = try home.argus(["bundle", "verify", "forged.zip", "--json"] + more)
            #expect(forged.status == 12)
            #expect(forged.json.list.count == 1)
            #expect(forged.json.list.first?["problem"]?.string == "signature", "\(forged.text)")
        }
        let plain = try home.argus("events", "bundle", "latest", "-o", "plain.zip")
        #expect(plain.status == 0)
        let unsigned = try home.argus(
            "bundle", "verify", "plain.zip", "--allowed-signers", "signers", "--json")
        #expect(unsigned.status == 12)
        #expect(unsigned.json.list.first?["problem"]?.string == "unsigned")
        // Nothing is fetched for a key that is not there, and nothing is left behind.
        let missing = try home.argus(
            "events", "bundle", "latest", "--sign", "nowhere", "-o", "no.zip")
        #expect(missing.status == 1 && missing.complaint.contains("nowhere"))
        let wrong = try home.argus(
            "events", "bundle", "latest", "--sign", "signers", "-o", "no.zip")
        #expect(wrong.status == 1 && wrong.complaint.contains("could not sign"))
        let left = try home.files().filter {
            !$0.hasPrefix(".") && !$0.hasSuffix(".zip") && !$0.hasSuffix(".pub")
        }
        #expect(left == ["mine", "other", "others", "signers"])
    }

    @Test("an agent signs by its public key, and a passphrase is prompted for on the terminal")
    func prompts() throws {
        try home.signIn(to: try DemoServer("--events", "10"))
        let agent = """
            ssh-keygen -q -t ed25519 -N '' -C '' -f held && eval "$(ssh-agent -s)" > /dev/null
            trap 'kill $SSH_AGENT_PID' EXIT
            ssh-add -q held && rm held
            argus events bundle latest --sign held.pub -o held.zip && argus bundle verify held.zip
            """
        let held = try home.bash(agent)
        #expect(held.status == 0, "\(held.complaint)")
        #expect(held.complaint.contains("signed by ED25519"))
        let script = """
            import os, pty, sys
            pid, fd = pty.fork()
            if pid == 0: os.execvp('argus', sys.argv[1:])
            seen = b''
            try:
                while block := os.read(fd, 1000):
                    seen += block
                    if b'passphrase' in seen:
                        os.write(fd, b'open sesame\\n')
                        seen = b''
            except OSError: pass
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let made = try home.bash("ssh-keygen -q -t ed25519 -N 'open sesame' -C '' -f locked")
        #expect(made.status == 0)
        let words = ["argus", "events", "bundle", "latest", "--sign", "locked", "-o", "locked.zip"]
        let asked = try home.bash("python3 -c \"$@\"", arguments: [script] + words)
        #expect(asked.status == 0, "\(asked.text)\(asked.complaint)")
        let verified = try home.argus("bundle", "verify", "locked.zip")
        #expect(verified.complaint.contains("signed by"))
        // Without a terminal nobody can be asked, and nothing hangs.
        let silent = try home.argus(
            "events", "bundle", "latest", "--sign", "locked", "-o", "silent.zip")
        #expect(silent.status == 1 && home.bytes(of: "silent.zip") == nil)
    }

    @Test(
        "what the server does not give is named, and the file is written; a lost server writes none"
    )
    func failures() throws {
        let server = try DemoServer(
            "--events", "30",
            faults: [
                "route=/api/v1/thumbnails,status=500,times=4",
                "route=/api/v1/thumbnails,after=4,times=1,status=200,content-type=image/jpeg,"
                    + "body=<svg onload='alert(1)'>",
            ])
        try home.signIn(to: server)
        let partial = try home.argus(
            "events", "bundle", "--since", "90d", "-o", "case.zip", "--json")
        #expect(partial.status == 11, "\(partial.complaint)")
        let absent = try home.bash("unzip -p case.zip manifest.json | jq -r '.absent | length'")
        #expect((Int(absent.lines.first ?? "") ?? 0) >= 2, "\(absent.text)")
        #expect(try home.argus("bundle", "verify", "case.zip").status == 0)
        #expect(try home.bash("unzip -p case.zip index.html | grep -ci '<svg'").text == "0\n")
        let exists = try home.argus("events", "bundle", "latest", "-o", "case.zip")
        #expect(exists.status == 1 && exists.complaint.contains("--force"))
        #expect(
            try home.argus("events", "bundle", "latest", "--force", "-o", "case.zip").status == 0)
        #expect(try home.argus("events", "bundle", "-o", "x.zip").status == 2)
        #expect(
            try home.argus("events", "bundle", "00000000", "--type", "person", "-o", "x.zip").status
                == 2)
        #expect(
            try home.argus("events", "bundle", "--search", "no such words", "-o", "x.zip").status
                == 3)
        server.stop()
        let lost = try home.argus("events", "bundle", "--since", "90d", "-o", "lost.zip")
        #expect(lost.status == 6, "\(lost.complaint)")
        #expect(try home.files().filter { !$0.hasPrefix(".") } == ["case.zip"])
        let wrong = try home.argus("bundle", "verify", "nowhere.zip")
        #expect(wrong.status == 1)
    }

    @Test("a video whose boxes are longer than it is kept, with a remark; what is no video is not")
    func videos() throws {
        for (body, status, count) in [("xxxxftypisom", 0, "1"), ("<svg>", 11, "0")] {
            let home = try TemporaryHome()
            try home.signIn(
                to: try DemoServer(
                    "--events", "5",
                    faults: [
                        "route=*/video/download,status=200,content-type=video/mp4,body=\(body)"
                    ]))
            let ran = try home.argus(
                "events", "bundle", "latest", "--video", "-o", "v.zip", "--force")
            #expect(ran.status == Int32(status), "\(ran.complaint)")
            let remarks = try home.bash(
                "unzip -p v.zip manifest.json | jq '[.files[] | select(.remark)] | length'")
            #expect(remarks.lines == [count])
            #expect(try home.argus("bundle", "verify", "v.zip").status == 0)
        }
    }

    @Test("the command lines of docs/evidence.md")
    func document() throws {
        try begin(try DemoServer("--events", "60"))
        try home.argus("archive", "sync", "--frames", "--video")
        let text = try DocumentTests.text(of: "docs/evidence.md")
        var lines: [String] = []
        for line in text.split(separator: "\n") where line.hasPrefix("    ") {
            if lines.last?.hasSuffix("\\") == true {
                lines[lines.count - 1] = String(lines[lines.count - 1].dropLast()) + line
            } else {
                lines.append(String(line.dropFirst(4)))
            }
        }
        #expect(lines.count >= 10)
        try home.write("", to: ".ssh/config")
        for line in lines {
            // Nobody types a passphrase here.
            let ran = try home.bash(
                "ARCHIVE=$HOME/kept; "
                    + line.replacing("-t ed25519", with: "-q -N '' -t ed25519"))
            #expect(ran.status == 0, "\(line)\n\(ran.text)\(ran.complaint)")
        }
        #expect(try home.argus("bundle", "verify", "dated.zip").status == 0)
    }
}
