import ArgusKit
import Testing

@Suite("The memory of pages")
struct PageMemoryTests {
    private func page(_ ids: ClosedRange<Int>) throws -> [JSONView] {
        try ids.map { try JSONView.parse(Array(#"{"id":"e\#($0)"}"#.utf8)) }
    }

    @Test("what comes again is left out, however far additions have pushed it")
    func pushed() throws {
        var memory = PageMemory(capacity: 100)
        #expect(memory.fresh(try page(1...50)).count == 50)
        #expect(memory.fresh(try page(41...90)).count == 40)
        // More was added than fits on a page.
        #expect(memory.fresh(try page(1...50)).isEmpty)
        #expect(memory.fresh(try page(86...95)).count == 5)
    }

    @Test("only the newest ids are kept, in the order in which they came")
    func bounded() throws {
        var memory = PageMemory(capacity: 3)
        #expect(memory.fresh(try page(1...4)).count == 4)
        #expect(memory.fresh(try page(2...4)).isEmpty)
        #expect(memory.fresh(try page(1...1)).count == 1)
        #expect(memory.fresh(try page(3...4)).isEmpty)
        #expect(memory.fresh(try page(2...2)).count == 1)
    }
}
