import ArgusCore
import Testing

@Suite("words that errors repeat")
struct QuotedTextTests {
    @Test("a word stands in quotes, whole up to 60 characters")
    func short() {
        #expect("front door".inQuotes == "'front door'")
        #expect("".inQuotes == "''")
        let limit = String(repeating: "ä", count: 60)
        #expect(limit.inQuotes == "'\(limit)'")
    }

    @Test("a longer one is cut, and shows that it was", arguments: [61, 100_000])
    func long(count: Int) {
        let word = String(repeating: "x", count: count)
        #expect(word.inQuotes == "'\(String(repeating: "x", count: 60))…'")
    }

    @Test("characters of many bytes do not make it long")
    func marks() {
        let word = "e" + String(repeating: "\u{301}", count: 5_000)
        #expect(word.inQuotes.unicodeScalars.count < 100)
    }
}
