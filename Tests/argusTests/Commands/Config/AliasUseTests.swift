import ArgusTestSupport
import Testing

@testable import argus

@Suite("aliases in use")
struct AliasUseTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    @Test("an alias stands for its words, between the words around it")
    func runs() async throws {
        try test.folder.plant(
            "[alias]\nv = 'version --format'\nw = 'v ndjson'\n", "config.toml", mode: 0o644)
        #expect(await test.run("--quiet", "v", "ndjson", "--fields", "date") == .done)
        #expect(await test.run("w", "--fields", "date") == .done)
        let line = "{\"date\":\"\(Tool.date)\"}\n"
        #expect(test.stdout == line + line)
    }

    @Test("an alias never runs itself, not by another one either")
    func loops() async throws {
        try test.folder.plant("[alias]\na = 'b'\nb = 'a -x'\nc = 'c'\n", "config.toml", mode: 0o644)
        #expect(await test.run("a") == .usage)
        #expect(await test.run("c", "--json") == .usage)
        #expect(test.stderr.hasPrefix("argus: the alias 'a' runs itself: 'a' → 'b' → 'a'\n"))
    }

    @Test("an alias never replaces a command, for which the configuration is not read at all")
    func shadows() async throws {
        try test.folder.plant("alias.version = 'cameras list'\n", "config.toml", mode: 0o644)
        #expect(await test.run("version") == .done)
        #expect(test.stdout == VersionCommand.line)
        for words in [["version"], ["demo"], ["-h"], [], ["--bad"], ["cameras", "list"]] {
            var isAsked = false
            _ = CommandLineReading(words) {
                isAsked = true
                return nil
            }
            #expect(!isAsked, "\(words)")
        }
    }

    @Test("help shows aliases, and the help of their commands")
    func help() async throws {
        try test.folder.plant(
            "[alias]\nporch = \"cameras snapshot 'Front Door'\"\nversion = 'x'\n", "config.toml",
            mode: 0o644)
        #expect(await test.run("help", "porch") == .done)
        #expect(
            test.stdout == "'porch' is an alias for: argus cameras snapshot 'Front Door'\n")
        #expect(await test.run("help") == .done)
        #expect(test.stdout.hasSuffix("\nYour aliases:\n  porch  cameras snapshot 'Front Door'\n"))
        let other = try TestSystem()
        try other.folder.plant("alias.porch = 'cameras snapshot x'", "config.toml", mode: 0o644)
        #expect(await other.run("porch", "-h") == .done)
        #expect(other.stdout.contains("argus cameras snapshot"))
    }

    @Test("a broken configuration is reported if the command could have been an alias")
    func broken() async throws {
        try test.folder.plant("[alias]\na = 1\n", "config.toml", mode: 0o644)
        #expect(await test.run("porch") == .usage)
        #expect(test.stderr.contains("config.toml:2:1: 'alias.a' must be text"))
    }
}
