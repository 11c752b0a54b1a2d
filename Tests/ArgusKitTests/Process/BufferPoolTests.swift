import Testing

@testable import ArgusKit

@Suite("buffers that are used again")
struct BufferPoolTests {
    private let pool = BufferPool()

    private func buffer(_ mebibytes: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(mebibytes << 20)
        bytes += [1, 2, 3]
        return bytes
    }

    private func address(_ bytes: [UInt8]) -> UnsafeRawPointer? {
        bytes.withUnsafeBytes(\.baseAddress)
    }

    @Test("an open pool gives the oldest buffer, empty, and each one once")
    func order() {
        pool.open()
        var places: [UnsafeRawPointer?] = []
        for _ in 1...2 {
            let bytes = buffer(2)
            places.append(address(bytes))
            pool.keep(bytes)
        }
        for place in places {
            let taken = pool.take()
            #expect(taken.isEmpty && taken.capacity >= 2 << 20 && address(taken) == place)
        }
        #expect(pool.take().capacity == 0)
    }

    @Test("a buffer that others still read stays theirs")
    func shared() {
        pool.open()
        let bytes = buffer(1)
        pool.keep(bytes)
        var taken = pool.take()
        taken += [9]
        #expect(bytes == [1, 2, 3] && address(taken) != address(bytes))
    }

    @Test("a closed pool keeps nothing, nor does an open one keep the longest rows")
    func limits() {
        pool.keep(buffer(2))
        pool.open()
        #expect(pool.take().capacity == 0)
        for size in [0, 16] { pool.keep(buffer(size)) }
        #expect(pool.take().capacity == 0)
        for _ in 1...9 { pool.keep(buffer(1)) }
        #expect((1...9).filter { _ in pool.take().capacity > 0 }.count == 4)
        pool.keep(buffer(2))
        pool.close()
        #expect(pool.take().capacity == 0)
    }
}
