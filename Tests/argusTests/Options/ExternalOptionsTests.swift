import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

/// Global options before the name of a separate program `argus-NAME`.
@Suite("global options of external commands")
struct ExternalOptionsTests {
    private func globals(_ words: [String]) throws -> GlobalOptions {
        guard case .external(let globals, _, _) = try Tool.commandLine.parse(words + ["hello"])
        else { throw UsageError("no external command") }
        return globals
    }

    private func variables(_ words: String...) throws -> [String: String?] {
        let list = try globals(words).exported()
        return Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.value) })
    }

    @Test("those that have a variable become it")
    func exported() throws {
        #expect(try variables() == [:])
        #expect(
            try variables("-s", "home", "--json", "--no-input", "--trace", "-") == [
                "ARGUS_SERVER": "home", "ARGUS_FORMAT": "json", "ARGUS_NO_INPUT": "true",
                "ARGUS_TRACE": "-",
            ])
    }

    @Test("a file of credentials leaves no variable that would win over it")
    func credentials() throws {
        #expect(
            try variables("--token-file", "t") == [
                "ARGUS_TOKEN": nil, "ARGUS_TOKEN_FILE": "t",
            ])
        #expect(
            try variables("--api-key-file", "k") == [
                "ARGUS_TOKEN": nil, "ARGUS_TOKEN_FILE": nil, "ARGUS_API_KEY": nil,
                "ARGUS_API_KEY_FILE": "k",
            ])
    }

    @Test("every other one is refused by its name; none is dropped")
    func complete() throws {
        let values = [
            "via": "local", "format": "csv", "color": "never", "timeout": "1s", "retries": "1",
            "trace": "t",
        ]
        for flag in Tool.commandLine.description.globalFlags {
            guard !["help", "version"].contains(flag.long) else { continue }
            let option = "--" + flag.long
            var words = flag.takesNextWord ? [option, values[flag.long] ?? "x"] : [option]
            if flag.long == "key" { words += ["--cert", "c"] }
            let globals = try globals(words)
            #expect(globals != GlobalOptions(), "\(words)")
            do throws(UsageError) {
                #expect(try globals.exported().count > 0, "\(words)")
            } catch {
                // A key is given with its certificate, which is refused first.
                let named = flag.long == "key" ? "--cert" : option
                #expect(error.message.contains(named), "\(words): \(error.message)")
            }
        }
        #expect(throws: UsageError.self) { try variables("--fields", "id") }
        #expect(throws: UsageError.self) { try variables("-q") }
    }
}
