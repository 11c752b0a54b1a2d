import Testing

@testable import ArgusKit

@Suite("work on several elements at a time")
struct ParallelMapTests {
    @Test("every limit gives all results in their order", arguments: [0, -1, 1, 2, 9])
    func limit(limit: Int) async {
        #expect(await [1, 2, 3].mapInParallel(limit) { $0 * 2 } == [2, 4, 6])
    }

    @Test("no elements have no results", arguments: [0, 1])
    func empty(limit: Int) async {
        #expect(await [Int]().mapInParallel(limit) { $0 } == [])
    }
}
