import Glibc
import Synchronization
import Testing

@testable import argus_demo

/// The built `argus-demo`, with a stand-in for `argus` beside it.
@Suite(.waitsForPrograms)
struct DemoCommandTests {
    private let folder: ThrowAwayHome

    /// Copies the demo into a folder of its own and puts a script called `argus` beside it.
    init() throws {
        folder = try ThrowAwayHome()
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        let own = String(
            decoding: bytes.prefix(count).map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
        let built = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        // A link keeps the name under which the program is found: /proc/self/exe is the target of
        // symbolic links, so the file itself is linked, or copied to another file system.
        let files = "'\(built)/argus-demo' '\(folder.path)/argus-demo'"
        guard try Self.run("ln \(files) 2>/dev/null || cp \(files)") == 0 else {
            throw SystemFailure("cannot link or copy \(built)/argus-demo")
        }
        let script = """
            #!/bin/sh
            echo "$*" > "$HOME/argv"
            [ "$6" = "" ] || ls -l "$6" | cut -c1-10 > "$HOME/mode"
            cat > "$HOME/input"
            echo "talk that nobody asked for"
            [ ! -e "$0.fails" ]
            """
        let path = try Launch.filesForPrograms.withLock { [folder] _ in
            try folder.write(script, to: "argus")
        }
        chmod(path, 0o700)
    }

    /// Runs a line of the shell and returns its status; -1 if a signal ended it.
    private static func run(_ line: String) throws -> Int32 {
        let launch = Launch(words: ["/bin/sh", "-c", line], environment: ["PATH": "/usr/bin:/bin"])
        return try launch.start().finish().status ?? -1
    }

    /// Runs the demo, returning its status and standard output.
    private func demo(_ arguments: [String], variables: String = "") throws -> (Int32, String) {
        let output = "\(folder.path)/output"
        let words = ["\(folder.path)/argus-demo"] + arguments
        let line = words.map(quoted).joined(separator: " ")
        let status = try Self.run("\(variables) \(line) >'\(output)' 2>&1")
        guard let file = fopen(output, "r") else { throw SystemFailure("cannot read \(output)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return (status, String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// A word as the shell must see it to hand it on unchanged.
    private func quoted(_ word: String) -> String {
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    @Test("a command runs signed in, in a HOME of its own that is gone afterwards")
    func runsSignedIn() throws {
        defer { folder.remove() }
        let script = """
            cat "$HOME/argv" "$HOME/mode"; stat -c "%a" "$HOME"; command -v argus
            echo "[$XDG_CONFIG_HOME$ARGUS_TOKEN$DBUS_SESSION_BUS_ADDRESS]"; echo "$HOME"; exit 7
            """
        let (status, output) = try demo(
            ["--events", "5", "--", "sh", "-c", script],
            variables: "XDG_CONFIG_HOME=/x ARGUS_TOKEN=y DBUS_SESSION_BUS_ADDRESS=z")
        #expect(status == 7)
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.count == 6)
        let home = lines[5]
        #expect(lines[0].hasPrefix("login http://127.0.0.1:"))
        #expect(
            lines[0].hasSuffix(
                " --username demo --password-file \(home)/.demo-password --name demo"))
        #expect(lines[1...4] == ["-rw-------", "700", "\(folder.path)/argus", "[]"])
        #expect(access(home, F_OK) != 0)
    }

    @Test("the mobile API is signed in to by a token on standard input")
    func mobileUsesToken() throws {
        defer { folder.remove() }
        let (status, output) = try demo(
            ["--events", "5", "--api", "mobile", "--", "sh", "-c", "cat $HOME/argv $HOME/input"])
        #expect(status == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.first?.hasSuffix(" --token-stdin --name demo") == true)
        #expect(lines.last?.split(separator: ".").count == 3)
    }

    @Test("a failed sign-in, a missing command and a deadly signal have their statuses")
    func statuses() throws {
        defer { folder.remove() }
        #expect(try demo(["--events", "0", "--", "no-such-command"]).0 == 127)
        #expect(try demo(["--events", "0", "--", "sh", "-c", "kill -9 $$"]).0 == 137)
        _ = try folder.write("", to: "argus.fails")
        let (status, output) = try demo(["--events", "0", "--", "true"])
        #expect(status == 1)
        #expect(output == "argus-demo: the sign-in failed with status 1\n")
    }

    @Test("a signal is passed on, and the HOME is removed all the same")
    func passesSignalsOn() throws {
        defer { folder.remove() }
        let script =
            "trap 'echo told; exit 9' TERM; echo $HOME; kill -TERM $PPID; while :; do sleep 0.05; done"
        let (status, output) = try demo(["--events", "0", "--", "sh", "-c", script])
        #expect(status == 9)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.last == "told")
        #expect(access(lines.first ?? "/", F_OK) != 0)
    }

    @Test("without a command it says where it is, and ends quietly")
    func servesUntilTold() throws {
        defer { folder.remove() }
        let ready = "\(folder.path)/ready"
        let line =
            "'\(folder.path)/argus-demo' --port 0 --events 5 --ready-file '\(ready)' "
            + "> '\(folder.path)/greeting' & demo=$!; "
            + "until [ -e '\(ready)' ]; do kill -0 $demo || break; sleep 0.05; done; "
            + "kill -TERM $demo; wait $demo"
        #expect(try Self.run(line) == 0)
        let file = try #require(fopen(ready, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        let json = try JSONReader.read(Array(bytes.prefix(count)))
        let port = try #require(json["port"]?.int)
        #expect(json["url"]?.string == "http://127.0.0.1:\(port)")
    }

    @Test("help and usage errors")
    func helps() throws {
        defer { folder.remove() }
        let (status, help) = try demo(["--help"])
        #expect(status == 0)
        #expect(help.hasPrefix("Usage: argus-demo "))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let (wrong, complaint) = try demo(["--nonsense", "1"])
        #expect(wrong == 2)
        #expect(complaint == "argus-demo: unknown option --nonsense (see argus-demo --help)\n")
    }
}
