import CommandLineKit
import Glibc
import Testing

@testable import argus

@Suite("The words of the command line")
struct CommandWordsTests {
    @Test(
        "words come as they were written, empty ones and unusual bytes too",
        arguments: [
            (["argus", "events", "list"], ["events", "list"]), (["argus"], []), ([], []),
            (["argus", "", "--x", ""], ["", "--x", ""]), (["", "a b", "c\nd"], ["a b", "c\nd"]),
            (["argus", "Stra\u{DF}e"], ["Straße"]),
        ])
    func reading(given: [String], words: [String]) {
        #expect(arguments(given.map { Array($0.utf8) }).operands.words == words)
    }

    @Test("arguments that are not UTF-8 are an error, and never repaired")
    func invalid() {
        let words = arguments([Array("argus".utf8), Array("a".utf8) + [0xFF]])
        #expect(words.operands.unreadable == "a\u{FFFD}")
        let error = #expect(throws: UsageError.self) {
            try CommandLineReading(words).meaning.get()
        }
        #expect(error?.message.hasPrefix("'a\u{FFFD}' is not UTF-8 text") == true)
        // The same character, where a person wrote it, is a word like any other.
        let written = arguments(["argus", "a\u{FFFD}"].map { Array($0.utf8) })
        #expect(written.operands.unreadable == nil)
    }

    @Test("the words of this process are those that Swift finds")
    func own() {
        #expect(RawArguments.ofProcess().operands.words == Array(CommandLine.arguments.dropFirst()))
    }

    /// The arguments as main(3) is given them.
    private func arguments(_ words: [[UInt8]]) -> RawArguments {
        var list = words.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
        defer { for word in list { free(word) } }
        return RawArguments(&list)
    }
}
