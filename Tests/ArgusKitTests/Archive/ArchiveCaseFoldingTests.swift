import ArgusTestSupport
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents

@Suite("Comparisons in any case")
struct CaseFoldingTests {
    @Test(
        "texts that differ in case only are one, as people write them",
        arguments: [
            ("STRASSE", "Straße"), ("STRAẞE", "strasse"), ("Οδός", "ΟΔΌΣ"), ("ﬁn", "FIN"),
            ("Café", "CAFÉ"), ("garage", "GARAGE"), ("дом", "ДОМ"),
        ])
    func equal(text: String, other: String) {
        #expect(text.caseFolded == other.caseFolded)
        let found = NameLookup.find(text, in: [other], id: { _ in "" }, name: \.self)
        #expect(found == [other])
    }

    @Test("different letters stay different", arguments: [("a", "ä"), ("s", "ß"), ("e", "é")])
    func different(text: String, other: String) {
        #expect(text.caseFolded != other.caseFolded)
    }

    @Test("a search finds the words in each spelling, in the index of a server too")
    func search() {
        #expect(EventSearch("STRASSE").matches("Ein Auto in der Straße"))
        #expect(EventSearch("straße").matches("AUTO AUF DER STRASSE"))
        #expect(!EventSearch("strase").matches("Straße"))
        #expect(EventSearch("Straße").phrase == #""straße"* OR "strasse"*"#)
        #expect(EventSearch("a glass").phrase == #""a glass"* OR "a glaß"*"#)
        #expect(EventSearch("van").phrase == #""van"*"#)
    }

    @Test("an archive finds the words in each spelling")
    func archive() async throws {
        let test = try ArchiveFixture()
        try await test.sync(
            ArchiveFixture.rows(3) { #","description":"\#(["", "STRASSE", "Straße", "Hof"][$0])""# }
        )
        for text in ["strasse", "Straße", "STRASSE"] {
            var filter = EventFilter()
            filter.search = text
            #expect(try test.ids(filter) == ["e1", "e2"])
            #expect(try test.ids { $0.words = ArchiveWords("\(text) ") } == ["e1", "e2"])
        }
    }
}
