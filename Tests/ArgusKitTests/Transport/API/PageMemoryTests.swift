import ArgusCore
import ArgusTransport
import Testing

@Suite("The memory of pages")
struct PageMemoryTests {
    private func page(_ ids: ClosedRange<Int>) throws -> [JSONView] {
        try ids.map { try JSONView.parse(Array(#"{"id":"e\#($0)"}"#.utf8)) }
    }

    /// Expects so many elements of a page to be on no page before.
    private func expect(
        _ count: Int, _ memory: inout PageMemory, _ ids: ClosedRange<Int>
    ) throws {
        let fresh = try page(ids).filter { memory.insert($0) }
        #expect(fresh.count == count)
        memory.endPage()
    }

    @Test("what comes again is left out, however far additions have pushed it")
    func pushed() throws {
        var memory = PageMemory(capacity: 100)
        try expect(50, &memory, 1...50)
        try expect(40, &memory, 41...90)
        // More was added than fits on a page.
        try expect(0, &memory, 1...50)
        try expect(5, &memory, 86...95)
    }

    @Test("only the newest ids are kept, in the order in which they came")
    func bounded() throws {
        var memory = PageMemory(capacity: 3)
        try expect(4, &memory, 1...4)
        try expect(0, &memory, 2...4)
        try expect(1, &memory, 1...1)
        try expect(0, &memory, 3...4)
        try expect(1, &memory, 2...2)
    }

    @Test("long ids that begin alike are not taken for one another", arguments: [200, 300])
    func longIDs(length: Int) throws {
        let start = String(repeating: "a", count: length)
        var memory = PageMemory()
        for number in 1...3 {
            let element = try JSONView.parse(Array(#"{"id":"\#(start)\#(number)"}"#.utf8))
            let isFresh = memory.insert(element)
            #expect(isFresh)
            memory.endPage()
        }
    }

    @Test("an id that a page has twice is new twice")
    func twice() throws {
        var memory = PageMemory()
        let element = try page(7...7)[0]
        #expect(!memory.isKnown(element))
        let firstPage = [memory.insert(element), memory.insert(element)]
        memory.endPage()
        #expect(memory.isKnown(element))
        let secondPage = [memory.insert(element)]
        #expect(firstPage == [true, true] && secondPage == [false])
    }
}
