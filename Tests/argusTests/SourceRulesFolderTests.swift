import FoundationEssentials
import Testing

/// The rule about the files of verbs.
@Suite("SourceRules of verbs")
struct SourceRulesFolderTests {
    @Test("every verb has a file of its own, named after it")
    func verbs() throws {
        for file in try SourceRulesTests.sources() where file.path.hasPrefix("Sources/argus/") {
            let verbs = file.text.components(separatedBy: "\n").filter {
                $0.hasPrefix("enum ") && $0.hasSuffix(": ArgusCommand {")
            }.map { $0.dropFirst(5).prefix { $0 != ":" } }
            guard let verb = verbs.first else { continue }
            #expect(verbs.count == 1, "\(file.path) has \(verbs)")
            let parts = file.path.split(separator: "/")
            #expect(
                parts.count == 5 && parts[2] == "Commands" && parts[4] == "\(verb).swift",
                "\(verb) stands in \(file.path)")
        }
    }
}
