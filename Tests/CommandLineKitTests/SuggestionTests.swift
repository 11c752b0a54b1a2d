import Testing

@testable import CommandLineKit

@Suite struct SuggestionTests {
    @Test(
        "the distance counts insertions, deletions, replacements and swaps",
        arguments: [
            ("list", "list", 0), ("lst", "list", 1), ("lisst", "list", 1), ("lost", "list", 1),
            ("lsit", "list", 1), ("", "abc", 3), ("abc", "", 3), ("abcd", "badc", 2),
        ])
    func distance(from: String, to: String, expected: Int) {
        #expect(editDistance(Array(from.utf8), Array(to.utf8)) == expected)
    }

    @Test("near names come nearest first, far ones not at all")
    func nearest() {
        let names = ["list", "show", "thumbnail", "frames", "video", "export", "enable", "disable"]
        #expect(suggestions(for: "lsit", among: names) == ["list"])
        #expect(suggestions(for: "thumb", among: names) == ["thumbnail"])
        #expect(suggestions(for: "isable", among: names) == ["disable", "enable"])
        #expect(suggestions(for: "quux", among: names).isEmpty)
        #expect(suggestions(for: "x", among: ["a", "b", "xy"]) == ["xy"])
        #expect(suggestions(for: "", among: names).isEmpty)
        #expect(suggestions(for: String(repeating: "l", count: 9_999), among: names).isEmpty)
    }
}
