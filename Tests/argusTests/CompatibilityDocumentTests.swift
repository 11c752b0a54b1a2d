import FoundationEssentials
import Testing

/// `docs/compatibility.md` names for each behaviour of servers the tests that show argus' answer.
@Suite("docs/compatibility.md")
struct CompatibilityDocumentTests {
    /// A file of tests: what its suites and tests are called.
    private struct TestFile {
        var suites: [String]
        var tests: [String]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of all tables that name tests, without the cells' blanks.
    private static func rows() throws -> [[String]] {
        let data = try Data(contentsOf: root.appending(path: "docs/compatibility.md"))
        var rows: [[String]] = []
        var namesTests = false
        for line in String(decoding: data, as: UTF8.self).components(separatedBy: "\n") {
            guard line.hasPrefix("|") else {
                namesTests = false
                continue
            }
            let cells = line.components(separatedBy: "|").dropFirst().dropLast().map {
                String($0).trimming(" ")
            }
            if cells.last == "Shown by" {
                namesTests = true
            } else if namesTests, cells.contains(where: { $0.contains { $0 != "-" } }) {
                rows.append(cells)
            }
        }
        return rows
    }

    private static func files() throws -> [TestFile] {
        let folder = root.appending(path: "Tests").path()
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") }
            .map { path in
                let data = try Data(contentsOf: root.appending(path: "Tests/\(path)"))
                let text = String(decoding: data, as: UTF8.self)
                let types = (text.components(separatedBy: "struct ").dropFirst())
                    .map { String($0.prefix { $0.isLetter || $0.isNumber }) }
                return TestFile(
                    suites: texts(of: "@Suite(", in: text) + types,
                    tests: texts(of: "@Test(", in: text))
            }
    }

    /// The literals that are the first argument of a macro.
    private static func texts(of macro: String, in text: String) -> [String] {
        text.components(separatedBy: macro).dropFirst().compactMap { rest in
            let rest = rest.drop { $0.isWhitespace }
            guard rest.first == "\"" else { return nil }
            var literal = ""
            var isEscaped = false
            for character in rest.dropFirst() {
                if !isEscaped, character == "\"" { return literal }
                if !isEscaped, character == "\\" {
                    isEscaped = true
                } else {
                    literal.append(character)
                    isEscaped = false
                }
            }
            return nil
        }
    }

    @Test("each of the thirty traps has one row")
    func thirty() throws {
        let numbers = try Self.rows().compactMap { Int($0[0]) }
        #expect(numbers == Array(1...30))
    }

    @Test("every row names tests, and all of these exist in the suites that they are said to be in")
    func named() throws {
        let files = try Self.files()
        let suites = Set(files.flatMap(\.suites))
        for row in try Self.rows() {
            var rest = try #require(row.last)
            #expect(!rest.isEmpty, "no test shows: \(row[0]) \(row[1])")
            var usedServers = files
            while !rest.isEmpty {
                if let suite = suites.longest({ rest.hasPrefix($0 + " / ") }) {
                    rest = String(rest.dropFirst(suite.count + 3))
                    usedServers = files.filter { $0.suites.contains(suite) }
                } else if let suite = suites.longest({ rest.hasPrefix($0 + " (all)") }) {
                    rest = String(rest.dropFirst(suite.count + 6))
                    if rest.hasPrefix("; ") { rest = String(rest.dropFirst(2)) }
                    continue
                }
                let names = usedServers.flatMap(\.tests)
                guard let name = names.longest(rest.hasPrefix) else {
                    Issue.record("there is no such test: \(rest)")
                    break
                }
                rest = String(rest.dropFirst(name.count))
                guard rest.isEmpty || rest.hasPrefix("; ") else {
                    Issue.record("'\(name)' is followed by: \(rest)")
                    break
                }
                rest = String(rest.dropFirst(2))
            }
        }
    }
}

extension Collection<String> {
    fileprivate func longest(_ isMatch: (String) -> Bool) -> String? {
        filter { !$0.isEmpty && isMatch($0) }.max { $0.count < $1.count }
    }
}

extension String {
    fileprivate func trimming(_ blank: Character) -> String {
        var text = self[...]
        while text.first == blank { text.removeFirst() }
        while text.last == blank { text.removeLast() }
        return String(text)
    }
}
