import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `events watch` in a terminal that a person leaves open.
@Suite(.waitsForPrograms)
struct WatchTerminalTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    /// Erases to the end of the screen.
    private static let erasure = "\r\u{1B}[J"

    @Test("a line below the events shows the situation, at the width that the terminal has now")
    func situation() throws {
        try home.signIn(to: try DemoServer("--rate", "600"))
        let watch = try home.launch(["events", "watch"]).onTerminal.start()
        try watch.wait(for: "live · 127.0.0.1 · 3 events since ")
        try watch.wait { $0.hasSuffix("\u{1B}[0m\r") }
        watch.terminal?.resize(columns: 60)
        let before = watch.printed.count
        // Rows that come before the program knows the new width are cut for the old one.
        try watch.wait { text in
            let rows = text.dropFirst(before).split(separator: "\r\n").dropLast()
            return rows.count > 5 && rows.suffix(5).allSatisfy(isNarrow)
        }
        watch.type("\u{03}")
        let ran = try watch.finish()
        #expect(ran.status == 0 && ran.text.hasSuffix(Self.erasure))
    }

    /// True for a row all of whose drawings fit into 60 columns.
    private func isNarrow(_ row: Substring) -> Bool {
        let visible = row.replacing(/\u{1B}\[[0-9]*[mJ]/, with: "")
        return visible.split(separator: "\r").allSatisfy { width(String($0)) <= 60 }
    }

    @Test("a disturbance stands there from its beginning")
    func disturbance() throws {
        let server = try DemoServer("--rate", "600")
        try home.signIn(to: server)
        let watch = try home.launch(["events", "watch", "--poll", "100ms"]).onTerminal.start()
        try watch.wait(for: "live · 127.0.0.1 · 1 event since ")
        server.stop()
        try watch.wait(for: Self.erasure + "\u{1B}[33margus: warning: \u{1B}[0mcannot reach")
        #expect(watch.printed.contains("reconnecting since "))
        watch.type("\u{03}")
        #expect(try watch.finish().status == 0)
    }

    @Test("Ctrl-Z gives the shell a clean line, fg brings it back", arguments: ["sh", "bash"])
    func jobControl(name: String) throws {
        try home.signIn(to: try DemoServer())
        var environment = home.environment
        environment["PS1"] = "ready> "
        let words = name == "sh" ? ["/bin/sh", "-i"] : ["/bin/bash", "--norc", "-i"]
        let shell = try Launch(words: words, environment: environment, folder: home.path)
            .onTerminal.start()
        try shell.wait(for: "ready> ")
        shell.type("argus events watch\n")
        let line = "\u{1B}[2mlive · 127.0.0.1 · no events yet · Ctrl-C ends\u{1B}[0m\r"
        for time in 1...2 {
            try shell.wait { $0.components(line) == time }
            shell.type("\u{1A}")
            try shell.wait { $0.components("topped") == time }
            #expect(shell.printed.matches(of: /\r {48,62}\r/).count == time)
            shell.type("fg\n")
        }
        try shell.wait { $0.components(line) == 3 }
        shell.type("\u{03}")
        try shell.wait { text in
            let last = text.suffix(30)
            return last.contains(Self.erasure) && last.hasSuffix("ready> ")
        }
        shell.type("exit\n")
    }

    @Test("a command prints above the line, which is back when it has ended")
    func commands() throws {
        // While commands run there is no line, and on a slow machine some always run.
        let server = try DemoServer("--events", "0", "--rate", "600", "--arrivals", "6")
        try home.signIn(to: server)
        let words = [
            "events", "watch", "--since", "1h", "--", "sh", "-c", "echo out; echo err >&2",
        ]
        let watch = try home.launch(words).onTerminal.start()
        try watch.wait(for: " · 6 events since ")
        try watch.wait { $0.hasSuffix("\u{1B}[0m\r") && $0.components("err\r\n") == 6 }
        // No command has printed on the line, or behind it.
        let rows = watch.printed.split(separator: "\r\n").dropLast()
        watch.type("\u{03}")
        #expect(try watch.finish().status == 0)
        #expect(
            rows.allSatisfy { $0 == "err" || $0 == "out" || $0.hasSuffix(Self.erasure + "out") })
    }

    @Test("the second Ctrl-C kills, while the commands of the first one's watch still run")
    func killed() throws {
        try home.signIn(to: try DemoServer("--events", "50"))
        let manager = try ServiceManager(home.file("notify"))
        // Commands that end with the watch only, which gives them ten seconds, and five after SIGTERM;
        // the watch of one that has just begun may have been killed before it asked for its parent.
        let command = """
            trap '' TERM; echo running; read -r name < /proc/$PPID/comm
            while [ "$name" = argus ] && read -r _ _ _ parent _ < /proc/$$/stat && [ $parent = $PPID ]
            do sleep 0.05; done
            """
        let watch = try home.launch(
            ["events", "watch", "--since", "2d", "--", "sh", "-c", command],
            ["NOTIFY_SOCKET": manager.address]
        ).onTerminal.start()
        try watch.wait(for: "running")
        watch.type("\u{03}")
        _ = try manager.receive(until: "STOPPING=1")
        watch.type("\u{03}")
        #expect(try watch.finish().ending == .signal(SIGINT))
    }

    @Test("a Ctrl-C that kills leaves no line")
    func killedWait() throws {
        try home.signIn(to: try DemoServer(faults: ["route=/api/v1/events,silent"]))
        let wait = try home.launch(["events", "wait"]).onTerminal.start()
        try wait.wait(for: " · no events yet · Ctrl-C ends\u{1B}[0m\r")
        wait.type("\u{03}")
        let ran = try wait.finish()
        #expect(ran.ending == .signal(SIGINT))
        #expect(ran.text.hasSuffix(" \r"), "\(ran.text)")
    }

    @Test("no escape sequence without styles, and no line where none belongs")
    func plain() throws {
        try home.signIn(to: try DemoServer("--rate", "600"))
        func watch(
            _ words: [String], _ variables: [String: String] = [:],
            _ change: (inout Launch) -> Void = { _ in }
        ) throws -> String {
            var launch = home.launch(["events", "watch", "--limit", "2"] + words, variables)
                .onTerminal
            change(&launch)
            let ran = try launch.start().finish()
            #expect(ran.status == 0)
            return ran.text + ran.complaint
        }
        for (words, variables) in [([], ["NO_COLOR": "1"]), (["--color", "never"], [:])] {
            let text = try watch(words, variables)
            #expect(text.contains(" · 1 event since ") && !text.contains("\u{1B}"), "\(text)")
        }
        let without = [
            try watch([], ["TERM": "dumb"]), try watch(["-q"]),
            try watch([]) { $0.output = .collected }, try watch([]) { $0.errors = .collected },
            try watch(["--format", "ndjson"]) { ($0.output, $0.errors) = (.collected, .collected) },
        ]
        for text in without { #expect(!text.contains(" · ") && !text.isEmpty, "\(text)") }
    }

    @Test("waiting for an event shows the line too, and removes it")
    func waiting() throws {
        try home.signIn(to: try DemoServer())
        let ran = try withEnoughTime { try home.argusOnTerminal("events", "wait", "--for", $0) }
        #expect(ran.status == 13)
        #expect(ran.text.contains(" · no events yet"))
        let complaint = "\u{1B}[31margus: \u{1B}[0mno event that matches came in time\r\n"
        #expect(ran.text.hasSuffix(Self.erasure + complaint))
    }
}

/// The cells of a text.
private func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ((0x4E00...0x9FFF).contains($1.value) ? 2 : 1) }
}

extension String {
    /// The number of places where a text stands.
    fileprivate func components(_ text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
