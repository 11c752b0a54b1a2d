import Glibc
import Testing

@testable import argus_demo

/// Where results and pictures go, and what happens when they cannot.
@Suite(.waitsForPrograms)
final class FileTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        try home.signIn(to: try DemoServer())
    }

    @Test("an existing file is kept, unless --force is given")
    func existing() throws {
        try home.write("precious", to: "door.jpg")
        let words = ["cameras", "snapshot", "Driveway", "-o", "door.jpg"]
        let kept = try home.argus(words)
        #expect(kept.status == 1)
        #expect(kept.complaint.contains("hint: overwrite it with --force"))
        #expect(home.text(of: "door.jpg") == "precious")
        #expect(try home.argus(words + ["--force"]).status == 0)
        #expect(home.bytes(of: "door.jpg")?.starts(with: [0xFF, 0xD8]) == true)
    }

    @Test("what kill -9 left of a picture and of the settings is removed by the next run there")
    func leftovers() throws {
        try home.write("half", to: "pictures/.argus-abc.tmp")
        try home.write("half", to: ".config/argus/.argus-abc.tmp")
        #expect(
            try home.argus("cameras", "snapshot", "Driveway", "-o", "pictures/").status == 0)
        #expect(try home.argus("config", "set", "utc", "true").status == 0)
        #expect(try home.files().allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test(
        "another user's link in a folder for all is not followed, whatever asks for it",
        .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        try home.write("precious", to: "victim")
        mkdir(home.file("shared"), 0o700)
        chmod(home.file("shared"), 0o1777)
        #expect(symlink(home.file("victim"), home.file("shared/x")) == 0)
        #expect(lchown(home.file("shared/x"), 12345, 12345) == 0)
        for words in [
            ["cameras", "snapshot", "Driveway"], ["events", "thumbnail", "latest"],
            ["events", "export"],
        ] {
            let ran = try home.argus(words + ["-o", "shared/x", "--force"])
            #expect(
                ran.status == 1 && ran.complaint.contains("another user (uid 12345)"), "\(words)")
        }
        #expect(home.text(of: "victim") == "precious")
    }

    @Test("root changes the settings of a user, who keeps them", .enabled(if: geteuid() == 0))
    func settingsOfUser() throws {
        mkdir(home.file("user"), 0o700)
        #expect(chown(home.file("user"), 12345, 12346) == 0)
        let variables = ["HOME": home.file("user")]
        #expect(try home.argus("config", "set", "utc", "true", variables: variables).status == 0)
        #expect(try home.argus("config", "set", "utc", "false", variables: variables).status == 0)
        let owners = try home.bash(
            "find user -printf '%U:%G\\n' | sort -u; find user -name config.toml")
        #expect(owners.lines == ["12345:12346", "user/.config/argus/config.toml"])
        let login = try home.argus("server", "list", variables: variables)
        #expect(!login.complaint.contains("chown"), "\(login.complaint)")
    }

    @Test("targets that cannot be written are reported before anything is fetched")
    func unwritable() throws {
        try home.write("", to: "file")
        for target in ["missing/folder/x.jpg", "file/x.jpg", "/proc/x.jpg", "/dev/full"] {
            let ran = try home.argus("cameras", "snapshot", "Driveway", "-o", target)
            #expect(ran.status == 1, "\(target): \(ran.complaint)")
            #expect(ran.complaint.hasPrefix("argus: cannot "), "\(target): \(ran.complaint)")
        }
        let several = try home.argus("cameras", "snapshot", "Driveway", "Garage", "-o", "file")
        #expect(several.status == 1)
        #expect(home.text(of: "file") == "")
        #expect(
            try home.argus("cameras", "snapshot", "Driveway", "Garage", "-o", "-").status == 2)
    }

    @Test("devices and folders are targets of their kind")
    func kinds() throws {
        #expect(try home.argus("cameras", "snapshot", "Driveway", "-o", "/dev/null").status == 0)
        mkdir(home.file("folder"), 0o700)
        let ran = try home.argus("cameras", "snapshot", "Driveway", "-o", "folder", "--json")
        let path = try #require(ran.json["path"]?.string)
        #expect(path.hasPrefix("folder/Driveway-") && path.hasSuffix(".jpg"))
        #expect(home.bytes(of: path)?.count == ran.json["bytes"]?.int)
        #expect(try home.argus("cameras", "snapshot", "--all", "-o", "all/").status == 11)
        // One camera of the house is disabled, one is offline.
        #expect(try home.files(in: "all").count == 4)
    }

    @Test("a full disk is status 1 and leaves no part of a picture")
    func fullDisk() throws {
        // The limit of the size of files stands in for a disk; 8 blocks of 1024 bytes.
        let ran = try home.bash(
            "trap '' XFSZ; ulimit -f 8; exec argus cameras snapshot Driveway -o x.jpg")
        #expect(ran.status == 1, "\(ran.complaint)")
        #expect(ran.complaint.hasPrefix("argus: cannot write "))
        #expect(try home.files().filter { !$0.hasPrefix(".") } == [])
        let full = try home.argus("events", "list", "--all", output: .file("/dev/full"))
        #expect(full.status == 1)
        #expect(full.complaint == "argus: cannot write the output: no space left on device\n")
    }

    @Test("an API key that cannot be printed is revoked")
    func untoldKey() throws {
        for words in [["keys", "create", "lost"], ["keys", "create", "lost", "--json"]] {
            let ran = try home.argus(words, output: .file("/dev/full"))
            #expect(ran.status == 1)
            let sentence =
                "cannot write the output: no space left on device; the key was revoked again"
            #expect(ran.complaint.contains(sentence), "\(ran.complaint)")
        }
        // The reader closes the pipe before the key is made.
        let piped = try home.bash(
            "exec 3> >(:); wait $!; argus keys create lost >&3; echo \"status $?\"")
        #expect(piped.text == "status 1\n", "\(piped.complaint)")
        #expect(piped.complaint.contains("the pipe is closed; the key was revoked again"))
        #expect(try home.argus("keys", "list", "--json").json.list.isEmpty)
        #expect(try home.argus("keys", "list", "--revoked", "--json").json.list.count == 3)
    }

    @Test("a key that can neither be printed nor revoked is named")
    func lostKey() throws {
        let server = try DemoServer(faults: ["route=/api/v1/api-keys,method=DELETE,status=500"])
        let home = try TemporaryHome()
        try home.signIn(to: server)
        let ran = try home.argus("keys", "create", "lost", output: .file("/dev/full"))
        #expect(ran.status == 1)
        let id = try #require(
            try home.argus("keys", "list", "--json").json.list.first?["id"]?.string)
        #expect(ran.complaint.contains("the key \(id) was made, but could not be delivered: "))
        #expect(ran.complaint.hasSuffix("hint: end it with 'argus keys revoke \(id)'\n"))
    }

    @Test("closed streams are errors, never other files")
    func closedStreams() throws {
        let ran = try home.argus("events", "list", output: .closed)
        #expect(ran.status == 1)
        #expect(ran.complaint == "argus: cannot write the output: bad file descriptor\n")
        #expect(try home.argus("events", "list", input: .closed).status == 0)
        let server = try DemoServer()
        let login = try home.argus(
            "login", server.url, "--token-stdin", input: .closed)
        #expect(login.status == 2)
        var silent = home.launch(["events", "list", "--bogus"])
        (silent.output, silent.errors) = (.closed, .closed)
        #expect(try silent.start().finish().status == 2)
    }

    @Test("a reader that goes away is no failure of a list, whatever the format")
    func closedPipe() throws {
        for words in [
            "events list --all", "events list --all --format ndjson", "events list --all --json",
            "cameras list", "cameras snapshot Driveway -o -", "events list -h", "help times",
        ] {
            let ran = try home.bash("argus \(words) | head -c 1; echo; echo ${PIPESTATUS[0]}")
            #expect(ran.lines.last == "0", "\(words)")
            #expect(ran.complaint.isEmpty, "\(words): \(ran.complaint)")
        }
    }

    @Test("a picture for a pipe is the picture and nothing else")
    func pictureForPipe() throws {
        let ran = try home.argus("events", "thumbnail", "latest", "-o", "-")
        #expect(ran.status == 0)
        #expect(ran.complaint.isEmpty)
        #expect(ran.output.starts(with: [0xFF, 0xD8]) && ran.output.suffix(2) == [0xFF, 0xD9])
        try home.argus("events", "thumbnail", "latest", "-o", "x.jpg")
        #expect(home.bytes(of: "x.jpg") == ran.output)
    }

    @Test("an event without a picture is not found, and the others of the command are saved")
    func missingPicture() throws {
        let events = try home.argus("events", "list", "--all", "--json").json.list
        func id(_ has: JSON) throws -> String {
            try #require(events.first { $0["has_thumbnail"] == has }?["id"]?.string)
        }
        let (with, without) = (try id(true), try id(false))
        #expect(try home.argus("events", "thumbnail", without, "-o", "x.jpg").status == 3)
        let both = try home.argus("events", "thumbnail", without, with, "-o", "thumbs", "--json")
        #expect(both.status == 11)
        #expect(both.json.list.map { $0["event_id"]?.string } == [with])
        let path = try #require(both.json.list.first?["path"]?.string)
        #expect(path.hasPrefix("thumbs/") && path.hasSuffix(".jpg"))
        #expect(try home.files().filter { !$0.hasPrefix(".") } == [path])
    }

    @Test("a signal during a download ends argus by that signal and leaves no file")
    func interrupted() throws {
        let slow = try DemoServer(faults: ["route=/api/v1/cameras/*,drip=200"])
        let home = try TemporaryHome()
        try home.signIn(to: slow)
        for signal in [SIGINT, SIGTERM] {
            let words = ["cameras", "snapshot", "Driveway", "-o", "x.jpg", "--trace", "-"]
            let program = try home.launch(words).start()
            // The list of cameras has come, the picture is asked for.
            try program.wait(for: "/stream/snapshot")
            program.send(signal)
            #expect(try program.finish().ending == .signal(signal))
            #expect(try home.files().filter { !$0.hasPrefix(".") } == [])
        }
    }
}
