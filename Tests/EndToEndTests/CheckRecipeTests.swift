import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// The command lines, scripts and definitions of docs/checking.md, run as they stand there; what
/// they call outside is a receiver on this machine.
@Suite(.waitsForPrograms)
struct CheckRecipeTests {
    private let home: TemporaryHome
    private let text: String

    init() throws {
        home = try TemporaryHome()
        text = try DocumentTests.text(of: "docs/checking.md")
        for script in blocks("sh") where script.hasPrefix("#!/bin/sh\n# ") {
            let name = script.split(separator: "\n")[1].dropFirst(2)
            try home.write(script, to: String(name), mode: 0o700)
        }
        // Each mail is a file of its subject and its text.
        try home.write(
            """
            #!/bin/sh
            [ $# -eq 3 ] && [ "$1" = -s ] && [ "$3" = "$(id -un)" ] || exit 99
            { echo "$2"; cat; } > "$HOME/mail$(ls "$HOME" | grep -c ^mail[0-9])"
            """, to: "bin/mail", mode: 0o700)
    }

    private func blocks(_ language: String) -> [String] {
        text.split(separator: "\n```\(language)\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in part.firstRange(of: "\n```").map { "\(part[..<$0.lowerBound])\n" }
            }
    }

    /// The first block of a text with a line that begins so.
    private func block(with beginning: String) throws -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix(beginning) })
        return Array(lines[start...].prefix { $0 != "```" })
    }

    private func run(_ line: String, _ server: DemoServer) throws -> ProgramResult {
        try home.bash(
            line.replacing("https://home.example", with: server.url)
                .replacing("/var/lib/prometheus/", with: "\(home.path)/")
                .replacing("/usr/local/bin/", with: ""),
            variables: [
                "PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin",
                "ARGUS_NO_INPUT": "1",
            ])
    }

    /// A server whose disk is full in the second check only.
    private func ailingServer() throws -> DemoServer {
        let metrics = "event_queue_depth 0\nsystem_disk_usage_percent 95\n"
        return try DemoServer(
            "--all-online", "--rate", "0",
            faults: [
                "route=/metrics,after=1,times=1,status=200,content-type=text/plain,body=\(metrics)"
            ])
    }

    @Test("the command lines")
    func lines() throws {
        let server = try DemoServer("--all-online", "--rate", "0")
        try home.signIn(to: server, "--name", "home")
        try home.write("", to: "node-exporter/empty")
        // Those of a drill need watches, and are run with them.
        let lines = text.split(separator: "\n").filter {
            $0.hasPrefix("    argus ") && !$0.hasPrefix("    argus drill")
        }
        #expect(lines.count >= 6)
        for line in lines {
            let ran = try run(String(line.dropFirst(4)), server)
            let isDead = line.contains("--camera-fault")
            #expect(ran.status == (isDead ? 11 : 0), "\(line)\n\(ran.complaint)")
            if isDead { #expect(ran.lines.contains { $0.contains("Garage") }, "\(ran.text)") }
        }
        let metrics = try #require(home.text(of: "node-exporter/argus.prom"))
        #expect(metrics.hasSuffix("\n# EOF\n"))
        let table = text.split(separator: "`argus_check_").dropFirst().map { part in
            "argus_check_\(part.prefix { $0 != "`" })"
        }
        let alerts = try #require(blocks("yaml").first)
        let named = Set(table + ["argus_check_state", "argus_check_run_timestamp_seconds"])
        #expect(named.count >= 5 && alerts.contains("expr: argus_check_state == 2\n"))
        for name in named { #expect(metrics.contains("# TYPE \(name) gauge\n"), "\(name)") }
    }

    @Test("every check has a row in the table")
    func rows() throws {
        let names = try home.argus("check", "--only", "none").complaint
            .split { !$0.isLetter && $0 != "-" }.map(String.init)
        let rows = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else {
                return nil
            }
            return String(line.dropFirst(3)[..<end])
        }
        let checks = try #require(rows.firstIndex(of: "server"))
        let last = try #require(rows.firstIndex(of: "push"))
        #expect(last - checks == 14)
        for row in rows[checks...last] { #expect(names.contains(row), "\(row)") }
    }

    @Test("one mail when something begins, one when it ends, and none otherwise")
    func mail() throws {
        let server = try ailingServer()
        try home.signIn(to: server)
        // The first one tells how the house is.
        for _ in 0..<4 {
            let ran = try run("./mail-changes", server)
            #expect(ran.status == 0 && ran.text.isEmpty, "\(ran.text)\(ran.complaint)")
        }
        let mails = (0..<4).compactMap { home.text(of: "mail\($0)") }.filter { $0.contains("disk") }
        try #require(mails.count == 2)
        #expect(mails[0].hasPrefix("The house\nSTATE") && mails[0].contains("\nfail"))
        #expect(mails[1].contains("\nok"))
        #expect(home.text(of: "mail3") == nil)
    }

    @Test("a message of ntfy when something begins, and one when it ends")
    func ntfy() async throws {
        let server = try ailingServer()
        try home.signIn(to: server)
        try await LoopbackServer.serving { _ in
            [.answer("200 OK", "{}")]
        } _: { receiver in
            let script = try #require(home.text(of: "ntfy-changes"))
            try home.write(
                script.replacing("https://ntfy.sh", with: "\(receiver.origin)"), to: "ntfy-changes")
            for _ in 0..<4 {
                let ran = try run("./ntfy-changes", server)
                #expect(ran.status == 0, "\(ran.complaint)")
            }
            let messages = try receiver.requests.map { try JSONReader.read($0.body) }
                .filter { $0["message"]?.string?.contains("disk") == true }
            try #require(messages.count == 2)
            #expect(messages[0]["topic"]?.string == "my-house")
            #expect(messages[0]["message"]?.string?.contains("fail: disk\n95 %") == true)
            #expect(messages[1]["message"]?.string?.contains("ok: disk\n24 %") == true)
        }
    }

    @Test("healthchecks hears of each check, and nothing about the house")
    func healthchecks() async throws {
        let server = try ailingServer()
        try home.signIn(to: server)
        try await LoopbackServer.serving { _ in
            [.answer("200 OK", "OK")]
        } _: { receiver in
            try home.write("\(receiver.origin)/1f2e\n", to: ".config/argus/healthchecks")
            for _ in 0..<3 {
                let ran = try run("./ping-healthchecks", server)
                #expect(ran.status == 0 && ran.text.isEmpty, "\(ran.complaint)")
            }
            let requests = receiver.requests
            #expect(
                requests.map(\.line) == [
                    "GET /1f2e HTTP/1.1", "GET /1f2e/fail HTTP/1.1", "GET /1f2e HTTP/1.1",
                ])
            #expect(requests.allSatisfy { $0.body.isEmpty })
        }
    }

    @Test("the commands of Icinga and Nagios print one line, with the status of a plugin")
    func plugin() throws {
        let server = try ailingServer()
        try home.signIn(to: server, "--name", "home")
        let icinga = try block(with: "object CheckCommand")
        let command = try #require(icinga.first { $0.contains("command = [") })
        let words = command.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
        let arguments = icinga.filter { $0.contains("\" = \"$argus_") }
            .compactMap { line in line.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(arguments == ["--server", "--disk", "--only"])
        let definition = try block(with: "define command")
        let nagios = try #require(definition.first { $0.contains("command_line") })
        let lines = [
            words.map { String($0.element) }.joined(separator: " ")
                + " --server home --disk 90 --only disk,queue",
            nagios.replacing("command_line", with: "").replacing("$ARG1$", with: "home")
                + " --only disk,queue",
        ]
        for (line, status) in zip([lines[0], lines[1], lines[1]], [0, 2, 0] as [Int32]) {
            let ran = try run(line, server)
            #expect(ran.status == status, "\(line)\n\(ran.complaint)")
            #expect(ran.lines.count == 1 && ran.text.hasPrefix("ARGUS "), "\(ran.text)")
            #expect(ran.text.contains(" | 'queue'=0") || ran.text.contains("'disk'=95%;;;0;100"))
        }
    }

    @Test("the unit runs with its files, and reports changes")
    func unit() throws {
        let server = try ailingServer()
        try home.signIn(to: server)
        try home.write(try home.makeKey(on: server) + "\n", to: "credentials/argus.api-key")
        let unit = try DocumentTests.text(of: "share/systemd/argus-check.service")
        func value(_ name: String) throws -> String {
            let line = unit.split(separator: "\n").first { $0.hasPrefix(name + "=") }
            return String(try #require(line).dropFirst(name.count + 1))
        }
        #expect(try value("SuccessExitStatus") == "11")
        let line = """
            export CREDENTIALS_DIRECTORY="$HOME/credentials" ARGUS_SERVER=https://home.example
            export \(try value("Environment"))
            \(try value("ExecStart"))
            """
        let states = try (0..<4).map { _ in
            let ran = try run(line, server)
            return ran.lines.first { $0.contains("disk") }?.prefix(4)
        }
        #expect(states == [nil, "fail", "ok  ", nil])
    }
}
