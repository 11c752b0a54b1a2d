import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents

@Suite("archive: rows that wait to be stored")
struct ArchiveContentTests {
    @Test(
        "a page keeps its buffer until the last of its rows is stored, unless they are copies",
        arguments: [(#"[{"id":"e1"},{"id":"e2"}]"#, true), (#"[{"id": "e1"},{"id":"e2"}]"#, false)])
    func page(text: String, isSlice: Bool) throws {
        weak var page: JSONBuffer?
        var contents: [ArchiveContent] = []
        do {
            let view = try JSONView.parse(Array(text.utf8))
            page = view.buffer
            let rows = view.elements.compactMap { EventRow($0) }
            for row in rows { contents.append(try ArchiveContent(of: row)) }
        }
        #expect(contents.map(\.raw.count) == [11, 11])
        #expect((page != nil) == isSlice)
        contents.removeFirst()
        #expect((page != nil) == isSlice)
        contents.removeAll()
        #expect(page == nil)
    }
}
