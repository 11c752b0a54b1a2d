import ArgusCore
import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

@Suite("version, help, completion and generate")
struct ToolTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    @Test("the version, for people and for programs")
    func version() async throws {
        #expect(await test.run("version") == .done)
        #expect(await test.run("--version") == .done)
        #expect(test.stdout == "argus \(Tool.version)\nargus \(Tool.version)\n")
        let other = try TestSystem()
        #expect(await other.run("version", "--format", "ndjson") == .done)
        #expect(other.stdout == "{\"version\":\"\(Tool.version)\",\"date\":\"\(Tool.date)\"}\n")
    }

    @Test("a command that is a program of its own is named where it is not installed")
    func missingProgram() {
        let error = Tool.commandLine.unknownCommand("demo")
        #expect(error.message == "the program 'argus-demo' is not installed")
        #expect(error.hint?.contains("Debian: argus-demo") == true)
        #expect(Tool.commandLine.unknownCommand("dmo").message == "unknown command 'dmo'")
    }

    @Test(
        "what users guess leads to the command",
        arguments: [
            ("watch", "argus events watch"), ("stats", "argus events stats"),
            ("snapshot Garage", "argus cameras snapshot"), ("list events", "argus events list"),
            ("events ls", "list"), ("server add", "argus login"),
            ("server add home", "argus login"), ("logout home", "--server home"),
            ("-V", "--version"), ("events latest", "argus events show latest"),
            ("events tail", "watch"), ("queue flush", "run"), ("queue clear", "drop"),
            ("push quiet-hours", "argus push prefs set --quiet-hours HH:MM-HH:MM"),
            ("events list --from yesterday", "--since yesterday"),
            ("events list --days 3", "--since 3d"), ("events delete --before 90d", "--until 90d"),
            ("events list --last 3", "--since 3d' or '--limit 3"),
            ("events list --last 3d", "--since 3d"), ("events list --csv", "--format csv"),
            ("events list --output json", "--format json"),
            ("events list -o json", "--format json"), ("events --jsonl", "--format ndjson"),
            ("events list --format jsonl", "ndjson"),
            ("cameras snapshot --all --dir x", "--output DIR/"),
            ("events watch --exec ls", "-- ls"), ("events watch --hook ls", "-- ls"),
            ("events watch --until now", "--for DURATION"), ("doctor --cron", "--as-cron"),
            ("push prefs --quiet-hours off", "argus push prefs set"),
            ("push prefs show --quiet-hours off", "argus push prefs set"),
            ("push prefs set --types people", "person"),
            ("enable Garage", "argus cameras enable' or 'argus rules enable"),
        ])
    func guesses(line: String, meant: String) {
        #expect(hint(for: line) == "did you mean '\(meant)'?")
    }

    @Test("a hint names the line with the operand that is missing, and where periods are explained")
    func hints() {
        #expect(
            hint(for: "events thumbnail --during last-night -o x")
                == "'latest' is the newest event that matches: "
                + "argus events thumbnail latest --during last-night -o x")
        #expect(
            hint(for: "events reanalyze")
                == "'latest' is the newest event: argus events reanalyze latest")
        #expect(hint(for: "events show --min-confidence 300") == nil)
        #expect(hint(for: "events feedback") == nil)
        #expect(
            hint(for: "events list --during lastnight")
                == "did you mean 'last-night'? 'argus help times' explains periods")
        #expect(
            hint(for: "events list --during 3d")
                == "did you mean '--since 3d'? 'argus help times' explains periods")
    }

    @Test("each guess leads to its command, and is none itself")
    func guesses() {
        for command in Tool.commandLine.description.root.visibleTree {
            for guess in command.about.details.guesses {
                let meant = (["argus"] + command.path).joined(separator: " ")
                #expect(hint(for: guess.words)?.contains("'\(meant)") == true)
            }
        }
    }

    private func hint(for line: String) -> String? {
        do {
            let words = line.split(separator: " ").map(String.init)
            guard case .external(_, let name, let arguments) = try Tool.commandLine.parse(words)
            else { return nil }
            return Tool.commandLine.unknownCommand(name, arguments).hint
        } catch {
            return error.hint
        }
    }

    @Test("help needs no readable configuration, and a wrong topic names the right ones")
    func help() async throws {
        try test.folder.plant("= broken", "config.toml")
        for words in [
            ["help", "times"], ["help", "events", "list"], ["events", "--help"], ["-h"],
        ] {
            let fresh = try TestSystem()
            try fresh.folder.plant("= broken", "config.toml")
            #expect(await fresh.run(words) == .done)
            #expect(!fresh.stdout.isEmpty)
            #expect(fresh.stderr == "")
        }
        #expect(await test.run("help", "nonsense") == .usage)
        #expect(test.stderr.contains("hint: run 'argus -h' for all commands and topics"))
        #expect(await test.run("help", "evnts") == .usage)
        #expect(test.stderr.hasSuffix("no help on 'evnts'\nhint: did you mean 'events'?\n"))
        #expect(await test.run("cameras") == .usage, "a broken configuration is told")
        #expect(test.stderr.contains("config.toml"))
    }

    @Test(
        "the version and the completion scripts need no readable configuration",
        arguments: [
            ["version"], ["version", "--json"], ["--version"], ["completion", "bash"],
            ["help"], ["--help"], ["version", "-h"],
        ])
    func brokenConfiguration(words: [String]) async throws {
        for garbage in ["= broken", "format = 7", "nonsense = \"x\"", "\u{0}\u{1}"] {
            let fresh = try TestSystem()
            try fresh.folder.plant(garbage, "config.toml")
            #expect(await fresh.run(words) == .done, "\(garbage)")
            #expect(!fresh.stdout.isEmpty)
            #expect(fresh.stderr == "")
        }
    }

    @Test("argus alone shows its short help on stderr, and is status 2")
    func alone() async throws {
        #expect(await test.run() == .usage)
        #expect(test.stdout == "")
        #expect(test.stderr.contains("events"))
    }

    @Test("completion scripts are those that are installed", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        #expect(await test.run("completion", shell) == .done)
        #expect(GeneratedFiles.completions.contains { $0.contents == test.stdout })
    }

    @Test("what is generated goes to its folder")
    func generate() async throws {
        #expect(await test.run("generate", "completions", "--to", test.folder.path) == .done)
        #expect(
            try test.folder.names() == GeneratedFiles.completions.map(\.name).sorted())
        #expect(test.stdout == "")
        #expect(await test.run("generate", "man", "--to", "/nonexistent/folder") == .failed)
    }

    @Test("an unknown noun is a usage error that names the nearest ones")
    func unknown() async throws {
        #expect(await test.run("evnts") == .usage)
        #expect(test.stderr.contains("events"))
    }
}
