import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo
@testable import ArgusCore

/// `push listen` against the demo, which delivers its test pushes as today's server does.
@Suite("push listen", .waitsForPrograms)
struct PushListenTests {
    private let home: TemporaryHome
    private let manager: ServiceManager

    init() throws {
        home = try TemporaryHome()
        manager = try ServiceManager(home.file("notify"))
    }

    /// Starts a listener, and waits until it is subscribed.
    private func listen(_ words: String...) throws -> (RunningProgram, port: UInt16) {
        let program = try home.launch(
            ["push", "listen"] + words, ["NOTIFY_SOCKET": manager.address]
        ).start()
        let lines = try manager.receive(until: "STATUS=listening on http://127.0.0.1:")
        let port = lines.last?.split(separator: ":").last?.prefix { $0 != ";" }
        return (program, try #require(port.flatMap { UInt16($0) }))
    }

    /// Makes the server push to all of its subscriptions.
    private func push() throws {
        let ran = try home.argus("api", "POST", "push/test")
        #expect(ran.status == 0, "\(ran.complaint)")
    }

    /// The endpoints that the server has.
    private func endpoints() throws -> [String] {
        let ran = try home.argus(
            "push", "subscriptions", "--format", "csv", "--no-header", "--fields", "endpoint")
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    @Test("a test push comes, and its subscription ends")
    func test() throws {
        try home.signIn(to: try DemoServer())
        let ran = try home.argus("push", "listen", "--test", "--json")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json["title"] == "Test Notification")
        #expect((ran.json["milliseconds"]?.int ?? -1) >= 0)
        #expect(ran.json["address"]?.string?.hasPrefix("http://127.0.0.1:") == true)
        #expect(try endpoints().isEmpty)
        let checked = try home.argus("doctor", "--push")
        #expect(
            checked.lines.contains {
                $0.hasPrefix(
                    "ok       push           a test push of the server came to http://127.0.0.1:")
            }, "\(checked.text)")
        #expect(try endpoints().isEmpty)
    }

    @Test("a server that has no test, only claims it, fails or hangs is a status of its own")
    func testFailures() throws {
        for api in ["mobile", "documented"] {
            let home = try TemporaryHome()
            try home.signIn(to: try DemoServer(api: api))
            #expect(try home.argus("push", "listen", "--test").status == 14)
        }
        let other = try TemporaryHome()
        try other.signIn(
            to: try DemoServer(
                faults: [
                    "method=POST,route=/api/v1/push/test,status=200,times=1,"
                        + #"body={"success":true,"message":"","results":[]}"#,
                    "method=POST,route=/api/v1/push/test,status=500,times=1",
                    "method=POST,route=/api/v1/push/test,silent",
                ]))
        let nothing = try other.argus("push", "listen", "--test")
        #expect(nothing.status == 7)
        #expect(nothing.complaint.contains("did not push to the subscription of this machine"))
        #expect(try other.argus("push", "listen", "--test").status == 7)
        #expect(try other.argus("push", "listen", "--test", "--for", "50ms").status == 13)
        #expect(try other.argus("push", "subscriptions", "--json").text == "[]\n")
    }

    @Test("notifications are printed one a line, and SIGTERM ends the subscription")
    func stream() throws {
        try home.signIn(to: try DemoServer())
        let (program, port) = try listen("--format", "ndjson")
        #expect(try endpoints().map { $0.prefix(22) } == ["http://127.0.0.1:\(port)".prefix(22)])
        try push()
        try push()
        try program.wait { $0.split(separator: "\n").count == 2 }
        let lines = try manager.receive(
            until: "STATUS=listening on http://127.0.0.1:\(port); 2 pushes; ")
        #expect(lines.last?.hasSuffix(" Test Notification") == true)
        program.send(SIGTERM)
        let ran = try program.finish()
        #expect(ran.status == 0 && ran.complaint.isEmpty, "\(ran.complaint)")
        for line in ran.lines {
            let object = try JSONReader.read(Array(line.utf8))
            #expect(object["title"] == "Test Notification" && object["event_id"] == .null)
            #expect(object["tag"] == "test-notification" && object["silent"] == false)
        }
        #expect(try endpoints().isEmpty)
    }

    @Test("what a kill has left is ended by the next start")
    func kill() throws {
        try home.signIn(to: try DemoServer())
        var ports: [UInt16] = []
        for _ in 1...3 {
            let (program, port) = try listen()
            program.send(SIGKILL)
            _ = try program.finish()
            #expect(try endpoints().count == 1)
            ports.append(port)
        }
        let mine = try home.argus("push", "subscriptions", "--json").json
        #expect(mine.elements?.map { $0["mine"] } == [true])
        let (program, port) = try listen("--limit", "1")
        #expect(try endpoints().map { $0.prefix(22) } == ["http://127.0.0.1:\(port)".prefix(22)])
        try push()
        let ran = try program.finish()
        #expect(ran.status == 0 && ran.lines.count == 1, "\(ran.complaint)")
        #expect(ran.lines.first?.contains("Test Notification") == true)
        #expect(try endpoints().isEmpty)
        let names = try home.bash("ls .local/state/argus/listen").lines
        #expect(names.isEmpty, "\(names)")
    }

    @Test("signing out ends the subscription that a kill has left, unless it is to stay")
    func signOut() throws {
        let server = try DemoServer()
        for (words, count) in [(["logout", "--keep-push"], 1), (["logout"], 0)] {
            try home.signIn(to: server)
            let (program, _) = try listen()
            program.send(SIGKILL)
            _ = try program.finish()
            #expect(try home.argus(words).status == 0)
            try home.signIn(to: server)
            #expect(try endpoints().count == count)
        }
    }

    @Test("two at once get every push each; a port serves one of them")
    func two() throws {
        try home.signIn(to: try DemoServer())
        let (first, port) = try listen()
        let (second, _) = try listen()
        let third = try home.argus("push", "listen", "--port", "\(port)", "--format", "ndjson")
        #expect(third.status == 1)
        #expect(
            third.complaint.contains("cannot listen on 127.0.0.1:\(port): address already in use"))
        #expect(try endpoints().count == 2)
        try push()
        for program in [first, second] {
            try program.wait(for: "Test Notification")
            program.send(SIGINT)
            #expect(try program.finish().status == 0)
        }
        #expect(try endpoints().isEmpty)
    }

    @Test("a command gets the notification on stdin and in variables; one that fails is set aside")
    func hooks() throws {
        try home.signIn(to: try DemoServer())
        try home.write(
            """
            #!/bin/sh
            ls -l /proc/$$/fd | grep -c socket: > sockets
            read -r line
            echo "$ARGUS_EVENT_TITLE|$ARGUS_EVENT_TYPE|$ARGUS_EVENT_URL|$ARGUS_EVENT_SERVER_NAME|$line" >> done
            exit 3
            """, to: "hook", mode: 0o700)
        let (program, _) = try listen("--limit", "1", "--hook-tries", "1", "--", "./hook")
        try push()
        let ran = try program.finish()
        #expect(ran.status == 11 && ran.text.isEmpty)
        #expect(
            ran.complaint.contains(
                "command for notification 'Test Notification' ended with status 3; set aside after "
                    + "1 try"), "\(ran.complaint)")
        let done = home.text(of: "done") ?? ""
        #expect(
            done.hasPrefix(
                #"Test Notification|test|/settings|127.0.0.1|{"title":"Test Notification","#),
            "\(done)")
        // It inherits neither the listener nor the server's connection to it.
        #expect(home.text(of: "sockets") == "0\n")
        #expect(try endpoints().isEmpty)
    }

    @Test("a server that is down at the start is waited for")
    func boot() throws {
        try home.signIn(
            to: try DemoServer(
                faults: ["route=/api/v1/push/vapid-public-key,status=503,times=3"]))
        let (program, _) = try listen("--retries", "0", "--limit", "1")
        try push()
        let ran = try program.finish()
        #expect(ran.status == 0)
        let complaints = ran.complaint.split(separator: "\n")
        #expect(complaints.first?.hasSuffix("; trying again") == true, "\(ran.complaint)")
        #expect(complaints.last == "'127.0.0.1' answers again" && complaints.count == 2)
    }

    @Test(
        "a server that refuses to subscribe is asked again for the same, and that is reported once")
    func refused() throws {
        let server = try DemoServer(faults: [
            "method=POST,route=/api/v1/push/subscribe,status=503,times=2",
            "method=DELETE,route=/api/v1/push/subscribe,status=503,times=1",
        ])
        try home.signIn(to: server)
        let (program, _) = try listen("--retries", "0")
        #expect(server.count("/api/v1/push/subscribe") == 3)
        program.send(SIGTERM)
        let ran = try program.finish()
        #expect(ran.status == 0)
        let complaints = ran.complaint.split(separator: "\n")
        try #require(complaints.count == 3, "\(ran.complaint)")
        #expect(complaints[0].hasSuffix("; trying again"))
        #expect(complaints[1] == "'127.0.0.1' answers again")
        #expect(complaints[2].hasSuffix("; the next 'push listen' does"))
        let next = try home.argus("push", "listen", "--for", "1ms", "--retries", "0", "-v")
        #expect(next.status == 0 && !next.complaint.contains("APIError"), "\(next.complaint)")
    }

    @Test("what a kill has left and the server does not end is reported in words")
    func keptLeftover() throws {
        try home.signIn(
            to: try DemoServer(
                faults: ["method=DELETE,route=/api/v1/push/subscribe,status=503,times=1"]))
        let (killed, _) = try listen()
        killed.send(SIGKILL)
        _ = try killed.finish()
        let (program, _) = try listen("--retries", "0")
        program.send(SIGINT)
        let ran = try program.finish()
        #expect(
            ran.complaint.contains("'127.0.0.1' failed to unsubscribe http://127.0.0.1:"),
            "\(ran.complaint)")
        #expect(ran.complaint.contains("; it is left from a run that was killed"))
        #expect(!ran.complaint.contains("APIError"))
    }

    @Test("without a free descriptor an idle sender gives its place to the server")
    func fewDescriptors() throws {
        try home.signIn(to: try DemoServer())
        let (program, port) = try listen("--format", "ndjson")
        let open = FolderNames.all(in: "/proc/\(program.id)/fd").count
        let ran = try home.bash("prlimit --pid \(program.id) --nofile=\(open + 3)")
        try #require(ran.status == 0, "\(ran.complaint)")
        let idle = try (0..<8).map { _ in try RawConnection(port: port) }
        try push()
        try program.wait { $0.contains("Test Notification") }
        program.send(SIGTERM)
        #expect(try program.finish().status == 0)
        _ = consume idle
    }

    @Test("a reader that has stopped keeps neither the end nor the subscription")
    func stoppedReader() throws {
        try home.signIn(to: try DemoServer())
        #expect(mkfifo(home.file("output"), 0o600) == 0)
        let pipe = open(home.file("output"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(pipe, block, block.count) > 0 {}
        var launch = home.launch(["push", "listen"], ["NOTIFY_SOCKET": manager.address])
        launch.output = .file(home.file("output"))
        let program = try launch.start()
        _ = try manager.receive(until: "STATUS=listening on http://127.0.0.1:")
        // The server waits for its answer for some seconds.
        let pushing = try home.launch(["api", "POST", "push/test"]).start()
        _ = try pushing.finish()
        program.send(SIGINT)
        let ran = try program.finish()
        #expect(ran.status == 0 && ran.complaint.isEmpty, "\(ran.complaint)")
        #expect(try endpoints().isEmpty)
    }

    @Test("a signal ends a test with its subscription, and then the command")
    func interrupted() throws {
        for (fault, words) in [
            ("push/subscribe,delay=60s", ["push", "listen", "--test", "-v"]),
            ("push/test,silent", ["push", "listen", "--test", "-v"]),
            ("push/test,silent", ["doctor", "--push", "-v"]),
        ] {
            let home = try TemporaryHome()
            let server = try DemoServer(faults: ["method=POST,route=/api/v1/\(fault)"])
            try home.signIn(to: server)
            let program = try home.launch(words).start()
            try program.wait(for: "listening on http://127.0.0.1:")
            let path = "/api/v1/" + fault.prefix { $0 != "," }
            while server.count(path) == 0 { try Task.checkCancellation() }
            program.send(SIGINT)
            let ran = try program.finish()
            #expect(ran.ending == .signal(SIGINT), "\(ran.complaint)")
            #expect(!ran.text.contains("completion"), "\(ran.text)")
            #expect(try home.argus("push", "subscriptions", "--json").text == "[]\n")
            #expect(try home.bash("ls .local/state/argus/listen").lines.isEmpty)
        }
    }

    @Test(
        "garbage, guesses, floods and slow senders are served 404, and cost neither memory nor service"
    )
    func hostile() throws {
        try home.signIn(to: try DemoServer())
        let (program, port) = try listen("--limit", "1", "--format", "ndjson")
        var idle: [RawConnection] = []
        for number in 0..<1000 {
            let connection = try RawConnection(port: port)
            switch number % 4 {
            case 0: idle.append(connection)
            case 1: connection.send([UInt8](repeating: 0xFF, count: 100))
            case 2:
                connection.send("POST /\(number) HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")
            default: connection.send("garbage\r\n\r\n")
            }
            if number % 4 != 0 {
                #expect(connection.receiveAll()?.hasPrefix("HTTP/1.1 201") != true)
            }
        }
        let big = try RawConnection(port: port)
        big.send("POST / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n")
        for _ in 0..<100 where big.send([UInt8](repeating: 7, count: 1 << 20)) {}
        // Without room for others these would hold all places for 40 s.
        for _ in 0..<64 { idle.append(try RawConnection(port: port)) }
        try push()
        let ran = try program.finish()
        withExtendedLifetime(idle) {}
        #expect(ran.status == 0 && ran.lines.count == 1 && ran.complaint.isEmpty)
        // A debug build needs some 40 MiB for its code; the bound of 40 MiB is that of the release.
        _ = manager.waiting
        let (other, _) = try listen("--limit", "1", "--format", "ndjson")
        try push()
        let quiet = try other.finish()
        #expect(
            ran.largestMemory <= max(40 << 20, quiet.largestMemory + (8 << 20)),
            "\(ran.largestMemory >> 20) MiB")
    }

    @Test("arguments that make no sense are usage errors before anything is sent")
    func usage() throws {
        for words in [
            ["--test", "--limit", "1"], ["--test", "--", "true"], ["--port", "0"],
            ["--port", "65536"],
            ["--address", "home.example"], ["--address", "0.0.0.0"], ["--address", "::"],
            ["--address", "::0"], ["--address", "0:0:0:0:0:0:0:0"],
            ["--address", "192.168.1.5:80"], ["--hook-tries", "2"], ["--thumbnail", "--", "true"],
            ["--", "./absent"],
        ] {
            #expect(try home.argus(["push", "listen"] + words).status == 2, "\(words)")
        }
        #expect(try home.argus("push", "listen", "--json").status == 2)
        #expect(try home.argus("push", "listen").status == 4)
    }
}
