import FoundationEssentials
import Testing

/// The rules that no compiler checks: `docs/development.md` gives their reasons.
@Suite("SourceRules")
struct SourceRulesTests {
    /// One rule: lines with this text are faults, except under the paths that may have them.
    struct Rule: CustomTestStringConvertible {
        var text: String
        var folders: [String]
        var allowed: [String] = []
        /// Whether the text counts only where a word begins, whatever stands before it.
        var beginsWord = false
        var reason: String

        var testDescription: String { text }
    }

    static let ours = ["Sources/argus/", "Sources/ArgusKit/", "Sources/CommandLineKit/"]

    static let rules = [
        Rule(
            text: "import CCurl", folders: ["Sources/"],
            allowed: ["Sources/ArgusKit/Transport/HTTP/"],
            reason: "C types stay in one folder"),
        Rule(
            text: "import CAvahi", folders: ["Sources/"],
            allowed: [
                "Sources/ArgusKit/Transport/Discovery/",
                "Sources/argus-demo/Run/Advertisement.swift",
            ],
            reason: "C types stay in one folder"),
        Rule(
            text: "import CSecret", folders: ["Sources/"],
            allowed: ["Sources/ArgusKit/Account/Credentials/"], reason: "C types stay in one folder"
        ),
        Rule(
            text: "import CSQLite", folders: ["Sources/"],
            allowed: ["Sources/ArgusKit/Archive/"], reason: "C types stay in one folder"),
        Rule(
            text: "import CProcess", folders: ["Sources/"],
            allowed: [
                "Sources/ArgusKit/Core/Process/", "Sources/ArgusKit/Core/Files/",
                "Sources/ArgusKit/Push/Listener/ListenerLoop.swift",
            ], reason: "C types stay in one folder"),
        Rule(
            text: "import Foundation\n", folders: ["Sources/"],
            reason: "Foundation triples the size and the start-up time"),
        Rule(
            text: "import FoundationNetworking", folders: ["Sources/"],
            reason: "the transport is libcurl"),
        Rule(
            text: "CURLOPT_SSL_VERIFYPEER", folders: ["Sources/"],
            allowed: ["Sources/ArgusKit/Transport/HTTP/EasyHandle+Proof.swift"],
            reason: "one place decides what a server must prove"),
        Rule(
            text: "CURLOPT_FOLLOWLOCATION", folders: ["Sources/"],
            reason: "libcurl would carry credentials to another origin"),
        Rule(
            text: "CURLOPT_COOKIE", folders: ["Sources/"],
            reason: "a stale cookie beats a fresh token"),
        Rule(text: "try!", folders: ["Sources/"], reason: "input must not end the program"),
        Rule(text: "fatalError(", folders: ["Sources/"], reason: "input must not end the program"),
        Rule(text: "as!", folders: ["Sources/"], reason: "input must not end the program"),
        Rule(
            text: "getenv(", folders: ours,
            allowed: ["Sources/ArgusKit/Core/Process/Environment.swift"],
            reason: "the environment is one value, read once"),
        Rule(
            text: "posix_spawn", folders: ours,
            allowed: ["Sources/ArgusKit/Core/Process/Spawn.swift"],
            reason: "one place decides what a child inherits"),
        Rule(
            text: "execv(", folders: ours, reason: "one place decides what a child inherits"),
        Rule(
            text: "execve(", folders: ours, allowed: ["Sources/argus/Start/ExternalCommands.swift"],
            reason: "one place decides what a child inherits"),
        Rule(
            text: "print(", folders: ours, beginsWord: true,
            reason: "print is block-buffered in a pipe and ignores errors"),
        Rule(
            text: "Terminal",
            folders: [
                "Sources/ArgusKit/Transport/API/", "Sources/ArgusKit/Events/",
                "Sources/ArgusKit/Events/Cameras/",
                "Sources/ArgusKit/Transport/HTTP/", "Sources/ArgusKit/Events/Devices/",
                "Sources/ArgusKit/Push/", "Sources/ArgusKit/Account/Accounts/",
            ], reason: "services know nothing of terminals"),
        Rule(
            text: "TaskGroup(of: (", folders: ["Sources/"],
            reason: "Swift 6.3 may return a wrong index from a task's tuple; use a struct"),
        Rule(text: "Task.detached", folders: ["Sources/"], reason: "every task has an owner"),
        Rule(
            text: "CommandLine.arguments", folders: ours,
            reason: "Swift takes them from /proc; ArgumentList does not"),
        Rule(
            text: "import NIO", folders: ours, reason: "the embedded server alone listens"),
    ]

    @Test("no source breaks a rule", arguments: rules)
    func rule(_ rule: Rule) throws {
        for file in try Self.sources() where rule.folders.contains(where: file.path.hasPrefix) {
            guard !rule.allowed.contains(where: file.path.hasPrefix) else { continue }
            let text = file.text + "\n"
            guard let place = rule.place(in: text) else { continue }
            let number = text[..<place].components(separatedBy: "\n").count
            Issue.record("\(file.path):\(number): '\(rule.text)': \(rule.reason)")
        }
    }

    @Test(
        "a word is found wherever it may begin, and not inside another",
        arguments: [
            ("  print(x)", true), ("{print(x)}", true), ("(print(x))", true), ("print(x)", true),
            ("\tprint(x)", true), (";print(x)", true), ("Swift.print(x)", true),
            ("Fingerprint(x)", false), ("fingerprint(x) + print(x)", true), ("reprint(x)", false),
            ("_print(x)", false), ("print", false), ("let ün_print(x)", false),
        ])
    func wordBeginnings(line: String, isFault: Bool) {
        let rule = Rule(text: "print(", folders: [], beginsWord: true, reason: "")
        #expect((rule.place(in: line) != nil) == isFault)
    }

    @Test("the rules look at real files")
    func coverage() throws {
        let paths = try Self.sources().map(\.path)
        for folder in Self.ours + ["Sources/argus-demo/", "Tests/"] {
            #expect(paths.contains { $0.hasPrefix(folder) }, "no source under \(folder)")
        }
    }

    /// The folder of the repository.
    static let root = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in
        path.deletingLastPathComponent()
    }

    /// All sources, tests included, by their paths in the repository.
    static func sources() throws -> [(path: String, text: String)] {
        try ["Sources", "Tests"].flatMap { folder in
            let paths = try FileManager.default.subpathsOfDirectory(
                atPath: root.appending(path: folder).path())
            return try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") }.map { path in
                let data = try Data(contentsOf: root.appending(path: "\(folder)/\(path)"))
                return ("\(folder)/\(path)", String(decoding: data, as: UTF8.self))
            }
        }
    }
}

extension SourceRulesTests.Rule {
    /// Where the text first breaks the rule.
    func place(in source: String) -> String.Index? {
        var rest = source[...]
        while let found = rest.firstRange(of: text) {
            guard beginsWord, let before = source[..<found.lowerBound].last,
                before.isLetter || before.isNumber || before == "_"
            else { return found.lowerBound }
            rest = rest[found.upperBound...]
        }
        return nil
    }
}
