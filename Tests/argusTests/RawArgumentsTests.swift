import ArgusTestSupport
import CommandLineKit
import FoundationEssentials
import Testing

@testable import argus

@Suite("The words of the command line")
struct CommandWordsTests {
    @Test(
        "words come as they were written, empty ones and unusual bytes too",
        arguments: [
            ("argus\0events\0list\0", ["events", "list"]), ("argus\0", []), ("argus", []),
            ("argus\0\0--x\0\0", ["", "--x", ""]), ("\0a b\0c\nd\0", ["a b", "c\nd"]),
            ("argus\0Stra\u{DF}e", ["Straße"]),
        ])
    func reading(bytes: String, words: [String]) throws {
        let folder = try TemporaryFolder()
        let file = try folder.plant(bytes, "cmdline")
        #expect(RawArguments(readingFrom: file)?.operands.words == words)
    }

    @Test("more words than fit into one read are read whole")
    func many() throws {
        let folder = try TemporaryFolder()
        let words = (0..<3000).map { "word-\($0)" }
        let file = try folder.plant(
            (["argus"] + words).map { $0 + "\0" }.joined(), "cmdline")
        #expect(RawArguments(readingFrom: file)?.operands.words == words)
    }

    @Test("arguments that are not UTF-8 are an error, and never repaired")
    func invalid() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("cmdline")
        try Data(Array("argus\0a".utf8) + [0xFF, 0]).write(to: URL(filePath: file))
        let words = try #require(RawArguments(readingFrom: file))
        #expect(words.operands.unreadable == "a\u{FFFD}")
        let error = #expect(throws: UsageError.self) {
            try CommandLineReading(words).meaning.get()
        }
        #expect(error?.message.hasPrefix("'a\u{FFFD}' is not UTF-8 text") == true)
        // The same character, where a person wrote it, is a word like any other.
        let written = RawArguments(readingFrom: try folder.plant("argus\0a\u{FFFD}", "plain"))
        #expect(written?.operands.unreadable == nil)
    }

    @Test("a file that is not there or holds nothing is no command line")
    func absent() throws {
        let folder = try TemporaryFolder()
        #expect(RawArguments(readingFrom: folder.file("none")) == nil)
        #expect(RawArguments(readingFrom: try folder.plant("", "empty")) == nil)
        #expect(RawArguments(readingFrom: folder.path) == nil)
    }

    @Test("the words of this process are those that Swift finds")
    func own() {
        #expect(RawArguments.ofProcess().operands.words == Array(CommandLine.arguments.dropFirst()))
    }
}
