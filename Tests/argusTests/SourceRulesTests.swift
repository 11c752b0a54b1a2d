import FoundationEssentials
import Testing

/// The rules for sources that neither the compiler nor swift-format checks.
///
/// `docs/development.md` gives their reasons; `GeneratedFilesTests` has one more.
@Suite("SourceRules")
struct SourceRulesTests {
    private let sources: [(path: String, text: String)]

    init() throws {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in
            path.deletingLastPathComponent()
        }
        let paths = try FileManager.default.subpathsOfDirectory(
            atPath: root.appending(path: "Sources").path())
        sources = try paths.filter { $0.hasSuffix(".swift") }.map { path in
            let data = try Data(contentsOf: root.appending(path: "Sources/\(path)"))
            return (path, String(decoding: data, as: UTF8.self))
        }
        try #require(!sources.isEmpty)
    }

    private func paths(with text: String) -> [String] {
        sources.filter { $0.text.contains(text) }.map(\.path)
    }

    @Test(
        "no source uses what a rule forbids",
        arguments: ["import Foundation\n", "try! ", " as! ", "fatalError(", " print("])
    func forbidden(text: String) {
        #expect(paths(with: text) == [])
    }

    @Test("one file decides what a server must prove")
    func proof() {
        #expect(paths(with: "CURLOPT_SSL_VERIFYPEER").count == 1)
    }

    @Test("every verb has a file of its own, named after it")
    func verbs() {
        for (path, text) in sources where path.hasPrefix("argus/") {
            let verbs = text.split(separator: "\n").filter {
                $0.hasPrefix("enum ") && $0.hasSuffix(": ArgusCommand {")
            }.map { $0.dropFirst(5).prefix { $0 != ":" } }
            let name = path.split(separator: "/").last
            #expect(verbs.allSatisfy { name == "\($0).swift" }, "\(path) has \(verbs)")
        }
    }
}
