import ArgusTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import argus_demo

/// `events watch` as a service of systemd, whose manager is the test.
@Suite(.waitsForPrograms)
struct ServiceTests {
    private let home: TemporaryHome
    private let manager: ServiceManager

    init() throws {
        home = try TemporaryHome()
        manager = try ServiceManager(home.file("notify"))
    }

    private func watch(_ words: String..., limit: Int = 200_000) throws -> RunningProgram {
        try home.launch(
            ["events", "watch"] + words,
            ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "\(limit)"]
        ).start()
    }

    @Test("a watch is ready, tells its status, shows that it lives, and that it stops")
    func life() throws {
        try home.signIn(to: try DemoServer("--rate", "600"))
        let watch = try watch("--state", "door")
        let first = try manager.receive(until: "STATUS=live; 2 events; last ")
        #expect(first.first == "READY=1", "\(first)")
        #expect(first[1] == "STATUS=polling every 10 s; no events yet")
        for _ in 1...3 { _ = try manager.receive(until: "WATCHDOG=1") }
        watch.send(SIGTERM)
        #expect(try watch.finish().status == 0)
        let rest = try manager.receive(until: "STOPPING=1") + manager.waiting.joined()
        #expect(rest.count { $0 == "STOPPING=1" } == 1 && !rest.contains("READY=1"))
    }

    @Test("an abstract socket of systemd is as good")
    func abstract() throws {
        let manager = try ServiceManager("@" + home.file("notify"))
        try home.signIn(to: try DemoServer())
        let watch = try home.launch(["events", "watch"], ["NOTIFY_SOCKET": manager.address])
            .start()
        #expect(try manager.receive(until: "READY=1").first == "READY=1")
        watch.send(SIGTERM)
        #expect(try watch.finish().status == 0)
    }

    @Test("a server that is down at boot is waited for, also where its cameras' names are needed")
    func boot() throws {
        let server = try DemoServer(
            "--rate", "600",
            faults: [
                "route=/api/v1/cameras,status=503,times=2",
                "route=/api/v1/events,status=503,times=1",
            ])
        try home.signIn(to: server)
        let watch = try watch("--camera", "Front Door", "--retries", "0", "--poll", "100ms")
        let down = try manager.receive(until: "STATUS=reconnecting since ")
        #expect(down.contains("READY=1"), "\(down)")
        _ = try manager.receive(until: "STATUS=live; 1 event; last ")
        watch.send(SIGTERM)
        let ran = try watch.finish()
        #expect(ran.status == 0)
        #expect(ran.lines.allSatisfy { $0.contains("Front Door") })
        let complaints = ran.complaint.split(separator: "\n")
        #expect(complaints.first?.hasSuffix("; trying again") == true)
        #expect(complaints.dropFirst().first == "'127.0.0.1' answers again")
    }

    @Test("a watch that cannot begin is never ready")
    func unready() throws {
        try home.signIn(to: try DemoServer())
        let owner = try watch("--state", "door")
        _ = try manager.receive(until: "READY=1")
        let wrong = [
            ["--state", "door"], ["--state", "../door"], ["--since", "never"],
            ["--camera", "Nowhere", "--state", "other"],
        ]
        let other = try ServiceManager(home.file("other"))
        for words in wrong {
            let ran = try home.argus(
                ["events", "watch"] + words, variables: ["NOTIFY_SOCKET": other.address])
            #expect(ran.status != 0)
        }
        #expect(!other.waiting.joined().contains("READY=1"))
        owner.send(SIGTERM)
        #expect(try owner.finish().status == 0)
    }

    @Test("a feed that waits for an answer gives no sign of life")
    func hung() throws {
        try home.signIn(to: try DemoServer(faults: ["route=/api/v1/events,silent"]))
        let watch = try watch("--timeout", "3s", "--retries", "0", limit: 100_000)
        let lines = try manager.receive(until: "STATUS=reconnecting since ")
        // A timer would have given sixty.
        #expect(lines.count { $0 == "WATCHDOG=1" } < 10, "\(lines)")
        _ = try manager.receive(until: "WATCHDOG=1")
        watch.stop()
    }

    @Test("the manager sees why a watch ends; waiting for an event is no service")
    func ends() throws {
        let server = try DemoServer()
        try home.signIn(to: server)
        try home.write("wrong\n", to: "token")
        let ran = try home.argus(
            "events", "watch", "--server", server.url, "--token-file", home.file("token"),
            variables: ["NOTIFY_SOCKET": manager.address])
        #expect(ran.status == 4)
        let lines = try manager.receive(until: "STOPPING=1")
        #expect(
            lines.dropLast().last?.hasPrefix("STATUS='127.0.0.1' refused the credentials") == true,
            "\(lines)")
        let waited = try withEnoughTime {
            try home.argus(
                "events", "wait", "--for", $0, variables: ["NOTIFY_SOCKET": manager.address])
        }
        #expect(waited.status == 13 && manager.waiting.isEmpty)
    }

    @Test("the shipped unit is understood by systemd, where it is installed")
    func unit() throws {
        let text = try DocumentTests.text(of: "share/systemd/argus-watch@.service")
        #expect(text.contains("\nSuccessExitStatus=11 12\nRestartPreventExitStatus=2 4 5 9 14\n"))
        #expect(text.contains("\nType=notify\n") && text.contains("\nKillMode=mixed\n"))
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
            return
        }
        // The program is not installed where tests run.
        let unit = text.replacing("/usr/local/bin/argus", with: "/bin/true")
        try home.write(unit, to: "units/argus-watch@.service")
        let ran = try home.bash(
            "systemd-analyze --user verify --man=no units/argus-watch@.service",
            variables: ["XDG_RUNTIME_DIR": home.path])
        #expect(ran.status == 0 && ran.complaint.isEmpty, "\(ran.complaint)")
    }

    @Test("the other shipped units are understood by systemd, where it is installed")
    func otherUnits() throws {
        let names = [
            "argus-notify.service", "argus-notify-cleanup.service", "argus-notify-cleanup.timer",
            "argus-rules.service",
            "argus-push.service", "argus-push-cleanup.timer",
            "argus-listen@.service", "argus-queue.service", "argus-queue.timer",
            "argus-archive.service", "argus-archive.timer", "argus-archive-full.service",
            "argus-archive-full.timer", "argus-drill.service", "argus-drill.timer",
            "argus-check.service", "argus-check.timer", "argus-digest.service",
            "argus-digest.timer",
        ]
        for name in names {
            let text = try DocumentTests.text(of: "share/systemd/\(name)")
            let unit = text.replacing("/usr/local/bin/argus", with: "/bin/true")
            try home.write(unit, to: "units/\(name)")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
            return
        }
        let ran = try home.bash(
            "cd units && systemd-analyze --user verify --man=no *",
            variables: ["XDG_RUNTIME_DIR": home.path])
        #expect(ran.status == 0 && ran.complaint.isEmpty, "\(ran.complaint)")
    }

    @Test("make install puts the unit where systemd finds it, and uninstall removes it")
    func installation() throws {
        // No binary is built for this.
        let script = """
            make() { /usr/bin/make -s -C "$1" -o build PREFIX="$HOME/.local" BINARIES=/bin/true "$2"; }
            unit=.local/share/systemd/user/argus-watch@.service
            make "$1" install && grep "^ExecStart=" $unit && stat -c %a $unit
            # Each document that a unit names is there.
            sed -n 's/^Documentation=.*file://p' .local/share/systemd/user/* | sort -u | xargs ls || exit
            make "$1" uninstall; ls .local/share/doc/argus $unit
            """
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let ran = try home.bash(script, arguments: [root.path()])
        #expect(
            ran.lines.first?.hasPrefix("ExecStart=\(home.path)/.local/bin/argus events") == true)
        let documents = [
            "archive", "checking", "digest", "push", "rules", "scripting", "watching",
        ].map {
            "\(home.path)/.local/share/doc/argus/docs/\($0).md"
        }
        #expect(Array(ran.lines.dropFirst()) == ["644"] + documents)
        #expect(ran.status == 2, "\(ran.complaint)")
    }
}
