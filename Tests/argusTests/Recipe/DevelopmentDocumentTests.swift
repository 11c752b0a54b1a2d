import ArgusCore
import ArgusTestSupport
import ArgusTransport
import CommandLineKit
import FoundationEssentials
import Testing

@testable import argus

/// What docs/development.md says, held to the sources.
@Suite("docs/development.md")
struct DevelopmentDocumentTests {
    private let text: String

    init() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let data = try Data(contentsOf: root.appending(path: "docs/development.md"))
        text = String(decoding: data, as: UTF8.self)
    }

    /// The text between two others.
    private func part(after start: String, before end: String) throws -> String {
        let from = try #require(text.firstRange(of: start)).upperBound
        let to = try #require(text[from...].firstRange(of: end)).lowerBound
        return String(text[from..<to])
    }

    @Test("the verb of the recipe is the one that these tests compile")
    func verb() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "EventsCount.swift")
        let compiled = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let shown = try part(
            after: "`Sources/argus/Commands/Events/EventsCount.swift`:\n\n```swift\n", before: "```"
        )
        #expect(compiled.replacing("\n@testable import argus\n", with: "") == shown)
    }

    @Test("the line for the tree is one of the tree and the verb")
    func tree() throws {
        let line = try part(
            after: "One line in `Sources/argus/Root.swift`:\n\n```swift\n", before: "\n```")
        let before = line.replacing(" .verb(EventsCount.self),", with: "")
        #expect(before != line)
        let root = try SourceRulesTests.sources().first { $0.path == "Sources/argus/Root.swift" }
        #expect(root?.text.contains(before) == true)
    }

    @Test("the verb of the recipe runs")
    func run() async throws {
        let test = try TestSystem()
        try await test.know()
        test.fake.stub(
            .get, "/api/v1/events?limit=500&per_page=100",
            body: #"{"events":[{"id":"e2"},{"id":"e1"}],"has_more":false}"#)
        var globals = GlobalOptions()
        globals.format = .json
        let context = Context(globals: globals, system: test.system)
        try await EventsCount.invocation(EventsCount.defaults).work(context)
        test.fake.verify()
        #expect(try test.printed()["count"]?.int == 2)
    }

    @Test("the table of rules has each rule that is tested, with its reason, and no other")
    func rules() throws {
        let rows = try part(after: "|---|---|\n| `import CCurl`", before: "\n\n")
        var table: [(rule: String, reason: String)] = []
        for line in ("| `import CCurl`" + rows).split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
            try #require(cells.count == 2)
            table.append((String(cells[0]), String(cells[1].dropLast())))
        }
        var unclaimed = Set(table.indices)
        for rule in SourceRulesTests.rules {
            let text = rule.text.reversed().drop { "( \n".contains($0) }.reversed()
            let name = "`\(String(text))`"
            let row = try #require(
                table.firstIndex { $0.rule.contains(name) }, "no row has \(name)")
            #expect(table[row].reason == rule.reason, "\(name)")
            unclaimed.remove(row)
        }
        // Rules with a test of their own.
        let others = [
            "a folder of ArgusKit uses only those to its right, as above ",
            "each verb in a file named after it ",
        ]
        #expect(unclaimed.sorted().map { table[$0].rule } == others)
    }
}
