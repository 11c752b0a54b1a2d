import Glibc
import Testing

@testable import argus_demo

/// The files of state among hostile neighbours, on full disks and in homes that cannot be written.
@Suite("files of state", .timeLimit(.minutes(3)))
struct StateSafetyTests {
    private let home: Home
    private let state = ".local/state/argus"

    init() throws {
        home = try Home()
        try home.write(DemoServer.password, to: "password")
    }

    private func login(_ server: DemoServer) -> String {
        "argus login \(server.url) --name home -u demo --password-file \"$HOME/password\""
    }

    /// Runs a script as root with mounts of its own.
    private func mounting(_ script: String) throws -> Ran {
        let ran = try home.bash(
            "\(geteuid() == 0 ? "" : "sudo -E ")unshare -m bash -ec \"$1\"",
            arguments: ["export PATH=\(Home.binaries):$PATH; cd \(home.path)\n" + script])
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
            "umask \(mask); \(login(server)) --remember && argus cameras list && argus whoami")
        #expect(ran.status == 0, "\(ran.complaint)")
        for folder in [".local", ".local/state", state, "\(state)/credentials", ".cache/argus"] {
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
        #expect(refused.contains("could not be renewed now") && !refused.contains("sign in"))
        #expect(refused.split(separator: "no space left on device").count == 2, "\(refused)")
        #expect(server.count("/api/v1/auth/refresh") == 0)
    }

    @Test("a home that cannot be written goes on being used, and its token is not spent")
    func readOnlyHome() throws {
        let server = try DemoServer(faults: ["route=/api/v1/events,status=401,after=1,times=1"])
        let ran = try mounting(
            """
            \(login(server)); argus token >first
            mount --bind . . && mount -o remount,bind,ro . && cd .
            argus events list >/dev/null && echo listed
            argus events list >/dev/null 2>&1 || echo refused
            argus token | cmp - first && echo same
            argus events list >/dev/null && echo listed
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines == ["listed", "refused", "same", "listed"], "\(ran.complaint)")
        #expect(server.count("/api/v1/auth/refresh") == 0)
    }
}
