import ArgusAccount
import ArgusCore
import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

@Suite("global options")
struct GlobalOptionsTests {
    @Test("each global option is its own, before the verb and after it")
    func each() throws {
        func check(
            _ words: [String], _ change: (inout GlobalOptions) throws -> Void,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            var expected = GlobalOptions()
            try change(&expected)
            for line in [words + ["version"], ["version"] + words] {
                guard case .run(let globals, _, _, _) = try Tool.commandLine.parse(line) else {
                    Issue.record("\(line) does not run", sourceLocation: sourceLocation)
                    return
                }
                #expect(globals == expected, sourceLocation: sourceLocation)
            }
        }
        for words in [["-s", "home"], ["-shome"], ["--server", "home"], ["--server=home"]] {
            try check(words) { $0.server = "home" }
        }
        try check(["--via", "relay"]) { $0.via = .relay }
        for format in OutputFormat.allCases {
            try check(["--format", format.rawValue]) { $0.format = format }
        }
        try check(["--json"]) { $0.format = .json }
        try check(["--json", "--format=csv"]) { $0.format = .csv }
        try check(["--fields", "id,name"]) { $0.fields = try CommaSeparated(argument: "id,name") }
        try check(["--fields", "id", "--fields=name,type"]) {
            $0.fields = try CommaSeparated(argument: "id,name,type")
        }
        try check(["--no-header"]) { $0.hasNoHeader = true }
        try check(["--raw"]) { $0.isRaw = true }
        try check(["--utc"]) { $0.utc = true }
        try check(["--color", "always"]) { $0.color = .always }
        try check(["-q"]) { $0.isQuiet = true }
        try check(["--quiet"]) { $0.isQuiet = true }
        try check(["-vv", "--verbose"]) { $0.verbosity = 3 }
        try check(["--trace", "-"]) { $0.trace = "-" }
        try check(["--timeout", "500ms"]) { $0.timeout = .milliseconds(500) }
        try check(["--timeout=7"]) { $0.timeout = .seconds(7) }
        try check(["--retries", "0"]) { $0.retries = 0 }
        try check(["--wait-rate-limit"]) { $0.rateLimitWait = .seconds(900) }
        try check(["--wait-rate-limit=1h"]) { $0.rateLimitWait = .seconds(3600) }
        try check(["--no-input"]) { $0.hasNoInput = true }
        try check(["--token-file", "t"]) { $0.tokenFile = "t" }
        try check(["--api-key-file", "k"]) { $0.apiKeyFile = "k" }
        try check(["--passphrase-file", "p"]) { $0.passphraseFile = "p" }
        try check(["--cacert", "ca"]) { $0.authorities = "ca" }
        try check(["--cert", "c", "--key", "k"]) {
            $0.certificate = "c"
            $0.key = "k"
        }
    }

    @Test(
        "impossible values and pairs are refused",
        arguments: [
            ["--via", "air"], ["--format", "xml"], ["--color", "blue"], ["--timeout", "soon"],
            ["--timeout", "0"], ["--timeout=0ms"],
            ["--retries", "-1"], ["--retries", "101"], ["--wait-rate-limit=x"],
            ["--fields", "a,,b"],
            ["--token-file", "t", "--api-key-file", "k"], ["--key", "k"], ["--jso"], ["--json=x"],
        ])
    func refused(words: [String]) {
        #expect(throws: UsageError.self) { try Tool.commandLine.parse(words + ["version"]) }
    }

    @Test("option over variable over configuration over default, where a setting has them")
    func precedence() throws {
        let test = try TestSystem()
        func context(_ words: String...) throws -> Context {
            guard
                case .run(let globals, _, _, _) = try Tool.commandLine.parse(words + ["version"])
            else { throw UsageError("the line does not run") }
            return Context(globals: globals, system: test.system)
        }
        #expect(try context().format() == .table)
        try test.folder.plant("format = \"csv\"\nserver = \"cottage\"\n", "config.toml")
        #expect(try context().format() == .csv)
        #expect(try context().settings[.server]?.text == "cottage")
        test.environment["ARGUS_FORMAT"] = "tsv"
        test.environment["ARGUS_SERVER"] = "home"
        #expect(try context().format() == .tsv)
        #expect(try context().settings[.server]?.text == "home")
        test.environment["ARGUS_FORMAT"] = ""
        #expect(try context().format() == .csv, "an empty variable is unset")
        #expect(try context("--json").format() == .json)
        #expect(try context("-s", "other").settings[.server]?.text == "other")
    }

    @Test("colours follow option, configuration and terminal")
    func colours() throws {
        let test = try TestSystem()
        test.environment["TERM"] = "xterm"
        func isColoured(_ color: ColorChoice? = nil) -> Bool {
            var globals = GlobalOptions()
            globals.color = color
            return Context(globals: globals, system: test.system).terminal.style.isOn
        }
        #expect(!isColoured())
        #expect(isColoured(.always))
        test.terminal.isOutputTerminal = true
        #expect(isColoured())
        #expect(!isColoured(.never))
        try test.folder.plant("color = \"never\"\n", "config.toml")
        #expect(!isColoured())
        #expect(isColoured(.always))
    }
}
