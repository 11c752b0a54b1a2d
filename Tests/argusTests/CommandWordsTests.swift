import CommandLineKit
import Glibc
import Testing

@testable import argus

@Suite("The words of the command line")
struct CommandWordsTests {
    @Test("arguments that are not UTF-8 are an error, and never repaired")
    func invalid() {
        let broken = Array("a".utf8CString.dropLast()) + [-1, 0]
        let word = withArguments([Array("argus".utf8CString), broken]) {
            CommandLineReading.unreadableWord(of: $0)
        }
        #expect(word == "a\u{FFFD}")
        let error = #expect(throws: UsageError.self) {
            try CommandLineReading(["a\u{FFFD}"], unreadable: word).meaning.get()
        }
        #expect(error?.message.hasPrefix("'a\u{FFFD}' is not UTF-8 text") == true)
    }

    @Test(
        "unusual words are readable, and the program's name is none of them",
        arguments: [
            [], ["argus"], ["argus", "", "--x", ""], ["argus", "c\nd", "Stra\u{DF}e"],
            // The same character, where a person wrote it, is a word like any other.
            ["argus", "a\u{FFFD}"],
        ])
    func readable(words: [String]) {
        #expect(withArguments(words) { CommandLineReading.unreadableWord(of: $0) } == nil)
        let name = [[CChar(truncatingIfNeeded: 0xFF), 0]] + words.map { Array($0.utf8CString) }
        #expect(withArguments(name) { CommandLineReading.unreadableWord(of: $0) } == nil)
    }
}

/// Calls `body` with words as main(3) is given them.
func withArguments<Value>(
    _ words: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    withArguments(words.map { Array($0.utf8CString) }, body)
}

/// Calls `body` with words that each end in a zero, as main(3) is given them.
func withArguments<Value>(
    _ words: [[CChar]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    var list = words.map { strdup($0) } + [nil]
    defer { for word in list { free(word) } }
    return body(&list)
}
