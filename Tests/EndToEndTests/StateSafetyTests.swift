import Glibc
import Testing

@testable import argus_demo

/// The files of state among hostile neighbours, on full disks and in homes that cannot be written.
@Suite("files of state", .waitsForPrograms)
struct StateSafetyTests {
    private let home: TemporaryHome
    private let state = ".local/state/argus"

    init() throws {
        home = try TemporaryHome()
        try home.write(DemoServer.password, to: "password")
    }

    private func login(_ server: DemoServer) -> String {
        "argus login \(server.url) --name home -u demo --password-file \"$HOME/password\""
    }

    /// Runs a script as root with mounts of its own.
    private func mounting(_ script: String) throws -> ProgramResult {
        let ran = try home.bash(
            "\(geteuid() == 0 ? "" : "sudo -E ")unshare -m bash -ec \"$1\"",
            arguments: ["export PATH=\(TemporaryHome.binaries):$PATH; cd \(home.path)\n" + script])
        return ran
    }

    private func hasMode(_ mode: mode_t, _ path: String) -> Bool {
        var status = stat()
        return lstat(home.file(path), &status) == 0 && status.st_mode & 0o7777 == mode
    }

    @Test("whatever the umask, files are 0600 and folders 0700", arguments: ["000", "022", "777"])
    func umask(mask: String) throws {
        let server = try DemoServer()
        let ran = try home.bash(
            "umask \(mask); \(login(server)) --remember && argus cameras list && argus whoami "
                + "&& argus config set utc true && argus events watch --state w --for 100ms")
        #expect(ran.status == 0, "\(ran.complaint)")
        let folders = [
            ".local", ".local/state", state, "\(state)/credentials", ".cache/argus",
            ".config/argus",
        ]
        for folder in folders {
            #expect(hasMode(0o700, folder), "\(folder)")
        }
        let files = try home.files().filter { $0.hasPrefix(".") }
        #expect(files.count > 6, "\(files)")
        for file in files { #expect(hasMode(0o600, file), "\(file)") }
    }

    @Test("links in the place of state are refused, and nothing is read or written through them")
    func links() throws {
        let server = try DemoServer()
        #expect(try home.bash(login(server)).status == 0)
        let sealed = try #require(
            try home.files(in: state).first { $0.hasSuffix(".sealed") })
        for name in [sealed, "credentials/key", "servers.json"] {
            let moved = try home.bash("mv \(state)/\(name) aside; ln -s ~/aside \(state)/\(name)")
            #expect(moved.status == 0)
            let ran = try home.argus("whoami")
            #expect(ran.status == 1, "\(name)")
            #expect(ran.complaint.contains("symbolic link"), "\(ran.complaint)")
            _ = try home.bash("mv -f aside \(state)/\(name)")
            #expect(try home.argus("whoami").status == 0)
        }
        for folder in [state, "\(state)/credentials"] {
            _ = try home.bash("mv \(folder) aside; ln -s ~/aside \(folder)")
            let before = try home.files(in: "aside")
            let ran = try home.bash(login(server))
            #expect(ran.status == 1, "\(folder): \(ran.complaint)")
            #expect(ran.complaint.contains("symbolic link"), "\(ran.complaint)")
            #expect(try home.files(in: "aside") == before)
            _ = try home.bash("rm \(folder); mv aside \(folder)")
        }
        #expect(try home.argus("whoami").status == 0)
    }

    @Test("state that another user owns is refused")
    func owners() throws {
        let server = try DemoServer()
        #expect(try home.bash(login(server)).status == 0)
        let files = try home.files(in: state).filter {
            $0.hasSuffix(".sealed") || $0 == "servers.json" || $0 == "credentials/key"
        }
        #expect(files.count == 3)
        let root = geteuid() == 0 ? "" : "sudo "
        for file in files {
            let path = "\(state)/\(file)"
            #expect(try home.bash("\(root)chown 12345 \(path)").status == 0)
            let ran = try home.argus("whoami")
            #expect(ran.status == 1)
            #expect(ran.complaint.contains("another user (uid 12345)"), "\(ran.complaint)")
            #expect(try home.bash("\(root)chown \(geteuid()) \(path)").status == 0)
        }
        for folder in [state, "\(state)/credentials"] {
            #expect(try home.bash("\(root)chown 12345 \(folder)").status == 0)
            let ran = try home.bash(login(server))
            #expect(ran.status == 1)
            #expect(ran.complaint.contains("another user (uid 12345)"), "\(ran.complaint)")
            #expect(try home.bash("\(root)chown \(geteuid()) \(folder)").status == 0)
        }
        #expect(try home.argus("whoami").status == 0)
    }

    @Test("a folder of state that others may write, or own, is refused and named by doctor")
    func openFolders() throws {
        let server = try DemoServer()
        #expect(try home.bash(login(server)).status == 0)
        let root = geteuid() == 0 ? "" : "sudo "
        for folder in [state, "\(state)/credentials"] {
            for (spoil, words, remedy) in [
                ("chmod 777", "may read or change it (mode 777)", "chmod 700 '"),
                ("chmod 720", "may read or change it (mode 720)", "chmod 700 '"),
                // Root may not take over what is another user's.
                (
                    "\(root)chown 12345", "another user (uid 12345)",
                    geteuid() == 0 ? "run argus as that user" : "chown \(geteuid()) '"
                ),
            ] {
                #expect(try home.bash("\(spoil) \(folder)").status == 0)
                for words in [
                    ["events", "list"], ["login", server.url, "-u", "demo", "--password-stdin"],
                ] {
                    let ran = try home.argus(words, input: .text("x"))
                    #expect(ran.status == 1, "\(words) \(ran.complaint)")
                }
                let ran = try home.argus("whoami")
                let path = home.file(folder)
                #expect(ran.complaint.contains("'\(path)': "), "\(ran.complaint)")
                #expect(ran.complaint.contains(words), "\(ran.complaint)")
                let advice = remedy.hasSuffix("'") ? "\(remedy)\(path)'" : remedy
                #expect(ran.complaint.contains(advice), "\(ran.complaint)")
                let doctor = try home.argus("doctor")
                #expect(doctor.status == 1)
                let line = doctor.lines.first { $0.hasPrefix("failed   folders") } ?? ""
                #expect(line.contains(words) && line.contains(remedy), "\(doctor.text)")
                _ = try home.bash("\(root)chown \(geteuid()) \(folder); chmod 700 \(folder)")
            }
        }
        #expect(try home.argus("whoami").status == 0)
    }

    @Test("a full disk keeps the old token, and no renewal is asked for that could not be kept")
    func fullDisk() throws {
        let server = try DemoServer(faults: ["route=/api/v1/events,status=401,times=1"])
        let ran = try mounting(
            """
            mkdir -p \(state); mount -t tmpfs -o size=64k,mode=700 none \(state)
            \(login(server)); argus token >first
            cat /dev/zero >\(state)/fill 2>/dev/null || true
            echo "refused $(argus events list 2>refused >/dev/null; echo $?)"
            echo "login $(\(login(server)) 2>login >/dev/null; echo $?)"
            argus token | cmp - first && echo same
            rm \(state)/fill
            echo "later $(argus events list 2>later >/dev/null; echo $?)"
            find \(state) -name '*.tmp'
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(
            ran.lines == ["refused 1", "login 1", "same", "later 0"],
            "\(ran.text) \(home.text(of: "refused") ?? "") \(home.text(of: "later") ?? "")")
        let refused = home.text(of: "refused") ?? ""
        #expect(refused.contains("could not be renewed") && !refused.contains("sign in"))
        #expect(refused.split(separator: "no space left on device").count == 2, "\(refused)")
        #expect(server.count("/api/v1/auth/refresh") == 0)
    }

    @Test("on a full disk no change is queued, and one that waits stays as it was")
    func fullQueue() throws {
        let server = try DemoServer(
            faults: ["route=/api/v1/cameras/*,method=put,status=503,times=4"])
        let ran = try mounting(
            """
            mkdir -p \(state); mount -t tmpfs -o size=256k,mode=700 none \(state)
            \(login(server))
            list() { argus queue list --format csv --no-header --fields id,tries; }
            argus cameras disable Garage --queue --retries 0 2>/dev/null; list >before
            argus queue retry $(cut -d, -f1 before) 2>/dev/null
            cat /dev/zero >\(state)/fill 2>/dev/null || true
            echo "queue $(argus cameras disable Driveway --queue --retries 0 2>full; echo $?)"
            echo "run $(argus queue run --retries 0 2>run >/dev/null; echo $?)"
            list | cmp - before && echo same
            rm \(state)/fill
            echo "later $(argus queue run 2>later >/dev/null; echo $?)"
            list
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(
            ran.lines == ["queue 1", "run 1", "same", "later 0"],
            "\(ran.text) \(home.text(of: "run") ?? "") \(home.text(of: "later") ?? "")")
        for name in ["full", "run"] {
            #expect(home.text(of: name)?.contains("no space left on device") == true)
        }
    }

    @Test("a read-only home folder stays in use, and its token is not spent")
    func readOnlyHome() throws {
        let server = try DemoServer(faults: ["route=/api/v1/events,status=401,after=1,times=1"])
        let ran = try mounting(
            """
            \(login(server)); argus token >first
            mount --bind . . && mount -o remount,bind,ro . && cd .
            argus events list >/dev/null && echo listed
            argus events list >/dev/null || echo "refused $?"
            argus token | cmp - first && echo same
            argus events list >/dev/null && echo listed
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines == ["listed", "refused 1", "same", "listed"], "\(ran.complaint)")
        #expect(ran.complaint.contains("read-only file system"), "\(ran.complaint)")
        #expect(!ran.complaint.contains("sign in"), "\(ran.complaint)")
        #expect(server.count("/api/v1/auth/refresh") == 0)
    }

    @Test("no command claims a change in a read-only home folder")
    func nothingClaimed() throws {
        let server = try DemoServer()
        let ran = try mounting(
            """
            \(login(server)); argus server set home --no-check --relay https://127.0.0.1:1/r
            argus server list --json >before
            mount --bind . . && mount -o remount,bind,ro . && cd .
            try() { argus "$@" 2>&1 >/dev/null | tail -1; echo "$1 $2 ${PIPESTATUS[0]}"; }
            try server rename home hut
            try server use home
            try server set home --no-check --relay https://127.0.0.1:2/r
            try server remove home
            try login \(server.url) --name other -u demo --password-file password
            try pair \(server.url) --no-wait
            argus server list --json | cmp - before && echo same
            argus whoami >/dev/null && echo "signed in"
            try logout
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        let folder = home.file(state)
        let reported = "nothing can be stored in '\(folder)': read-only file system"
        let statuses = ran.lines.filter { !$0.hasPrefix("argus: ") }
        #expect(
            statuses == [
                "server rename 1", "server use 1", "server set 1", "server remove 1",
                "login \(server.url) 1", "pair \(server.url) 1", "same", "signed in", "logout  1",
            ], "\(ran.text)")
        let messages = ran.lines.filter { $0.hasPrefix("argus: ") }
        #expect(messages.dropLast() == Array(repeating: "argus: \(reported)", count: 6)[...])
        #expect(
            messages.last == "argus: the server has ended the session, but the sign-in to 'home' "
                + "is still stored here: \(reported)")
        #expect(server.count("/api/v1/auth/login") == 1)
        #expect(server.count("/api/v1/mobile/auth/pair") == 0)
        #expect(server.count("/api/v1/auth/logout") == 1)
    }

    @Test("a first login in a read-only home folder sends no password")
    func firstLogin() throws {
        let server = try DemoServer()
        let ran = try mounting(
            """
            mount --bind . . && mount -o remount,bind,ro . && cd .
            \(login(server)) || echo "status $?"
            """)
        #expect(ran.lines == ["status 1"])
        #expect(ran.complaint.hasPrefix("argus: nothing can be stored in '"), "\(ran.complaint)")
        #expect(server.count("/api/v1/auth/login") == 0)
    }
}
