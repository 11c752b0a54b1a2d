import FoundationEssentials
import Testing

/// The rules about folders and files: which may use which, and what a verb's file holds.
@Suite("SourceRules of folders")
struct SourceRulesFolderTests {
    /// The folders of ArgusKit, each of which uses only those in lines above its own.
    ///
    /// Those of the first line, the leaves, may use each other.
    static let tiers = [
        ["JSON", "Text", "Time", "Files", "Process", "Network", "Secrets"],
        ["Transport"], ["Trust"], ["Discovery"], ["API"], ["Credentials"], ["Servers"], ["SignIn"],
        ["Accounts", "Cameras", "Devices", "Events"], ["Archive", "Hooks", "Push"], ["Queue"],
        ["Completion"],
    ]
    /// Used by all but the leaves, using only these.
    static let common = ["Config", "Output"]

    /// A type that a folder uses.
    struct Use: Hashable, CustomStringConvertible {
        var folder: String
        var type: String
        var home: String

        init(_ folder: String, _ type: String, of home: String) {
            (self.folder, self.type, self.home) = (folder, type, home)
        }

        var description: String { "\(folder) uses \(type) of \(home)" }
    }

    /// The uses that are still against the rule; the list only shrinks.
    static let exceptions: Set<Use> = [
        Use("API", "CredentialStoreError", of: "Credentials"),
        Use("Credentials", "ServerID", of: "Servers"),
        Use("SignIn", "EventRoutes", of: "Events"),
        Use("Trust", "PlainHTTPAllowance", of: "Servers"),
    ]

    @Test("each folder of the kit uses only the types of folders above it")
    func arrows() throws {
        let sources = try SourceWords.ofKit()
        var homes: [String: Set<String>] = [:]
        var nested: [String: Set<String>] = [:]
        for (folder, words) in sources {
            for (name, isTopLevel) in words.declared {
                if isTopLevel { homes[name, default: []].insert(folder) }
                nested[folder, default: []].insert(name)
            }
        }
        var found: Set<Use> = []
        for (folder, words) in sources {
            for word in words.used where nested[folder]?.contains(word) != true {
                guard let home = homes[word]?.first, !Self.mayUse(folder, home) else { continue }
                found.insert(Use(folder, word, of: home))
            }
        }
        for use in found.subtracting(Self.exceptions) { Issue.record("\(use)") }
        for use in Self.exceptions.subtracting(found) {
            Issue.record("no longer: \(use); remove the exception")
        }
    }

    private static func mayUse(_ folder: String, _ home: String) -> Bool {
        if folder == home || tiers[0].contains(home) { return true }
        if tiers[0].contains(folder) || common.contains(folder) { return false }
        if common.contains(home) { return true }
        guard let own = tiers.firstIndex(where: { $0.contains(folder) }),
            let other = tiers.firstIndex(where: { $0.contains(home) })
        else { return false }
        return other < own
    }

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

/// The identifiers of a source, without comments and texts.
private struct SourceWords {
    /// The types that it declares, and whether they stand outside all others.
    private(set) var declared: [(name: String, isTopLevel: Bool)] = []
    /// The names with a capital that do not follow a dot.
    private(set) var used: Set<String> = []

    private static let keywords: Set<String> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype",
    ]

    static func ofKit() throws -> [(folder: String, words: SourceWords)] {
        try SourceRulesTests.sources().compactMap { file in
            let parts = file.path.split(separator: "/")
            guard file.path.hasPrefix("Sources/ArgusKit/"), parts.count > 3 else { return nil }
            return (String(parts[2]), SourceWords(file.text))
        }
    }

    init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        var depth = 0
        var previous = ""
        var follows: UInt8 = 0
        while let byte = bytes.first {
            if byte == UInt8(ascii: "/"), bytes.dropFirst().first == byte {
                bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
            } else if byte == UInt8(ascii: "\"") {
                Self.dropText(&bytes)
            } else if Self.isLetter(byte) {
                let word = bytes.prefix { Self.isLetter($0) }
                bytes = bytes.dropFirst(word.count)
                let name = String(decoding: word, as: UTF8.self)
                if Self.keywords.contains(previous) { declared.append((name, depth == 0)) }
                let hasCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                if hasCapital, follows != UInt8(ascii: ".") { used.insert(name) }
                previous = name
                follows = byte
                continue
            } else {
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") { depth -= 1 }
                bytes = bytes.dropFirst()
            }
            follows = byte
        }
    }

    private static func dropText(_ bytes: inout ArraySlice<UInt8>) {
        let quote = Array("\"\"\"".utf8)
        let end = bytes.starts(with: quote) ? quote : [UInt8(ascii: "\"")]
        bytes = bytes.dropFirst(end.count)
        while let byte = bytes.first {
            if byte == UInt8(ascii: "\""), bytes.starts(with: end) { break }
            bytes = bytes.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        bytes = bytes.dropFirst(end.count)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
