import ArgusCore
import Testing

@testable import CommandLineKit

/// The parser knows no word of the kit, and so quotes words by itself.
@Suite("words that the parser and the kit quote")
struct QuotedWordTests {
    @Test(
        "both quote a word alike",
        arguments: [
            "", "front door", "\u{1B}[2J", String(repeating: "ä", count: 60),
            String(repeating: "x", count: 61), String(repeating: "😀", count: 200),
            "e" + String(repeating: "\u{301}", count: 5_000),
        ])
    func quotes(word: String) {
        #expect(quoted(word) == word.inQuotes)
    }
}
