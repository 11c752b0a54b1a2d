import ArgusCore
import ArgusTestSupport
import Testing

@Suite("work on several elements at a time")
struct ParallelMapTests {
    @Test("every limit gives all results in their order", arguments: [0, -1, 1, 2, 9])
    func limit(limit: Int) async {
        #expect(await [1, 2, 3].mapInParallel(limit) { $0 * 2 } == [2, 4, 6])
    }

    @Test("the limit is how many are worked on at once", .hangLimit, arguments: [1, 3])
    func atOnce(limit: Int) async {
        let meeting = Meeting(of: limit)
        _ = await Array(0..<6).mapInParallel(limit) { _ in await meeting.attend() }
        #expect(await meeting.largest == limit)
    }

    @Test("no elements have no results", arguments: [0, 1])
    func empty(limit: Int) async {
        #expect(await [Int]().mapInParallel(limit) { $0 } == [])
    }
}

/// Holds tasks until as many as its size have come, and counts them.
private actor Meeting {
    private let size: Int
    private var present: [CheckedContinuation<Void, Never>] = []
    private(set) var largest = 0

    init(of size: Int) { self.size = size }

    func attend() async {
        await withCheckedContinuation { continuation in
            present.append(continuation)
            if present.count == size { Task { await end() } }
        }
    }

    private func end() async {
        for _ in 0..<1000 { await Task.yield() }  // one too many has time to come
        largest = max(largest, present.count)
        for continuation in present { continuation.resume() }
        present = []
    }
}
