import ArgusCore
import ArgusTestSupport
import ArgusTransport
import CommandLineKit
import Testing

@testable import argus

/// Words of the person's that are far too long come back in part.
@Suite("long words in errors")
struct EchoTests {
    private let test: TestSystem
    private static let long = String(repeating: "x", count: 1_000)

    init() throws {
        test = try TestSystem()
    }

    private func expectBriefError(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(test.stderr.contains("xxx…'"), sourceLocation: sourceLocation)
        for line in test.stderr.split(separator: "\n") {
            #expect(line.count < 300, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "those that nothing is asked for",
        arguments: [
            ["server", "use", long], ["help", long], ["config", "get", long],
            ["config", "set", long, "1"], ["cameras", "--server", long],
            ["login", "https://home.example", "--api-key-stdin", "--name", long], [long],
            ["login", "https://home.example", "-u", long, "--no-input"],
            ["events", "list", "--" + long], ["events", long], ["events", "--limit", long],
            ["cameras", "--format", long], ["cameras", "--fields", long],
            ["push", "prefs", "set", "--timezone", long],
        ])
    func local(words: [String]) async throws {
        try await test.know()
        #expect([.usage, .notFound].contains(await test.run(words)))
        expectBriefError()
    }

    @Test(
        "control characters are made visible, once, and a program gets them as they are",
        arguments: [
            ["x\u{1B}\\"], ["cameras", "x\u{1B}\\"], ["cameras", "--x\u{1B}\\"],
            ["cameras", "--via", "x\u{1B}\\"], ["cameras", "--fields", "x\u{1B}\\"],
            ["cameras", "-s", "x\u{1B}\\"], ["help", "x\u{1B}\\"],
        ])
    func controls(words: [String]) async throws {
        try await test.know()
        _ = await test.run(words)
        #expect(test.stderr.contains(#"x\x1b\\'"#), "\(test.stderr)")
        #expect(!test.stderr.contains(#"\\x1b"#), "\(test.stderr)")
        _ = await test.run(words + ["--json"])
        #expect(try test.errorObject()["message"]?.string?.contains("x\u{1B}\\'") == true)
    }

    /// The parser knows no word of the rest, so that each has its own few lines for this.
    @Test(
        "the parser cuts words as everything else does",
        arguments: [
            "x", String(repeating: "ä", count: 60), String(repeating: "x", count: 61), long,
            "e" + String(repeating: "\u{301}", count: 5_000),
            String(repeating: "👩‍👩‍👧‍👦", count: 60),
        ])
    func alike(word: String) {
        let error = #expect(throws: UsageError.self) {
            try Tool.commandLine.parse(["cameras", "--via", word])
        }
        #expect(error?.message.hasPrefix("--via: \(word.inQuotes) is not") == true)
    }

    @Test("names of cameras, alone and among others")
    func cameras() async throws {
        try await test.know()
        for words in [["show", Self.long], ["enable", Self.long, Self.long]] {
            test.fake.stub(
                .get, "/api/v1/cameras", body: #"[{"id":"c1","name":"x","is_online":true}]"#)
            #expect(await test.run(["cameras"] + words) == .notFound)
        }
        expectBriefError()
    }

    @Test("a program still gets the whole operand, to know which it was")
    func items() async throws {
        try await test.know()
        test.fake.stub(
            .get, "/api/v1/cameras", body: #"[{"id":"c1","name":"x","is_online":true}]"#)
        #expect(await test.run("cameras", "enable", Self.long, "y", "--json") == .notFound)
        let items = try #require(try test.errorObject()["items"]?.elements.map { $0 })
        #expect(items.map { $0["id"]?.string } == [Self.long, "y"])
        #expect(items.first?["message"]?.string?.hasSuffix("xxx…'") == true)
    }
}
